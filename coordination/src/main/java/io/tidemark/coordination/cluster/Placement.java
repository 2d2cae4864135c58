package io.tidemark.coordination.cluster;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the state of the brokers makes of one partition: who leaves the ISR, and whether the leader changes (DESIGN section
 * 6). Applied twice with the same view it changes nothing the second time.
 *
 * <ul>
 *   <li>A lost broker leaves the ISR, and so does a live one whose entry is void; never the last member.
 *   <li>A broker that is shutting down leaves it too, except where it leads and nobody who is left can.
 *   <li>When all members go at once the one stays that can lead now, else the one whose entry is valid, else any; among
 *       equals the leader, else the first assigned.
 *   <li>The leader changes only when it is lost, or shuts down and another can lead.
 * </ul>
 */
final class Placement {
    private final BrokerView view;
    private final LeaderElection election;
    private final SafetyRules rules;
    private final PartitionChange changes;

    Placement(BrokerView view, SafetyRules rules) {
        this.view = view;
        this.election = new LeaderElection(view);
        this.rules = rules;
        this.changes = new PartitionChange(rules);
    }

    /**
     * @param state equal to the old one if nothing changes
     * @param election how the leader was found, if it changed
     */
    record Outcome(PartitionState state, Optional<LeaderElection.Kind> election) {}

    Outcome settle(PartitionState partition, LeaderElection.Unclean unclean) {
        Outcome outcome = place(partition, unclean);
        return rules.keeps(SafetyRule.VOID_STAYS_ON_RECORD)
                ? outcome
                : new Outcome(withoutVoid(outcome.state()), outcome.election());
    }

    private Outcome place(PartitionState partition, LeaderElection.Unclean unclean) {
        List<Member> left = without(partition, partition.isr(), member -> isOut(partition, member));
        List<Member> staying = without(partition, left, member -> view.isShuttingDown(member.brokerId()));
        if (!holds(partition, left)) {
            return elect(partition, staying, unclean);
        }
        if (names(staying, partition.leader())) {
            return unmoved(partition, staying);
        }
        Optional<Member> successor = election.preferred(partition, staying);
        if (successor.isPresent()) {
            return new Outcome(
                    changes.leader(partition, successor.get().brokerId(), staying),
                    Optional.of(LeaderElection.Kind.CLEAN));
        }
        return unmoved(
                partition,
                left.stream()
                        .filter(member ->
                                member.brokerId() == partition.leader() || !view.isShuttingDown(member.brokerId()))
                        .toList());
    }

    private Outcome elect(PartitionState partition, List<Member> isr, LeaderElection.Unclean unclean) {
        LeaderElection.Outcome elected = election.elect(partition, isr, unclean);
        if (elected.kind() == LeaderElection.Kind.NOBODY && !partition.hasLeader()) {
            return unmoved(partition, isr);
        }
        return new Outcome(changes.leader(partition, elected.leader(), elected.isr()), Optional.of(elected.kind()));
    }

    private Outcome unmoved(PartitionState partition, List<Member> isr) {
        boolean same = isr.equals(partition.isr());
        return new Outcome(same ? partition : changes.members(partition, isr), Optional.empty());
    }

    private boolean holds(PartitionState partition, List<Member> left) {
        return partition.hasLeader() && !view.isLost(partition.leader()) && names(left, partition.leader());
    }

    private boolean isOut(PartitionState partition, Member member) {
        boolean isVoid = view.isLive(member.brokerId()) && !view.isValid(member);
        if (isVoid && member.brokerId() != partition.leader() && !rules.keeps(SafetyRule.NEW_INCARNATION_LEAVES_ISR)) {
            return false;
        }
        return view.isLost(member.brokerId()) || isVoid;
    }

    /** What VOID_STAYS_ON_RECORD forbids. A void member of the in-sync set is on its way to the eligible set, or the last. */
    private PartitionState withoutVoid(PartitionState partition) {
        return new PartitionState(
                partition.topicId(),
                partition.partition(),
                partition.leader(),
                partition.leaderEpoch(),
                partition.partitionEpoch(),
                partition.replicas(),
                partition.isr(),
                partition.eligible().stream().filter(view::isValid).toList(),
                partition.effectiveMinIsr(),
                partition.controllerEpoch());
    }

    private List<Member> without(PartitionState partition, List<Member> members, Predicate<Member> out) {
        List<Member> staying = members.stream().filter(out.negate()).toList();
        return staying.isEmpty() ? List.of(last(partition, members)) : staying;
    }

    private Member last(PartitionState partition, List<Member> members) {
        return members.stream()
                .min(Comparator.comparing((Member member) -> !view.isElectable(member))
                        .thenComparing(member -> !view.isValid(member))
                        .thenComparing(member -> member.brokerId() != partition.leader())
                        .thenComparing(member -> partition.replicas().indexOf(member.brokerId())))
                .orElseThrow();
    }

    private static boolean names(List<Member> members, int brokerId) {
        return members.stream().anyMatch(member -> member.brokerId() == brokerId);
    }
}
