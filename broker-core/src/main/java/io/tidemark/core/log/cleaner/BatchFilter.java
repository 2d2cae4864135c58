package io.tidemark.core.log.cleaner;

import io.tidemark.record.BatchCompactor;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is left of a batch.
 *
 * <p>A record stays if it lies at or behind the end of the map, or if it is the last of its key and has a value, or is a tombstone
 * whose time is not over. That time begins when a pass first keeps the tombstone: the pass then writes the delete horizon into the
 * batch (KAFKA-4529, KAFKA-8522). Below the end of the map a record without a key goes.
 *
 * <p>A batch without any record left stays, empty, if it is its producer's last one: it holds the sequence number that the
 * producer goes on from. For one thread.
 */
final class BatchFilter {
    private final CleanableLog.Source source;
    private final OffsetMap map;
    private final Bounds bounds;
    private final CleaningStats stats;

    /**
     * Where and when.
     *
     * @param endOffset up to which the map knows every key's last offset
     * @param nowMs wall clock
     */
    record Bounds(long endOffset, long nowMs) {}

    /** What becomes of a batch. */
    enum Fate {
        AS_IS,
        CHANGED,
        DROPPED
    }

    /**
     * What is left.
     *
     * @param bytes of the batch, unless it is dropped
     */
    record Filtered(Fate fate, @Nullable ByteBuffer bytes) {
        private static final Filtered NOTHING = new Filtered(Fate.DROPPED, null);

        private static Filtered asIs(RecordBatch batch) {
            return new Filtered(Fate.AS_IS, batch.bytes());
        }
    }

    BatchFilter(CleanableLog.Source source, OffsetMap map, Bounds bounds, CleaningStats stats) {
        this.source = source;
        this.map = map;
        this.bounds = bounds;
        this.stats = stats;
    }

    /** What is left of the batch. */
    Filtered filter(RecordBatch batch) {
        if (batch.baseOffset() >= bounds.endOffset()) {
            return Filtered.asIs(batch);
        }
        List<LogRecord> kept = new ArrayList<>();
        boolean hasTombstone = false;
        for (LogRecord record : batch.records()) {
            if (keeps(batch, record)) {
                kept.add(record);
                hasTombstone |= record.value() == null && record.offset() < bounds.endOffset();
            }
        }
        stats.records(batch.recordCount(), kept.size());
        if (kept.isEmpty()) {
            return withoutRecords(batch);
        }
        OptionalLong horizonMs = hasTombstone ? OptionalLong.of(horizonMs(batch)) : OptionalLong.empty();
        horizonMs.ifPresent(stats::tombstonesUntil);
        boolean isSame = kept.size() == batch.recordCount()
                && (horizonMs.isEmpty() || batch.deleteHorizonMs().isPresent());
        return isSame
                ? Filtered.asIs(batch)
                : new Filtered(Fate.CHANGED, BatchCompactor.retain(batch, kept, horizonMs));
    }

    private boolean keeps(RecordBatch batch, LogRecord record) {
        if (record.offset() >= bounds.endOffset()) {
            return true;
        }
        ByteBuffer key = record.key();
        if (key == null) {
            stats.keyless();
            return false;
        }
        if (record.offset() < map.get(key)) {
            return false;
        }
        OptionalLong horizonMs = batch.deleteHorizonMs();
        return record.value() != null || horizonMs.isEmpty() || bounds.nowMs() < horizonMs.getAsLong();
    }

    private Filtered withoutRecords(RecordBatch batch) {
        if (!batch.hasProducerId() || !source.lastOffsets().contains(batch.lastOffset())) {
            return Filtered.NOTHING;
        }
        return batch.recordCount() == 0
                ? Filtered.asIs(batch)
                : new Filtered(Fate.CHANGED, BatchCompactor.empty(batch));
    }

    private long horizonMs(RecordBatch batch) {
        OptionalLong known = batch.deleteHorizonMs();
        if (known.isPresent()) {
            return known.getAsLong();
        }
        long retentionMs =
                source.snapshot().config().compaction().deleteRetention().toMillis();
        return retentionMs > Long.MAX_VALUE - bounds.nowMs() ? Long.MAX_VALUE : bounds.nowMs() + retentionMs;
    }
}
