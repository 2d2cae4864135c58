package io.tidemark.core.log.segment;

import io.tidemark.core.log.ModelRun;
import org.junit.jupiter.api.Test;

/** Random steps on an offset index and on a map. */
final class OffsetIndexModelTest {
    private static final int CASES = 1_000;
    private static final int STEPS = 40;

    // S8, S11, KAFKA-588. Fails if: IndexEntries.floorSlot compares with < instead of <=.
    @Test
    void shouldAgreeWithAMap() {
        new ModelRun("index", STEPS, OffsetIndexModel::new).run(CASES);
    }
}
