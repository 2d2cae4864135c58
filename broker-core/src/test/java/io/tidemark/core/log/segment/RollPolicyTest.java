package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import org.junit.jupiter.api.Test;

final class RollPolicyTest {
    private static final LogConfig CONFIG =
            LogConfig.DEFAULTS.withSegmentBytes(1_000).withIndex(1, 10 * OffsetIndex.ENTRY_BYTES);

    @Test
    void shouldRollBeforeTheSegmentWouldPassItsSize() {
        assertThat(decide(900, 3, 5, 100)).isEqualTo(RollPolicy.Reason.NONE);
        assertThat(decide(900, 3, 5, 101)).isEqualTo(RollPolicy.Reason.SIZE);
    }

    @Test
    void shouldGiveALargeBatchASegmentOfItsOwn() {
        assertThat(decide(0, 0, 5, 5_000)).isEqualTo(RollPolicy.Reason.NONE);
    }

    @Test
    void shouldRollBeforeTheFileWouldPassTwoGigabytes() {
        // S12
        // Fails if: RollPolicy adds the sizes as ints, or compares with segment.bytes alone
        LogConfig huge = CONFIG.withSegmentBytes(Integer.MAX_VALUE);
        RollPolicy.Active active = new RollPolicy.Active(0, Integer.MAX_VALUE - 10, 0);
        assertThat(RollPolicy.decide(active, new RollPolicy.Next(5, 10), huge)).isEqualTo(RollPolicy.Reason.NONE);
        assertThat(RollPolicy.decide(active, new RollPolicy.Next(5, 11), huge)).isEqualTo(RollPolicy.Reason.SIZE);
    }

    @Test
    void shouldRollWhenTheIndexIsFullUnlessTheSegmentIsEmpty() {
        // KAFKA-6388
        // Fails if: RollPolicy looks at the index of an empty segment too
        assertThat(decide(10, 9, 5, 10)).isEqualTo(RollPolicy.Reason.NONE);
        assertThat(decide(10, 10, 5, 10)).isEqualTo(RollPolicy.Reason.INDEX_FULL);
        assertThat(decide(0, 10, 5, 10)).isEqualTo(RollPolicy.Reason.NONE);
    }

    @Test
    void shouldRollBeforeARelativeOffsetOverflowsAlsoWhenEmpty() {
        // KAFKA-4451
        // Fails if: RollPolicy lets 2^31 pass
        RollPolicy.Active active = new RollPolicy.Active(10, 0, 0);
        long largest = 10L + Integer.MAX_VALUE;
        assertThat(RollPolicy.decide(active, new RollPolicy.Next(largest, 10), CONFIG))
                .isEqualTo(RollPolicy.Reason.NONE);
        assertThat(RollPolicy.decide(active, new RollPolicy.Next(largest + 1, 10), CONFIG))
                .isEqualTo(RollPolicy.Reason.OFFSET_OVERFLOW);
    }

    private static RollPolicy.Reason decide(int sizeBytes, int indexEntries, long lastOffset, int batchBytes) {
        return RollPolicy.decide(
                new RollPolicy.Active(0, sizeBytes, indexEntries), new RollPolicy.Next(lastOffset, batchBytes), CONFIG);
    }
}
