package io.tidemark.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SystemRandomnessTest {
    @Test
    void shouldStayWithinBoundsAndNotRepeatItself() {
        // given
        SystemRandomness random = new SystemRandomness();
        Set<Long> drawn = new HashSet<>();

        // when
        for (int i = 0; i < 1_000; i++) {
            drawn.add(random.nextLong());
            assertThat(random.nextInt(3)).isBetween(0, 2);
        }

        // then
        assertThat(drawn).hasSize(1_000);
    }

    @Test
    void shouldReadClocksThatGoForward() {
        SystemClock clock = new SystemClock();
        long before = clock.monotonicNs();
        assertThat(clock.monotonicNs() - before).isNotNegative();
        assertThat(clock.wallMs()).isGreaterThan(1_700_000_000_000L);
    }
}
