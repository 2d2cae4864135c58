package io.tidemark.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.runtime.SystemClock;
import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.FaultMix;
import io.tidemark.sim.plan.Mix;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Seeds of the ordinary mix. More of them with {@code -Dtidemark.sim.seed} and {@code -Dtidemark.sim.runs}, or as fast as the machine
 * can with {@code ./tidemark-sim run}.
 */
final class SeedsTest {
    private static final long FIRST_SEED = Long.getLong("tidemark.sim.seed", 1L);
    private static final int SEEDS = Integer.getInteger("tidemark.sim.runs", 100);
    private static final int ENOUGH_FOR_A_MEAN = 50;

    // Issue 5 (must show 3). Fails if: Fencing.divergence answers that nothing diverges
    @Test
    void shouldViolateNothingAndShowEnough() {
        // when
        RunReport report = new SeedPool(new SystemClock(), new SeedPool.Limits(2, 3))
                .run(
                        Seeds.from(FIRST_SEED, SEEDS),
                        seed -> new SimRun(FaultMix.draw(seed, Mix.ORDINARY), Trace.OFF).run(),
                        told -> {});

        // then
        assertThat(report.violations())
                .as("replay with ./tidemark-sim replay SEED")
                .isEmpty();
        if (SEEDS >= ENOUGH_FOR_A_MEAN) {
            assertThat(report.missed(RunReport.Floors.ORDINARY)).isEqualTo(List.of());
        }
    }
}
