package io.tidemark.sim.client;

import io.tidemark.sim.plan.ClientPlan;

/** Hears what producers are told, at the moment in which they are told: the oracle of what may not be lost. */
@FunctionalInterface
public interface ClientObserver {
    /** Hears nothing. */
    ClientObserver NONE = (by, offset, value) -> {};

    /**
     * A broker acknowledged a record, and said where it is.
     *
     * @param by its partition, and what the acknowledgement promises
     */
    void acknowledged(ClientPlan by, long offset, long value);
}
