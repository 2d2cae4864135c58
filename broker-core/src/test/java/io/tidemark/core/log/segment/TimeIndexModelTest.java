package io.tidemark.core.log.segment;

import io.tidemark.core.log.ModelRun;
import org.junit.jupiter.api.Test;

/** Random steps on a time index and on a map. */
final class TimeIndexModelTest {
    private static final int CASES = 1_000;
    private static final int STEPS = 40;

    // S8, S11, KAFKA-588. Fails if: TimeIndex.below looks for timestampMs instead of the one before, or EntryFile.force
    // forces nothing.
    @Test
    void shouldAgreeWithAMap() {
        new ModelRun("time index", STEPS, TimeIndexModel::new).run(CASES);
    }
}
