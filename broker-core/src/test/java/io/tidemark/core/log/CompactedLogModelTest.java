package io.tidemark.core.log;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random steps on a log that is compacted, and on all records that were appended to it. */
final class CompactedLogModelTest {
    private static final int CASES = 300;
    private static final int STEPS = 40;

    static ModelRun model() {
        return new ModelRun("compacted log", STEPS, CompactedLogModel::new);
    }

    // S17, S18, S67, S69, S71, KAFKA-4529. Fails if: BatchFilter.keeps compares with <= instead of <, or
    // SegmentSwap.commit does
    // not force the directory.
    @Test
    @Timeout(180)
    void shouldKeepTheLastValueOfEachKeyAndEverythingThatIsNotCommitted() {
        model().run(CASES);
    }
}
