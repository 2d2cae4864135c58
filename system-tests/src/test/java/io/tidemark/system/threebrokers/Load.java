package io.tidemark.system.threebrokers;

import io.tidemark.client.Tidemark;
import io.tidemark.client.TidemarkException;
import io.tidemark.client.producer.Producer;
import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.client.producer.ProducerRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Idempotent producers with acks=all that write numbered records, each as fast as it is answered, to all partitions of a topic in
 * turn. A value is {@code producer/partition/number}. Remembers what was acknowledged. Thread-safe.
 */
final class Load implements AutoCloseable {
    private final String topic;
    private final int partitions;
    private final int ahead;
    private final List<Producer> producers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final SortedMap<Integer, SortedMap<Long, String>> acknowledged = new TreeMap<>();
    private final long[] answeredTo;
    private final List<String> failures = new ArrayList<>();
    private volatile boolean over;

    /** @param ahead records of one producer that wait for an answer */
    Load(ProducerConfig config, int producers, int ahead, String topic, int partitions) {
        this.topic = topic;
        this.partitions = partitions;
        this.ahead = ahead;
        this.answeredTo = new long[producers];
        for (int partition = 0; partition < partitions; partition++) {
            acknowledged.put(partition, new TreeMap<>());
        }
        for (int number = 0; number < producers; number++) {
            this.producers.add(Tidemark.producer(config));
        }
    }

    void begin() {
        for (int number = 0; number < producers.size(); number++) {
            int producer = number;
            Thread thread = new Thread(() -> write(producer), "load-" + producer);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void write(int producer) {
        Semaphore room = new Semaphore(ahead);
        for (long number = 0; !over; number++) {
            int partition = (int) (number % partitions);
            String value = producer + "/" + partition + "/" + number / partitions;
            try {
                room.acquire();
                producers.get(producer).send(record(partition, value), (written, offset, failure) -> {
                    answered(producer, new Answer(partition, offset, value), failure);
                    room.release();
                });
            } catch (InterruptedException e) {
                return;
            } catch (TidemarkException e) {
                answered(producer, new Answer(partition, -1, value), e);
                room.release();
            }
        }
    }

    private ProducerRecord record(int partition, String value) {
        ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
        return new ProducerRecord(topic, partition, null, null, bytes, List.of());
    }

    private record Answer(int partition, long offset, String value) {}

    private synchronized void answered(int producer, Answer answer, @Nullable TidemarkException failure) {
        if (failure == null) {
            acknowledged.get(answer.partition()).put(answer.offset(), answer.value());
            answeredTo[producer]++;
        } else {
            failures.add(answer.value() + ": " + failure.getMessage());
        }
    }

    /** Records of one partition that were acknowledged so far, by offset. */
    synchronized SortedMap<Long, String> acknowledged(int partition) {
        return new TreeMap<>(acknowledged.get(partition));
    }

    synchronized int acknowledgedCount(int partition) {
        return acknowledged.get(partition).size();
    }

    /** The fewest acknowledgements that any producer has. */
    synchronized long leastAcknowledged() {
        long least = Long.MAX_VALUE;
        for (long count : answeredTo) {
            least = Math.min(least, count);
        }
        return least;
    }

    /** Records that were refused, or whose fate is unknown. */
    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public synchronized String toString() {
        List<Integer> counts =
                acknowledged.values().stream().map(SortedMap::size).toList();
        return "a load with " + counts + " acknowledged and " + failures.size() + " failures, the first "
                + failures.stream().limit(3).toList();
    }

    /** Sends no more, and returns when everything is answered. */
    void end() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
        producers.forEach(Producer::flush);
    }

    @Override
    public void close() {
        over = true;
        threads.forEach(Thread::interrupt);
        producers.forEach(producer -> producer.close(Duration.ofSeconds(1)));
    }
}
