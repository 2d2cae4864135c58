package io.tidemark.core.log;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random steps on a log and on a list; the two agree after every step, and keep their promises over crashes. */
final class LogModelTest {
    private static final int CASES = 1_000;
    private static final int STEPS = 24;

    static ModelRun model() {
        return new ModelRun("log", STEPS, LogModel::new);
    }

    // S10, S11, S16, S19, S43, S61, I1. Fails if: LogTruncator.truncateTo leaves the last offset of the log alone.
    @Test
    @Timeout(180)
    void shouldAgreeWithAListThroughCrashesAndPowerLosses() {
        model().run(CASES);
    }
}
