package io.tidemark.systemtests;

import io.tidemark.client.Tidemark;
import io.tidemark.client.producer.Producer;
import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.client.producer.ProducerRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** Sends one record after the other with acks=all, and knows when each was acknowledged. */
final class AckGaps implements AutoCloseable {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private final LongSupplier nowNs;
    private final Producer producer;
    private final String topic;
    private final Thread thread = new Thread(this::send, "acks");
    private final List<Long> ackedNs = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private volatile boolean over;

    AckGaps(ProducerConfig config, String topic, LongSupplier nowNs) {
        this.nowNs = nowNs;
        this.producer = Tidemark.producer(config);
        this.topic = topic;
        thread.start();
    }

    private void send() {
        for (int number = 0; !over; number++) {
            ByteBuffer value = ByteBuffer.wrap(("r" + number).getBytes(StandardCharsets.UTF_8));
            try {
                producer.send(new ProducerRecord(topic, 0, null, null, value, List.of()))
                        .get(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS);
                acknowledged(nowNs.getAsLong());
            } catch (ExecutionException | TimeoutException e) {
                failed(e.toString());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private synchronized void acknowledged(long timeNs) {
        ackedNs.add(timeNs);
    }

    private synchronized void failed(String failure) {
        failures.add(failure);
    }

    /** Records that were acknowledged after that time. */
    synchronized long since(long timeNs) {
        return ackedNs.stream().filter(each -> each - timeNs > 0).count();
    }

    /** The longest time between two acknowledgements of which the later one came after that time. */
    synchronized Duration longestGapSince(long timeNs) {
        long longestNs = 0;
        for (int i = 1; i < ackedNs.size(); i++) {
            if (ackedNs.get(i) - timeNs > 0) {
                longestNs = Math.max(longestNs, ackedNs.get(i) - ackedNs.get(i - 1));
            }
        }
        return Duration.ofNanos(longestNs);
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        thread.interrupt();
        thread.join();
        producer.close(Duration.ofSeconds(1));
    }
}
