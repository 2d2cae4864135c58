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
        RollPolicy.Active active = active(0, Integer.MAX_VALUE - 10, 0);
        assertThat(RollPolicy.decide(active, next(5, 10), huge)).isEqualTo(RollPolicy.Reason.NONE);
        assertThat(RollPolicy.decide(active, next(5, 11), huge)).isEqualTo(RollPolicy.Reason.SIZE);
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
        RollPolicy.Active active = active(10, 0, 0);
        long largest = 10L + Integer.MAX_VALUE;
        assertThat(RollPolicy.decide(active, next(largest, 10), CONFIG)).isEqualTo(RollPolicy.Reason.NONE);
        assertThat(RollPolicy.decide(active, next(largest + 1, 10), CONFIG))
                .isEqualTo(RollPolicy.Reason.OFFSET_OVERFLOW);
    }

    @Test
    void shouldRollWhenTheTimeIndexIsFullSoThatASealStillHasRoom() {
        // given: scenario 8 (index full); DESIGN section 3: room for three entries, one of them for the seal
        // Fails if: TimeIndex.isFull forgets the - 1
        LogConfig three = CONFIG.withIndex(1, 3 * TimeIndex.ENTRY_BYTES + 4);
        RollPolicy.Age young = new RollPolicy.Age(0, 1_000);

        // when / then
        assertThat(RollPolicy.decide(
                        new RollPolicy.Active(0, 10, new RollPolicy.Entries(1, 1), young), next(5, 10), three))
                .isEqualTo(RollPolicy.Reason.NONE);
        assertThat(RollPolicy.decide(
                        new RollPolicy.Active(0, 10, new RollPolicy.Entries(2, 2), young), next(5, 10), three))
                .isEqualTo(RollPolicy.Reason.INDEX_FULL);
    }

    @Test
    void shouldRollWhenABatchIsTooMuchLaterThanTheFirst() {
        // given: scenario 8 (by time on append)
        // Fails if: RollPolicy.isTooLate compares with >=
        // when / then
        assertThat(decide(1_000, 500, 1_500)).isEqualTo(RollPolicy.Reason.NONE);
        assertThat(decide(1_000, 500, 1_501)).isEqualTo(RollPolicy.Reason.TIME);
        assertThat(decide(1_000, 500, 400)).isEqualTo(RollPolicy.Reason.NONE);
        assertThat(decide(0, 0, 1)).isEqualTo(RollPolicy.Reason.TIME);
    }

    @Test
    void shouldNotRollByTimeWithoutATime() {
        // given: scenario 8; a first batch, or a next one, without a timestamp
        // Fails if: RollPolicy.isTooLate leaves out firstTimestampMs() >= 0
        // when / then
        assertThat(decide(-1, 500, 1_700_000_000_000L)).isEqualTo(RollPolicy.Reason.NONE);
        assertThat(decide(1_000, 0, -1)).isEqualTo(RollPolicy.Reason.NONE);
        assertThat(decide(1_000, 0, Long.MIN_VALUE)).isEqualTo(RollPolicy.Reason.NONE);
    }

    private static RollPolicy.Active active(long base, int sizeBytes, int indexEntries) {
        return new RollPolicy.Active(
                base, sizeBytes, new RollPolicy.Entries(indexEntries, 0), new RollPolicy.Age(1_000, 1_000));
    }

    private static RollPolicy.Next next(long lastOffset, int sizeBytes) {
        return new RollPolicy.Next(lastOffset, sizeBytes, 1_000);
    }

    private static RollPolicy.Reason decide(long firstTimestampMs, long limitMs, long timestampMs) {
        RollPolicy.Active active = new RollPolicy.Active(
                0, 10, new RollPolicy.Entries(0, 0), new RollPolicy.Age(firstTimestampMs, limitMs));
        return RollPolicy.decide(active, new RollPolicy.Next(5, 10, timestampMs), CONFIG);
    }

    private static RollPolicy.Reason decide(int sizeBytes, int indexEntries, long lastOffset, int batchBytes) {
        return RollPolicy.decide(active(0, sizeBytes, indexEntries), next(lastOffset, batchBytes), CONFIG);
    }
}
