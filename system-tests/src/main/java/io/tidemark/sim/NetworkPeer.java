package io.tidemark.sim;

import org.jspecify.annotations.Nullable;

/** A host as the network sees it. */
public interface NetworkPeer {
    /** Its name on links. */
    int id();

    /** The process that listens there now; null if none does. */
    @Nullable
    ProcessThreads threads();

    /** Whether its machine has power: then it refuses connections when nobody listens, and else it is silent. */
    default boolean isUp() {
        return true;
    }
}
