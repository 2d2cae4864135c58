package io.tidemark.bench.probe;

import io.tidemark.runtime.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * Sends at a fixed rate, round robin over the partitions. Latency counts from when a record was due to its acknowledgement,
 * so that a stalled sender is not hidden.
 */
final class FixedRate {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long ANSWER_PATIENCE_SECONDS = 60;

    private final RecordSink sink;
    private final Clock clock;
    private final List<byte[]> values;
    private final LongConsumer pauseNs;

    /** @param perSecond records, for so many {@code seconds} */
    record Load(String topic, int partitions, int perSecond, int seconds) {
        int records() {
            return Math.multiplyExact(perSecond, seconds);
        }

        Load lasting(int otherSeconds) {
            return new Load(topic, partitions, perSecond, otherSeconds);
        }
    }

    /** What came of it. */
    static final class Outcome {
        private final long[] sortedNs;
        private final int failed;
        private final double perSecond;

        private Outcome(long[] sortedNs, int failed, double perSecond) {
            this.sortedNs = sortedNs;
            this.failed = failed;
            this.perSecond = perSecond;
        }

        /** Records that were acknowledged. */
        int acknowledged() {
            return sortedNs.length;
        }

        /** Records that were not acknowledged. */
        int failed() {
            return failed;
        }

        /** The rate that was reached, from the first due time to the last answer. */
        double perSecond() {
            return perSecond;
        }

        /** The latency that {@code fraction} of the acknowledged records did not exceed; -1 if there is none. */
        long quantileNs(double fraction) {
            int last = sortedNs.length - 1;
            return last < 0 ? -1 : sortedNs[(int) Math.min(last, (long) (sortedNs.length * fraction))];
        }
    }

    /**
     * @param values sent in turn
     * @param pauseNs waits for so many nanoseconds, or less
     */
    FixedRate(RecordSink sink, Clock clock, List<byte[]> values, LongConsumer pauseNs) {
        this.sink = sink;
        this.clock = clock;
        this.values = List.copyOf(values);
        this.pauseNs = pauseNs;
    }

    /**
     * Sends the load and waits for the answers.
     *
     * @throws IllegalStateException if some never come
     */
    Outcome run(Load load) throws InterruptedException {
        int records = load.records();
        long[] latencyNs = new long[records];
        AtomicInteger failed = new AtomicInteger();
        CountDownLatch answers = new CountDownLatch(records);
        long startNs = clock.monotonicNs();
        for (int i = 0; i < records; i++) {
            int number = i;
            long dueNs = startNs + (long) (i * (NANOS_PER_SECOND / load.perSecond()));
            awaitTime(dueNs);
            sink.send(load.topic(), i % load.partitions(), values.get(i % values.size()), failure -> {
                latencyNs[number] = failure == null ? Math.max(0, clock.monotonicNs() - dueNs) : -1;
                failed.addAndGet(failure == null ? 0 : 1);
                answers.countDown();
            });
        }
        if (!answers.await(ANSWER_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(answers.getCount() + " of " + records + " records were never answered");
        }
        double seconds = (clock.monotonicNs() - startNs) / NANOS_PER_SECOND;
        long[] acknowledged =
                Arrays.stream(latencyNs).filter(each -> each >= 0).sorted().toArray();
        return new Outcome(acknowledged, failed.get(), records / Math.max(seconds, 1e-9));
    }

    private void awaitTime(long dueNs) {
        long leftNs = dueNs - clock.monotonicNs();
        while (leftNs > 0 && !Thread.currentThread().isInterrupted()) {
            pauseNs.accept(leftNs);
            leftNs = dueNs - clock.monotonicNs();
        }
    }
}
