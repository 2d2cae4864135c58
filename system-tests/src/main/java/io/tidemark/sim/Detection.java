package io.tidemark.sim;

/** How a cluster notices that a broker's process has ended ({@code controller.fast.detection}). */
public enum Detection {
    /** By its connections, at once. */
    FAST,
    /** By the end of its ZooKeeper session alone. */
    SESSION
}
