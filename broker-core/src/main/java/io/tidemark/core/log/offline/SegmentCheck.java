package io.tidemark.core.log.offline;

import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.LogRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the batches of one segment: frame, CRC, offsets that rise and belong into it, epochs that do not fall, and, if asked,
 * records that decode. Other files of the segment are compared on the way.
 */
final class SegmentCheck {
    private static final String DAMAGED =
            "verify the same partition on another replica; if that is whole, stop this broker, move"
                    + " the partition's directory aside and start it: the partition is copied again";
    private static final String TORN =
            "of a running broker this may be an append under way; after a crash the next start cuts" + " the log here";

    private final VerifyRun run;
    private final Path log;
    private final Place place;
    private final List<CrossCheck> checks;
    private long nextOffset;
    private int lastEpoch;

    /**
     * Where a segment stands.
     *
     * @param base first offset it may hold; 0 if nobody knows
     * @param nextOffset behind the last batch of the segment before; {@code base} if there is none
     * @param lastEpoch of the last batch of the segments before; -1 if there is none
     * @param isLast whether it may still be appended to
     */
    record Place(long base, long nextOffset, int lastEpoch, boolean isLast) {}

    /**
     * How a segment ends.
     *
     * @param nextOffset behind its last batch, or as before if it has none
     * @param lastEpoch of its last batch, or as before if it has none
     */
    record Extent(long nextOffset, int lastEpoch) {}

    SegmentCheck(VerifyRun run, Path log, Place place, List<CrossCheck> checks) {
        this.run = run;
        this.log = log;
        this.place = place;
        this.checks = checks;
        this.nextOffset = place.nextOffset();
        this.lastEpoch = place.lastEpoch();
    }

    Extent run() throws IOException {
        run.countFile();
        try (LogFileReader reader = LogFileReader.open(run.io(), log)) {
            Optional<StoredBatch> next = reader.next();
            while (next.isPresent()) {
                StoredBatch batch = next.get();
                check(batch);
                if (run.isDeep() && batch.isCrcValid()) {
                    decode(reader, batch);
                }
                next = reader.next();
            }
            Optional<String> fault = reader.fault();
            if (fault.isPresent()) {
                tellEnd(reader, fault.get());
            }
        }
        return new Extent(nextOffset, lastEpoch);
    }

    private void check(StoredBatch batch) {
        run.countBatch(batch);
        if (!batch.isCrcValid()) {
            found(batch, "the bytes of the batch do not match its CRC " + batch.crc(), DAMAGED);
        }
        String fault = faultOfHeader(batch);
        if (fault != null) {
            found(batch, fault, DAMAGED);
        }
        checks.forEach(check -> check.onBatch(log, batch));
        nextOffset = batch.lastOffset() + 1;
        lastEpoch = Math.max(lastEpoch, batch.leaderEpoch());
    }

    private @Nullable String faultOfHeader(StoredBatch batch) {
        if (batch.baseOffset() < place.base()) {
            return "the batch begins below the segment's base " + place.base();
        }
        if (batch.lastOffset() - place.base() > Integer.MAX_VALUE) {
            return "the last offset " + batch.lastOffset() + " is too far from the segment's base " + place.base();
        }
        if (batch.baseOffset() < nextOffset) {
            return "the batch begins at or below offset " + (nextOffset - 1) + ", which the log has already";
        }
        if (batch.leaderEpoch() < lastEpoch) {
            return "the leader epoch falls from " + lastEpoch + " to " + batch.leaderEpoch();
        }
        long offsets = batch.lastOffset() - batch.baseOffset() + 1;
        boolean isCountPossible = batch.recordCount() >= 0 && batch.recordCount() <= offsets;
        return isCountPossible ? null : batch.recordCount() + " records are said to be in " + offsets + " offsets";
    }

    private void decode(LogFileReader reader, StoredBatch batch) throws IOException {
        try {
            List<LogRecord> records = reader.records(batch);
            run.countRecords(records.size());
            if (records.size() != batch.recordCount()) {
                found(batch, batch.recordCount() + " records are announced, " + records.size() + " are there", DAMAGED);
            }
            long before = batch.baseOffset() - 1;
            for (LogRecord record : records) {
                if (record.offset() <= before || record.offset() > batch.lastOffset()) {
                    found(batch, "offset " + record.offset() + " of a record does not fit behind " + before, DAMAGED);
                }
                before = record.offset();
            }
        } catch (InvalidBatchException e) {
            found(batch, "the records do not decode: " + e.getMessage(), DAMAGED);
        }
    }

    private void tellEnd(LogFileReader reader, String fault) {
        int leftBytes = reader.sizeBytes() - reader.end();
        run.found(new Finding(
                log,
                reader.end(),
                nextOffset,
                fault + "; " + leftBytes + " bytes from there on were not checked",
                place.isLast() ? TORN : DAMAGED));
    }

    private void found(StoredBatch batch, String what, String next) {
        run.found(new Finding(log, batch.position(), batch.baseOffset(), what, next));
    }
}
