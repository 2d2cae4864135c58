package io.tidemark.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ManualClockTest {
    private final ManualClock clock = new ManualClock(1_000, 0);

    @Test
    void shouldMoveBothHandsWhenTimePasses() {
        // when
        clock.advance(Duration.ofMillis(250));

        // then
        assertThat(clock.wallMs()).isEqualTo(1_250);
        assertThat(clock.monotonicNs()).isEqualTo(250_000_000);
    }

    @Test
    void shouldNotLoseFractionsOfMillisecondsOnTheWallHand() {
        // when
        for (int i = 0; i < 1_000; i++) {
            clock.advance(Duration.ofNanos(1_500));
        }

        // then
        assertThat(clock.monotonicNs()).isEqualTo(1_500_000);
        assertThat(clock.wallMs()).isEqualTo(1_001);
    }

    @Test
    void shouldLeaveMonotonicTimeAloneWhenTheWallClockJumps() {
        // when
        clock.shiftWall(Duration.ofHours(-1));

        // then
        assertThat(clock.wallMs()).isEqualTo(1_000 - 3_600_000);
        assertThat(clock.monotonicNs()).isZero();
    }

    @Test
    void shouldNeverMoveMonotonicTimeBackwards() {
        // given
        clock.advance(Duration.ofNanos(10));

        // when
        clock.advanceMonotonicTo(5);

        // then
        assertThat(clock.monotonicNs()).isEqualTo(10);
    }
}
