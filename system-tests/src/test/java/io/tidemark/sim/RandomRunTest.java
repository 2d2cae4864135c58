package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.TruncationMode;
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

    // I1, I5, I8: whatever the network does to messages, and whoever stops and goes on
    // Fails if: Fencing.divergence answers that nothing diverges
    @Test
    void shouldLoseNothingAcknowledgedWhateverTheNetworkDoes() {
        int acknowledged = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            acknowledged += new RandomRun(
                            seed,
                            SimSettings.of(TruncationMode.LEADER_EPOCH),
                            RandomRun.Faults.NETWORK,
                            Trace.lastLines(60))
                    .run(STEPS)
                    .acknowledged();
        }
        assertThat(acknowledged)
                .as("a run that acknowledges nothing shows nothing")
                .isGreaterThan(5 * SEEDS);
    }

    @Test
    void shouldRunTheSameFromTheSameSeed() {
        // given
        Trace first = Trace.recording();
        Trace second = Trace.recording();

        // when
        RandomRun.Result run = traced(first);
        RandomRun.Result again = traced(second);

        // then
        assertThat(second.lines()).isEqualTo(first.lines()).hasSizeGreaterThan(STEPS);
        assertThat(again).isEqualTo(run);
    }

    // DESIGN section 9: what a run without a trace finds is seen when its seed runs again with one.
    // Fails if: SimWorld.note draws from a randomness of the run, or adds to the digest
    @Test
    void shouldRunTheSameWithAndWithoutATrace() {
        assertThat(traced(Trace.recording())).isEqualTo(traced(Trace.OFF));
    }

    // Fails if: SimWorld.step leaves the time of an event out of the digest
    @Test
    void shouldTellOtherSeedsApart() {
        assertThat(new RandomRun(FIRST_SEED).run(STEPS).digest())
                .isNotEqualTo(new RandomRun(FIRST_SEED + 1).run(STEPS).digest());
    }

    private static RandomRun.Result traced(Trace trace) {
        return new RandomRun(FIRST_SEED, SimSettings.of(TruncationMode.LEADER_EPOCH), RandomRun.Faults.PROCESSES, trace)
                .run(STEPS);
    }
}
