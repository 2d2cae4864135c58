package io.tidemark.coordination.cluster;

import io.tidemark.core.runtime.Invariant;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The ways in which a partition's state changes. Leader, ISR, eligible set and min ISR change together; the partition
 * epoch rises by one with the write, whatever a decision changed on the way to it.
 *
 * <pre>
 *   leader changes, also to none, or its process does   leader epoch + 1 (I9, I10)
 *   a damaged copy is given up                          leader epoch + 1
 *   members change                                      leader epoch stays
 *   min ISR changes                                     leader epoch stays
 * </pre>
 */
final class PartitionChange {
    private final SafetyRules rules;

    PartitionChange(SafetyRules rules) {
        this.rules = rules;
    }

    /** Another ISR under the same leader. */
    PartitionState members(PartitionState old, List<Member> isr) {
        return changed(old, old.leader(), old.leaderEpoch(), isr, EligibleSet.after(old, isr));
    }

    /** A leader for a new leader epoch, be it the same broker as before. */
    PartitionState leader(PartitionState old, int leader, List<Member> isr) {
        List<Member> eligible = rules.keeps(SafetyRule.ELIGIBLE_ON_EVERY_CHANGE)
                ? EligibleSet.after(old, isr)
                : EligibleSet.outside(old.eligible(), isr);
        return changed(old, leader, old.leaderEpoch() + 1, isr, eligible);
    }

    /** A new leader epoch in which nobody counts on what {@code damaged} has. */
    PartitionState withoutDamaged(PartitionState old, int leader, List<Member> isr, int damaged) {
        return changed(old, leader, old.leaderEpoch() + 1, isr, EligibleSet.afterDamage(old, isr, damaged));
    }

    /** Another effective min ISR. */
    PartitionState minIsr(PartitionState old, int minIsr) {
        List<Member> eligible =
                rules.keeps(SafetyRule.LOWERED_MIN_ISR_CLEARS) ? EligibleSet.afterMinIsr(old, minIsr) : old.eligible();
        return new PartitionState(
                old.topicId(),
                old.partition(),
                old.leader(),
                old.leaderEpoch(),
                old.partitionEpoch(),
                old.replicas(),
                old.isr(),
                eligible,
                minIsr,
                old.controllerEpoch());
    }

    /** {@code next} as it is written over {@code old} by the controller of {@code controllerEpoch}; checked. */
    PartitionState stamped(PartitionState old, PartitionState next, int controllerEpoch) {
        PartitionState stamped = new PartitionState(
                next.topicId(),
                next.partition(),
                next.leader(),
                next.leaderEpoch(),
                old.partitionEpoch() + 1,
                next.replicas(),
                next.isr(),
                next.eligible(),
                next.effectiveMinIsr(),
                controllerEpoch);
        check(old, stamped);
        return stamped;
    }

    private static PartitionState changed(
            PartitionState old, int leader, int leaderEpoch, List<Member> isr, List<Member> eligible) {
        return new PartitionState(
                old.topicId(),
                old.partition(),
                leader,
                leaderEpoch,
                old.partitionEpoch(),
                old.replicas(),
                isr,
                eligible,
                old.effectiveMinIsr(),
                old.controllerEpoch());
    }

    private void check(PartitionState old, PartitionState next) {
        SortedSet<Integer> inSync = new TreeSet<>(next.isrIds());
        Invariant.check(!inSync.isEmpty(), () -> "an empty in-sync set: " + next);
        Invariant.check(inSync.size() == next.isr().size(), () -> "a broker twice in the in-sync set: " + next);
        Invariant.check(next.replicas().containsAll(inSync), () -> "in sync without being a replica: " + next);
        Invariant.check(!next.hasLeader() || inSync.contains(next.leader()), () -> "a leader out of sync: " + next);
        Invariant.check(
                next.leaderEpoch() > old.leaderEpoch()
                        || (next.leaderEpoch() == old.leaderEpoch() && next.leader() == old.leader()),
                () -> "a leader epoch given twice: " + old + " then " + next);
        Invariant.check(
                next.eligible().stream().noneMatch(member -> inSync.contains(member.brokerId())),
                () -> "eligible and in sync: " + next);
        Invariant.check(
                next.isr().size() < next.effectiveMinIsr()
                        || next.eligible().isEmpty()
                        || !rules.keeps(SafetyRule.LOWERED_MIN_ISR_CLEARS),
                () -> "eligible members beside a full in-sync set: " + next);
    }
}
