package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Random faults: nothing acknowledged is lost, and the same seed gives the same run. A failure prints its seed. */
final class RandomRunTest {
    private static final int STEPS = 40;
    private static final long FIRST_SEED = Long.getLong("tidemark.sim.seed", 1L);
    private static final int SEEDS = Integer.getInteger("tidemark.sim.runs", 10);

    @Test
    void shouldLoseNothingAcknowledgedWhateverFails() {
        int acknowledged = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            acknowledged += new RandomRun(seed).run(STEPS).acknowledged();
        }
        assertThat(acknowledged)
                .as("a run that acknowledges nothing shows nothing")
                .isGreaterThan(10 * SEEDS);
    }

    @Test
    void shouldRunTheSameFromTheSameSeed() {
        assertThat(new RandomRun(FIRST_SEED).run(STEPS).trace())
                .isEqualTo(new RandomRun(FIRST_SEED).run(STEPS).trace());
    }
}
