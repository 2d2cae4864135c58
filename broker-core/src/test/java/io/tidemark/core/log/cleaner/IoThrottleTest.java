package io.tidemark.core.log.cleaner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class IoThrottleTest {
    // Issue 4: I/O throttle
    // Fails if: charge always answers zero.
    @Test
    void shouldKeepToTheRate() {
        // given
        ManualClock clock = new ManualClock();
        IoThrottle throttle = new IoThrottle(clock, 1_000);

        // then
        assertThat(throttle.charge(500)).isEqualTo(Duration.ofMillis(500));
        clock.advance(Duration.ofMillis(500));
        assertThat(throttle.charge(100)).isEqualTo(Duration.ofMillis(100));
        assertThat(throttle.charge(100)).isEqualTo(Duration.ofMillis(200));
        // What was not used is not saved up.
        clock.advance(Duration.ofSeconds(100));
        assertThat(throttle.charge(100)).isEqualTo(Duration.ofMillis(100));
    }

    // Issue 4: I/O throttle
    // Fails if: the limit of Long.MAX_VALUE is calculated with.
    @Test
    void shouldNotLimitWithoutALimit() {
        assertThat(new IoThrottle(new ManualClock(), Long.MAX_VALUE).charge(Long.MAX_VALUE))
                .isEqualTo(Duration.ZERO);
    }
}
