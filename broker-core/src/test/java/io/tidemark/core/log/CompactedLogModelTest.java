package io.tidemark.core.log;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random steps on a log that is compacted, and on all records that were appended to it. */
final class CompactedLogModelTest {
    private static final int CASES = 200;
    private static final int STEPS = 40;

    /** The one place that says what compacts; a cleaner is a function of the rig it works on. */
    static ModelRun model() {
        return new ModelRun(
                "compacted log",
                STEPS,
                random -> new CompactedLogModel(random, rig -> CompactedLogModel.Cleaning.NONE));
    }

    // S17, S18. Fails if: LogRecovery.check cuts a segment before its last whole batch.
    @Test
    @Timeout(120)
    void shouldKeepTheLastValueOfEachKeyAndEverythingThatIsNotCommitted() {
        model().run(CASES);
    }
}
