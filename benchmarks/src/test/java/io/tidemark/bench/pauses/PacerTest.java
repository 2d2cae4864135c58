package io.tidemark.bench.pauses;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PacerTest {
    private static final long MS = 1_000_000;

    private final ManualClock clock = new ManualClock();
    // Wakes up halfway, again and again, as a sleep may.
    private final Pacer pacer = new Pacer(clock, leftNs -> clock.advance(Duration.ofNanos((leftNs + 1) / 2)), 1_000);

    @Test
    void shouldBeDueAtAFixedRate() {
        assertThat(pacer.awaitNext()).isZero();
        assertThat(pacer.awaitNext()).isEqualTo(MS);
        assertThat(pacer.awaitNext()).isEqualTo(2 * MS);
        assertThat(clock.monotonicNs()).isEqualTo(2 * MS);
    }

    @Test
    void shouldLeaveNothingOutAfterAPause() {
        // given
        pacer.awaitNext();
        clock.advance(Duration.ofMillis(3));

        // when / then
        assertThat(pacer.awaitNext()).isEqualTo(MS);
        assertThat(pacer.awaitNext()).isEqualTo(2 * MS);
        assertThat(pacer.awaitNext()).isEqualTo(3 * MS);
        assertThat(clock.monotonicNs()).isEqualTo(3 * MS);
        assertThat(pacer.awaitNext()).isEqualTo(4 * MS);
        assertThat(clock.monotonicNs()).isEqualTo(4 * MS);
    }
}
