package io.tidemark.coordination.cluster;

/**
 * Something worth counting and logging.
 *
 * @param text for the log
 */
public record Notice(Kind kind, String text) {
    /** What is counted. */
    public enum Kind {
        /** A vanished broker is asked who it is. */
        BROKER_QUESTIONED,
        /** A broker was taken for lost. */
        BROKER_LOST,
        /** A broker's logs could not be shown to be the same: its entries are void. */
        NEW_INCARNATION,
        /** An eligible member outside the ISR leads. */
        ELIGIBLE_ELECTION,
        /** The longest of all void logs leads: acknowledged records may be lost (I12). */
        RECOVERY_ELECTION,
        /** A replica that may lack acknowledged records leads, because the topic allows it (I14). */
        UNCLEAN_ELECTION,
        /** An in-sync set proposal was refused. */
        PROPOSAL_REFUSED,
        /** A damaged copy left the in-sync and the eligible set, to be fetched again. */
        REPLICA_DAMAGED,
        /** A new topic's name differs from another's only in '.' and '_': their metrics look alike. */
        TOPIC_NAMES_ALIKE
    }
}
