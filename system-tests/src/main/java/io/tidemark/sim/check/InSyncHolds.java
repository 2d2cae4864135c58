package io.tidemark.sim.check;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Every valid member of the ISR that ZooKeeper records, and every valid eligible member, holds all that was ever committed (I6, I7,
 * I8, I11, I12): each of them may be elected at any moment.
 *
 * <p>An entry that no longer says anything about the disk is not looked at: one of another incarnation, or whose record is about a
 * process that ran before the machine's last disaster.
 */
final class InSyncHolds implements Invariant {
    private final SortedMap<TopicPartition, SortedMap<Integer, HeldBatches>> held = new TreeMap<>();

    @Override
    public String name() {
        return "InSyncHolds";
    }

    @Override
    public void afterEvent(Look look) {
        for (TopicPartition partition : look.partitions()) {
            PartitionState state = look.recorded(partition);
            if (state != null && !look.hadUnclean(partition)) {
                check(look, state, state.isr(), "in sync");
                check(look, state, state.eligible(), "eligible");
            }
        }
    }

    private void check(Look look, PartitionState state, List<Member> members, String role) {
        for (Member member : members) {
            if (isValid(look, member)) {
                check(look, state, member, role);
            }
        }
    }

    private void check(Look look, PartitionState state, Member member, String role) {
        TopicPartition partition = state.partition();
        Accountable committed = look.accountable(partition);
        ReplicaMirror mirror = look.mirrors().of(partition, member.brokerId());
        if (mirror == null) {
            if (committed.size() > committed.excusedBatches()) {
                throw new Violation(name(), "I6: broker " + member + " is " + role + " without a log of " + partition);
            }
            return;
        }
        Optional<BatchMark> missing = held.computeIfAbsent(partition, unseen -> new TreeMap<>())
                .computeIfAbsent(member.brokerId(), unseen -> new HeldBatches())
                .firstMissing(mirror, committed);
        if (missing.isPresent()) {
            throw new Violation(
                    name(),
                    "I6: broker " + member + " is " + role + " in " + state + " without the committed "
                            + missing.get().text() + " of epoch "
                            + missing.get().epoch() + ", its log ends at "
                            + mirror.end());
        }
    }

    private static boolean isValid(Look look, Member member) {
        RecordedLife life = look.life(member.brokerId());
        return life != null
                && life.incarnation() == member.incarnation()
                && !look.struckSinceStartOf(member.brokerId(), life.processNonce());
    }
}
