package io.tidemark.record;

/**
 * What makes a batch of an idempotent producer recognisable when it is sent again (DESIGN section 5). Either all three
 * are set or none is.
 *
 * @param producerId at least 0, or {@link RecordBatch#NO_PRODUCER_ID}
 * @param producerEpoch at least 0, or -1
 * @param baseSequence sequence number of the batch's first record, at least 0, or -1
 */
public record ProducerStamp(long producerId, short producerEpoch, int baseSequence) {
    /** The stamp of a producer without an id. */
    public static final ProducerStamp NONE = new ProducerStamp(RecordBatch.NO_PRODUCER_ID, (short) -1, -1);

    /** Throws {@link IllegalArgumentException} if only a part is set. */
    public ProducerStamp {
        if (!isLegal(producerId, producerEpoch, baseSequence)) {
            throw new IllegalArgumentException("producer id " + producerId + ", epoch " + producerEpoch
                    + " and sequence " + baseSequence + " must be all -1 or all at least 0");
        }
    }

    static boolean isLegal(long producerId, short producerEpoch, int baseSequence) {
        boolean none = producerId == RecordBatch.NO_PRODUCER_ID && producerEpoch == -1 && baseSequence == -1;
        return none || (producerId >= 0 && producerEpoch >= 0 && baseSequence >= 0);
    }
}
