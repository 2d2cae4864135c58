package io.tidemark.sim.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a batch.
 *
 * @param epoch leader epoch that it was appended in
 * @param crc over everything but offset and epoch
 * @param records that are left of it, in offset order
 */
public record BatchMark(long baseOffset, long lastOffset, int epoch, long crc, List<RecordMark> records) {
    public BatchMark {
        records = List.copyOf(records);
    }

    /** Whether it is the same batch, as replicas that never compact hold it (DESIGN section 9). */
    public boolean isSame(BatchMark other) {
        return baseOffset == other.baseOffset
                && lastOffset == other.lastOffset
                && epoch == other.epoch
                && crc == other.crc;
    }

    /** The record at that offset; null if it is not there. */
    public @Nullable RecordMark recordAt(long offset) {
        for (RecordMark record : records) {
            if (record.offset() == offset) {
                return record;
            }
        }
        return null;
    }

    /** Whether it holds a record with that value at the offset. */
    boolean holds(long offset, String value) {
        RecordMark record = recordAt(offset);
        return record != null && value.equals(record.value());
    }

    /** Whether every record that both have at one offset is the same in both, epoch included. */
    boolean agreesOnRecords(BatchMark other) {
        for (RecordMark record : records) {
            RecordMark there = other.recordAt(record.offset());
            if (there != null && (!there.equals(record) || epoch != other.epoch)) {
                return false;
            }
        }
        return true;
    }

    /** Values at their offsets, for a reader. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (RecordMark record : records) {
            text.append(text.isEmpty() ? "" : " ")
                    .append(record.value())
                    .append('@')
                    .append(record.offset());
        }
        return text.isEmpty() ? baseOffset + ".." + lastOffset : text.toString();
    }
}
