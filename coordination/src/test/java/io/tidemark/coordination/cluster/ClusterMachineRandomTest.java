package io.tidemark.coordination.cluster;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * I8 to I12, I14: whatever happens in whatever order, every decision keeps the rules, no acknowledged record is lost by a
 * clean election, and when the faults end every partition works. Replay a failure with the seed that it names.
 */
final class ClusterMachineRandomTest {
    private static final int STEPS = 2_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldKeepEveryRuleWhateverHappens(long seed) {
        RandomCluster cluster = new RandomCluster(new Random(seed));
        int step = 0;
        try {
            for (; step < STEPS; step++) {
                cluster.step();
            }
            cluster.healAndCheck();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ", step " + step + ": " + e.getMessage(), e);
        }
    }
}
