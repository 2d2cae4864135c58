package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.testkit.SeededRandomness;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random steps on a log and on a list; the two agree after every step, and keep their promises over crashes. */
final class LogModelTest {
    private static final int RUNS = 60;
    private static final int STEPS = 60;

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000, 2_000, 3_000, 4_000})
    void shouldAgreeWithAListThroughCrashesAndPowerLosses(long firstSeed) {
        for (long seed = firstSeed; seed < firstSeed + RUNS; seed++) {
            run(seed);
        }
    }

    private static void run(long seed) {
        SeededRandomness random = new SeededRandomness(seed);
        LogConfig config = LogConfig.DEFAULTS
                .withSegmentBytes(300 + random.nextInt(1_000))
                .withIndex(1 + random.nextInt(200), 8 * (1 + random.nextInt(40)))
                .withDeleteDelay(Duration.ofSeconds(random.nextInt(3)));
        LogModel model = new LogModel(new LogRig(config), random);
        StringBuilder trace = new StringBuilder();
        try {
            for (int step = 0; step < STEPS; step++) {
                trace.append(model.step()).append('\n');
                model.check();
            }
        } catch (Throwable e) {
            throw new AssertionError("seed " + seed + " after:\n" + trace, e);
        }
        assertThat(model.failures()).as("seed " + seed).isEmpty();
    }
}
