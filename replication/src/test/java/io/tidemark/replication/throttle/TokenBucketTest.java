package io.tidemark.replication.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.testkit.SeededRandomness;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenario 52's arithmetic. */
final class TokenBucketTest {
    private static final long MB = 1_000_000;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** Any start: a monotonic clock may be negative. */
    private static final long START_NS = -5 * SECOND_NS;

    private final TokenBucket bucket = new TokenBucket(4 * MB, START_NS);

    /** Scenario 52: 12 MB at 4 MB/s take 3 s, whatever they are cut into, but for the last piece, which nothing waits for. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 65_536, 400_000})
    void shouldTakeAtLeastNineTenthsOfTheComputedTime(int pieceBytes) {
        // given
        // Fails if: take() does not add the bytes' cost to what is to be paid
        long totalBytes = 12 * MB;

        // when
        long nowNs = START_NS;
        long passedBytes = 0;
        while (passedBytes < totalBytes) {
            nowNs = Math.max(nowNs, bucket.opensAtNs());
            assertThat(bucket.isOpen(nowNs, 0)).isTrue();
            bucket.take(pieceBytes, nowNs);
            passedBytes += pieceBytes;
        }

        // then
        assertThat((double) (nowNs - START_NS) / SECOND_NS).isBetween(0.9 * 3, 3.0);
    }

    /** Timers are late, by up to what may be saved: the rate is reached all the same, and never passed. */
    @Test
    void shouldReachTheRateWithLateTimers() {
        // given
        // Fails if: what a late timer left unused is lost (no burst), or more than a burst is saved
        SeededRandomness random = new SeededRandomness(11);
        long endNs = START_NS + 60 * SECOND_NS;

        // when
        long passedBytes = 0;
        long nowNs = START_NS;
        while (nowNs < endNs) {
            bucket.take(100_000, nowNs);
            passedBytes += 100_000;
            nowNs = Math.max(nowNs, bucket.opensAtNs()) + random.nextInt((int) TimeUnit.MILLISECONDS.toNanos(50));
        }

        // then
        double ratio = (double) passedBytes / (60 * 4 * MB);
        assertThat(ratio).as(random.toString()).isBetween(0.9, 1.01);
    }

    @Test
    void shouldBeOpenUntilSomethingPassesAndShutUntilItIsPaidFor() {
        assertThat(bucket.isOpen(START_NS, 0)).isTrue();
        bucket.take(4 * MB, START_NS);
        assertThat(bucket.isOpen(START_NS + SECOND_NS - 1, 0)).isFalse();
        assertThat(bucket.isOpen(START_NS + SECOND_NS, 0)).isTrue();
        assertThat(bucket.opensAtNs()).isEqualTo(START_NS + SECOND_NS);
    }

    /** What is on its way counts before it is taken. */
    @Test
    void shouldCountWhatIsUnderWay() {
        long nowNs = START_NS + SECOND_NS;
        assertThat(bucket.isOpen(nowNs, 400_000)).isTrue();
        assertThat(bucket.isOpen(nowNs, 400_001)).isFalse();
    }

    /** After an hour of silence no more than a burst comes through at once. */
    @Test
    void shouldSaveUpNoMoreThanABurst() {
        // given
        long nowNs = START_NS + 3_600 * SECOND_NS;

        // when
        long passedBytes = 0;
        while (bucket.isOpen(nowNs, 0)) {
            bucket.take(10_000, nowNs);
            passedBytes += 10_000;
        }

        // then a tenth of a second's worth, and the piece that empties it
        assertThat(passedBytes).isBetween(400_000L, 410_000L);
    }

    /** A debt of bytes stays one: half the rate, twice the time, and the other way round. */
    @ParameterizedTest
    @CsvSource({"2000000, 2000", "8000000, 500", "1, 4000000000"})
    void shouldKeepDebtsOverAChangeOfTheRate(long newRate, long expectedMs) {
        // given
        bucket.take(4 * MB, START_NS);

        // when
        bucket.rate(newRate, START_NS);

        // then
        assertThat(bucket.opensAtNs() - START_NS).isEqualTo(TimeUnit.MILLISECONDS.toNanos(expectedMs));
        assertThat(bucket.bytesPerSecond()).isEqualTo(newRate);
    }

    /** However much is taken while it is shut, it opens one day: the sum of debts never runs over. */
    @Test
    void shouldBoundTheSumOfDebts() {
        // given
        // Fails if: each debt is cut by itself, not their sum
        bucket.rate(1, START_NS);

        // when
        for (int i = 0; i < 1_000; i++) {
            bucket.take(Long.MAX_VALUE / 2, START_NS);
        }

        // then
        assertThat(bucket.isOpen(START_NS, 0)).isFalse();
        assertThat(bucket.opensAtNs() - START_NS).isEqualTo(TimeUnit.DAYS.toNanos(1_000));
    }

    @Test
    void shouldSayForHowLongItIsShut() {
        // when
        bucket.take(MB, START_NS);
        bucket.take(MB, START_NS + SECOND_NS / 4);
        bucket.take(MB, START_NS + 10 * SECOND_NS);

        // then half a second at once, and later a quarter less what was saved up
        assertThat(bucket.shutNs()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500 + 150));
    }

    @Test
    void shouldRefuseARateThatIsNone() {
        assertThatThrownBy(() -> new TokenBucket(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bucket.rate(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(bucket.bytesPerSecond()).isEqualTo(4 * MB);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "9, 1", "4000000, 400000", "9223372036854775807, 2147483647"})
    void shouldSuggestPiecesOfABurst(long rate, int expectedBytes) {
        assertThat(new TokenBucket(rate, 0).chunkBytes()).isEqualTo(expectedBytes);
    }
}
