package io.tidemark.sim.script;

import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.Partition;
import io.tidemark.sim.ClusterLevers;
import io.tidemark.sim.MessageKind;
import io.tidemark.sim.SimCluster;
import io.tidemark.sim.check.BatchMark;
import io.tidemark.sim.check.RecordMark;
import io.tidemark.sim.check.ReplicaMirror;
import io.tidemark.sim.plan.Link;
import io.tidemark.sim.plan.Target;
import io.tidemark.sim.run.Roles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Looks whether what a scenario waits for is there. */
final class Conditions {
    private static final int NOBODY = -1;

    private final SimCluster cluster;
    private final ClusterLevers levers;
    private final Roles roles;
    private final Gates gates;

    Conditions(SimCluster cluster, ClusterLevers levers, Gates gates) {
        this.cluster = cluster;
        this.levers = levers;
        this.roles = new Roles(cluster, levers);
        this.gates = gates;
    }

    /** The host that is meant; throws {@link Failure} if nobody has the role. */
    int host(Target target) {
        return roles.resolve(target).orElseThrow(() -> new Failure("nobody is " + target.text()));
    }

    Gates.Place place(MessageKind kind, Link link) {
        return new Gates.Place(kind, host(link.from()), host(link.to()));
    }

    boolean holds(Condition condition) {
        if (condition instanceof Condition.Not not) {
            return !holds(not.other());
        }
        if (condition instanceof Condition.LogIs log) {
            return values(host(log.broker())).equals(log.values());
        }
        if (condition instanceof Condition.HasMembers has) {
            return members(has.set()).equals(ids(has.brokers()));
        }
        if (condition instanceof Condition.Acknowledged acked) {
            return cluster.acked().all().containsValue(acked.value());
        }
        if (condition instanceof Condition.Waiting waiting) {
            return gates.waiting(place(waiting.kind(), waiting.link())) >= waiting.count();
        }
        return holdsOfCluster(condition);
    }

    private boolean holdsOfCluster(Condition condition) {
        if (condition instanceof Condition.Leads leads) {
            int broker = host(leads.broker());
            return cluster.leader().filter(id -> id == broker).isPresent();
        }
        if (condition instanceof Condition.Controls controls) {
            return levers.controller().orElse(NOBODY) == host(controls.broker());
        }
        if (condition instanceof Condition.Registered registered) {
            return ids(registered.brokers()).stream().allMatch(this::isRegistered);
        }
        if (condition instanceof Condition.HighWatermarkIs mark) {
            return cluster.partitionOf(host(mark.broker()))
                    .filter(replica -> replica.view().highWatermark() == mark.offset())
                    .isPresent();
        }
        return isCaughtUp();
    }

    /** What is there instead, for a person. */
    String found(Condition condition) {
        if (condition instanceof Condition.LogIs log) {
            return "it is " + values(host(log.broker()));
        }
        if (condition instanceof Condition.HasMembers) {
            return "the state is " + state().map(PartitionState::toString).orElse("not there");
        }
        if (condition instanceof Condition.Leads) {
            return cluster.leader().map(id -> id + " leads").orElse("nobody leads");
        }
        if (condition instanceof Condition.Waiting waiting) {
            return gates.waiting(place(waiting.kind(), waiting.link())) + " wait";
        }
        if (condition instanceof Condition.Acknowledged) {
            return "acknowledged are " + cluster.acked().all();
        }
        return "it does not hold";
    }

    private boolean isRegistered(int broker) {
        return cluster.zooKeeper().tree().get(ZkPaths.broker(broker)).value() != null;
    }

    private Optional<PartitionState> state() {
        return Optional.ofNullable(cluster.checks().recorded(SimCluster.PARTITION));
    }

    private SortedSet<Integer> members(Condition.MemberSet set) {
        SortedSet<Integer> ids = new TreeSet<>();
        state().ifPresent(state -> {
            List<Member> members = set == Condition.MemberSet.ISR ? state.isr() : state.eligible();
            members.forEach(member -> ids.add(member.brokerId()));
        });
        return ids;
    }

    private SortedSet<Integer> ids(List<Target> brokers) {
        SortedSet<Integer> ids = new TreeSet<>();
        brokers.forEach(broker -> ids.add(host(broker)));
        return ids;
    }

    private List<String> values(int broker) {
        List<String> values = new ArrayList<>();
        ReplicaMirror mirror = cluster.checks().mirrors().of(SimCluster.PARTITION, broker);
        if (mirror != null) {
            for (BatchMark batch : mirror.batches()) {
                for (RecordMark record : batch.records()) {
                    values.add(String.valueOf(record.value()));
                }
            }
        }
        return values;
    }

    private boolean isCaughtUp() {
        Optional<PartitionState> state = state();
        Optional<Integer> leader = cluster.leader();
        if (state.isEmpty() || leader.isEmpty()) {
            return false;
        }
        long end = cluster.partitionOf(leader.get()).orElseThrow().log().end().offset();
        return state.get().replicas().stream()
                .allMatch(id -> cluster.partitionOf(id)
                        .filter(replica -> isAt(replica, end))
                        .isPresent());
    }

    private static boolean isAt(Partition replica, long end) {
        return replica.log().end().offset() == end && replica.view().highWatermark() == end;
    }

    /** A statement that cannot be carried out, or waited in vain. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failure(String message) {
            super(message, null, false, false);
        }
    }
}
