package io.tidemark.coordination.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ProbePaceTest {
    private final ProbePace pace = new ProbePace();

    private static long at(Duration since) {
        return since.toNanos();
    }

    // DESIGN 6: at most once per broker and minute.
    // Fails if: ProbePace.mayDie keeps one time for all brokers, or none
    @Test
    void shouldTakeABrokerForDeadOnceAMinute() {
        assertThat(pace.mayDie(1, at(Duration.ofSeconds(5)))).isTrue();
        assertThat(pace.mayDie(1, at(Duration.ofMillis(64_999)))).isFalse();
        assertThat(pace.mayDie(2, at(Duration.ofMillis(64_999)))).isTrue();
        assertThat(pace.mayDie(1, at(Duration.ofSeconds(65)))).isTrue();
        assertThat(pace.mayDie(1, at(Duration.ofSeconds(66)))).isFalse();
    }

    @Test
    void shouldWaitLongerWhileASuspicionLasts() {
        long[] expectedMs = {100, 200, 400, 800, 1_600, 2_000, 2_000};
        for (long ms : expectedMs) {
            assertThat(pace.nextPause(1, at(Duration.ofSeconds(1)))).isEqualTo(Duration.ofMillis(ms));
        }
        assertThat(pace.nextPause(2, at(Duration.ofSeconds(1)))).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void shouldBeginAnewWithANewSuspicion() {
        pace.nextPause(1, 0);
        pace.nextPause(1, 0);

        assertThat(pace.nextPause(1, at(Duration.ofMillis(10_001)))).isEqualTo(Duration.ofMillis(100));
    }
}
