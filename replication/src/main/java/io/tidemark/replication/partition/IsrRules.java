package io.tidemark.replication.partition;

/** The arithmetic of joining and leaving the in-sync set. Pure. */
final class IsrRules {
    /** How long a leader waits before it proposes a replica again that the controller refused. */
    static final long REFUSAL_PAUSE_NS = 1_000_000_000L;

    private IsrRules() {}

    /**
     * Whether a replica with that log end may join: it has everything committed, and everything up to the start of the
     * leader's epoch, below which the leader's own high watermark may lag behind what was committed (I7, KAFKA-7128).
     */
    static boolean mayJoin(long endOffset, long highWatermark, long epochStartOffset) {
        return endOffset >= highWatermark && endOffset >= epochStartOffset;
    }

    /** Whether a replica that was caught up at {@code caughtUpNs} has lagged for too long since (I22). */
    static boolean lags(long caughtUpNs, long nowNs, long lagTimeMaxNs) {
        return nowNs - caughtUpNs > lagTimeMaxNs;
    }

    /**
     * The min-ISR gate (I12, I13): closed, nothing is committed and nothing acknowledged to acks=all.
     *
     * @param members confirmed and not proposed for removal
     */
    static boolean gateOpen(int members, int effectiveMinIsr) {
        return members >= effectiveMinIsr;
    }
}
