package io.tidemark.sim.plan;

import io.tidemark.model.SafetyRules;
import java.util.List;

/**
 * All that a run is made of, but the choices that its parts draw: those follow from the seed and the part's name. Two runs of equal
 * plans are the same run. A plan outlives changes of the draws, which a seed alone does not; so what has to be kept is kept as a plan.
 *
 * @param seed of the world
 * @param rules that brokers keep
 * @param faults in any order; what strikes at one time strikes in the order of the list
 * @param clients that write from the beginning to the end
 * @param lengthMs from the topic's first leader until everything is healed
 */
public record SimPlan(
        long seed,
        ClusterShape shape,
        SafetyRules rules,
        List<TimedFault> faults,
        List<ClientPlan> clients,
        long lengthMs) {
    public SimPlan {
        faults = List.copyOf(faults);
        clients = List.copyOf(clients);
        if (lengthMs < 0) {
            throw new IllegalArgumentException("a run of " + lengthMs + " ms");
        }
    }

    /** The same with other faults. */
    public SimPlan withFaults(List<TimedFault> other) {
        return new SimPlan(seed, shape, rules, other, clients, lengthMs);
    }

    /** The same with other clients. */
    public SimPlan withClients(List<ClientPlan> other) {
        return new SimPlan(seed, shape, rules, faults, other, lengthMs);
    }

    /** The same, longer or shorter. */
    public SimPlan withLengthMs(long otherMs) {
        return new SimPlan(seed, shape, rules, faults, clients, otherMs);
    }
}
