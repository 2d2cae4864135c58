package io.tidemark.coordination.cluster;

/**
 * A registered broker that said it is going, or is gone: it is not elected and not admitted any more.
 *
 * @param brokerEpoch of the registration that goes; a later one is a fresh start
 */
public record Departure(long brokerEpoch, Reason reason) {
    /** Why. */
    public enum Reason {
        /** It asked for a controlled shutdown and goes on serving what nobody else can. */
        SHUTTING_DOWN,
        /** Its disk failed and it halts: it counts as lost at once. */
        STORAGE_FAILED,
        /** Its process has ended: it counts as lost at once. */
        DIED;

        boolean isLoss() {
            return this != SHUTTING_DOWN;
        }
    }
}
