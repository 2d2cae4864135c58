package io.tidemark.coordination.cluster;

import java.util.List;

/**
 * The controller's mind: one state and one event in, one decision out (DESIGN section 2 rule 1, section 6). Stateless, so
 * any thread may call it; equal arguments give equal decisions.
 */
public final class ClusterMachine {
    public ClusterMachine(ClusterSettings settings) {}

    /** Decides what {@code event} leads to. Bad input is answered, never thrown. */
    public Decision decide(ClusterState state, ClusterEvent event) {
        return new Decision(state, List.of(), List.of(), List.of());
    }
}
