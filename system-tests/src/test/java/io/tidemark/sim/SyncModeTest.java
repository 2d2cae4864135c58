package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.sim.RandomRun.Faults;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What {@code log.flush.mode} promises when machines lose power, one or all at once. Further seeds with {@code
 * -Dtidemark.sim.seed} and {@code -Dtidemark.sim.runs}; a failure prints its seed.
 */
final class SyncModeTest {
    private static final int STEPS = 40;
    private static final long FIRST_SEED = Long.getLong("tidemark.sim.seed", 1L);
    private static final int SEEDS = Integer.getInteger("tidemark.sim.runs", 15);
    private static final int SEEDS_TO_FIND_IT = 400;

    // I12: the last in-sync copy, or all copies, come back from a power loss with everything that was acknowledged.
    // Fails if: Replica.countedEnd() answers log.end() in sync mode, or RunChecks.powerLost() does not ask for the
    // flush mode
    @Test
    void shouldLoseNothingAcknowledgedWhenEveryMachineLosesPowerInSyncMode() {
        int acknowledged = 0;
        int blackouts = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            RandomRun.Result result =
                    new RandomRun(seed, SimSettings.sync(), Faults.POWER, Trace.lastLines(60)).run(STEPS);
            acknowledged += result.acknowledged();
            blackouts += result.blackouts();
            assertThat(result.excused())
                    .as("excused, though sync mode promises to force, by seed %s", seed)
                    .isZero();
        }
        assertThat(acknowledged)
                .as("a run that acknowledges nothing shows nothing")
                .isGreaterThan(5 * SEEDS);
        assertThat(blackouts).isGreaterThan(SEEDS / 2);
    }

    // I12: what async mode does not promise, so that nobody believes it does; and nothing else is lost
    // Fails if: RandomRun.losePower() ends processes only, or RunChecks.powerLost() is told of nothing
    @Test
    void shouldExcuseOnlyWhatPowerLossesTookInAsyncMode() {
        int excused = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS_TO_FIND_IT; seed++) {
            excused += new RandomRun(
                            seed, SimSettings.of(TruncationMode.LEADER_EPOCH), Faults.POWER, Trace.lastLines(60))
                    .run(STEPS)
                    .excused();
        }
        assertThat(excused).isPositive();
    }

    // DESIGN section 9: the simulator must be shown to find planted faults.
    // Fails if: SlowDiskLoops runs a force at once
    @Test
    void shouldFindThatUnforcedRecordsAreCounted() {
        assertThat(firstViolation(SimSettings::syncThatCountsUnforcedRecords)).contains("I13:", "durably");
    }

    private static String firstViolation(Supplier<SimSettings> settings) {
        for (long seed = 1; seed <= SEEDS_TO_FIND_IT; seed++) {
            try {
                new RandomRun(seed, settings.get(), Faults.POWER, Trace.lastLines(60)).run(STEPS);
            } catch (IllegalStateException e) {
                return String.valueOf(e.getMessage());
            }
        }
        return "no seed up to " + SEEDS_TO_FIND_IT + " violated anything";
    }
}
