package io.tidemark.server.status;

/** How far this broker is: the label of {@code tidemark_broker_state}. */
public enum BrokerState {
    /** Not registered yet. */
    STARTING,
    /** Registered; no controller has told it the cluster's state yet. */
    WAITING,
    /** Registered and told. */
    RUNNING,
    /** Its registration is lost: it serves on and registers again. */
    UNREGISTERED,
    /** On its way out. */
    STOPPING
}
