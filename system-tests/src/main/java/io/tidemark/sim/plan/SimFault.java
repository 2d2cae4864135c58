package io.tidemark.sim.plan;

/**
 * Something that happens to a cluster at one moment of a run: a value, which says nothing of how it is done. What lasts ends by
 * itself; a process that a fault ends starts again.
 */
public sealed interface SimFault
        permits NetworkFault, ProcessFault, DiskFault, ZooKeeperFault, ClockFault, OperatorRequest {
    FaultFamily family();

    /** How long it lasts, or the process that it ends stays away, by the world's clock; 0 if it is over at once. */
    default int lastsMs() {
        return 0;
    }

    /** The same for another time; itself if it is over at once. */
    default SimFault lasting(int otherMs) {
        return this;
    }

    /** As plans write it, in one statement: {@code crash leader down 700ms}. */
    String text();
}
