package io.tidemark.coordination.broker;

/**
 * Why a broker cannot be registered.
 *
 * @param message one line for the operator
 */
public record RegistrationFailure(Reason reason, String message) {
    /** Kinds of failure. */
    public enum Reason {
        /** Another live process has the broker id (KAFKA-7165). */
        ID_IN_USE,
        /** ZooKeeper holds another cluster than the log directories. */
        OTHER_CLUSTER,
        /** ZooKeeper refuses to let this process read or write. */
        NOT_AUTHORISED,
        /** A node that others wrote cannot be used; only a person can put it right. */
        BAD_NODE
    }
}
