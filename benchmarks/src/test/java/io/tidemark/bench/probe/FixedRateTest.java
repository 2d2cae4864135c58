package io.tidemark.bench.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.core.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FixedRateTest {
    private static final long MS = 1_000_000;
    private static final Duration STALL = Duration.ofMillis(5);

    /** Answers at once; the first record stalls it, and it refuses one. */
    private static final class StallingSink implements RecordSink {
        private final ManualClock clock;
        private final List<Integer> partitions = new ArrayList<>();
        private final List<Byte> values = new ArrayList<>();

        StallingSink(ManualClock clock) {
            this.clock = clock;
        }

        @Override
        public void send(String topic, int partition, byte[] value, Answer answer) {
            clock.advance(partitions.isEmpty() ? STALL : Duration.ZERO);
            partitions.add(partition);
            values.add(value[0]);
            answer.done(partitions.size() == 10 ? new IllegalStateException("refused") : null);
        }

        @Override
        public void close() {}
    }

    private static FixedRate rate(RecordSink sink, ManualClock clock) {
        List<byte[]> values = List.of(new byte[] {7}, new byte[] {8});
        return new FixedRate(sink, clock, values, pauseNs -> clock.advance(Duration.ofNanos(pauseNs)));
    }

    @Test
    void shouldCountLatencyFromTheDueTimeSoThatAStallIsNotHidden() throws InterruptedException {
        // given a record due each millisecond, and a sender that stalls for five
        ManualClock clock = new ManualClock();
        StallingSink sink = new StallingSink(clock);

        // when
        FixedRate.Outcome outcome = rate(sink, clock).run(new FixedRate.Load("t", 3, 1_000, 1));

        // then the records that were due meanwhile are late too
        assertThat(outcome.failed()).isEqualTo(1);
        assertThat(outcome.acknowledged()).isEqualTo(999);
        assertThat(outcome.quantileNs(1)).isEqualTo(5 * MS);
        assertThat(outcome.quantileNs(0.996)).isEqualTo(2 * MS);
        assertThat(outcome.quantileNs(0.5)).isZero();
        assertThat(outcome.perSecond()).isCloseTo(1_000, within(10.0));
        assertThat(sink.partitions.subList(0, 4)).containsExactly(0, 1, 2, 0);
        assertThat(sink.values.subList(0, 3)).containsExactly((byte) 7, (byte) 8, (byte) 7);
    }

    @Test
    void shouldDoNothingForNoSeconds() throws InterruptedException {
        // given
        ManualClock clock = new ManualClock();

        // when
        FixedRate.Outcome outcome = rate(new StallingSink(clock), clock).run(new FixedRate.Load("t", 3, 1_000, 0));

        // then
        assertThat(outcome.quantileNs(0.99)).isEqualTo(-1);
    }
}
