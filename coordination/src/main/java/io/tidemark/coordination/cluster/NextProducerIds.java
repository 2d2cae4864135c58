package io.tidemark.coordination.cluster;

/**
 * Where the next block of producer ids starts.
 *
 * @param nextId first id that was never given out
 * @param version of {@code /producer_id_block}, or {@link StateWrite#NO_NODE}
 */
public record NextProducerIds(long nextId, int version) {
    /** Before the first block. */
    public static final NextProducerIds NONE = new NextProducerIds(0, StateWrite.NO_NODE);
}
