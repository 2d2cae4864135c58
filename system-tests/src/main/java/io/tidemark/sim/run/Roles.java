package io.tidemark.sim.run;

import io.tidemark.sim.ClusterLevers;
import io.tidemark.sim.SimCluster;
import io.tidemark.sim.plan.Target;
import java.util.List;
import java.util.OptionalInt;

/** Finds out who is meant at the moment when a fault strikes. */
public final class Roles {
    private final SimCluster cluster;
    private final ClusterLevers levers;

    public Roles(SimCluster cluster, ClusterLevers levers) {
        this.cluster = cluster;
        this.levers = levers;
    }

    /** The host that is meant; empty if nobody has the role. */
    public OptionalInt resolve(Target target) {
        if (target instanceof Target.Host host) {
            return OptionalInt.of(host.id());
        }
        return switch ((Target.Role) target) {
            case LEADER -> leader();
            case CONTROLLER -> levers.controller();
            case FOLLOWER -> follower();
        };
    }

    /** The broker that is meant; empty if nobody has the role, or no broker has the number. */
    OptionalInt broker(Target target) {
        OptionalInt id = resolve(target);
        return id.isPresent() && cluster.brokerIds().contains(id.getAsInt()) ? id : OptionalInt.empty();
    }

    private OptionalInt leader() {
        return cluster.leader().map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }

    private OptionalInt follower() {
        OptionalInt leader = leader();
        if (leader.isEmpty()) {
            return leader;
        }
        List<Integer> ids = cluster.brokerIds();
        int place = ids.indexOf(leader.getAsInt());
        for (int i = 1; i < ids.size(); i++) {
            int id = ids.get((place + i) % ids.size());
            if (cluster.isRunning(id)) {
                return OptionalInt.of(id);
            }
        }
        return OptionalInt.empty();
    }
}
