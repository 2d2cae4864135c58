package io.tidemark.client.consumer;

import io.tidemark.client.TidemarkException;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;

/** A position is outside the log: its records were removed, or are not written yet. Seek into the valid range to go on. */
public final class OffsetOutOfRangeException extends TidemarkException {
    private static final long serialVersionUID = 1L;

    private final transient TopicPartition partition;
    private final long offset;
    private final long earliest;
    private final long latest;

    /** @param latest -1 if it is not known */
    public OffsetOutOfRangeException(TopicPartition partition, long offset, long earliest, long latest) {
        super(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                "offset " + offset + " of " + partition + " is not in the log, which starts at " + earliest
                        + (latest < 0 ? "" : " and ends at " + latest));
        this.partition = partition;
        this.offset = offset;
        this.earliest = earliest;
        this.latest = latest;
    }

    public TopicPartition partition() {
        return partition;
    }

    /** The position that was asked for. */
    public long offset() {
        return offset;
    }

    /** The log start offset. */
    public long earliest() {
        return earliest;
    }

    /** The next record's offset, or -1 if it is not known. */
    public long latest() {
        return latest;
    }
}
