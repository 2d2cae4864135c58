package io.tidemark.sim.check;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.sim.check.CheckSettings.Unclean;
import io.tidemark.sim.check.StateStep.Kind;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Each state that is written follows from the one before by the rules of DESIGN section 6, stated here again without looking at the
 * code that decides:
 *
 * <pre>
 *   partition epoch      + 1
 *   leader epoch         the same under the same leader, greater under another or a new term (I9)
 *   controller epoch     that of the epoch's node (I10)
 *   ISR                  never empty, replicas only, the leader among them
 *   eligible             empty if |ISR| >= min ISR; else (eligible before + ISR before) - ISR, each as it stood there, but
 *                        nobody who was eligible before if min ISR was lowered (I12)
 *   who stays            keeps the entry, valid or void (I11), but for the winner of a recovery or unclean election
 *   who is added         in the same leader epoch only, with the recorded incarnation (I11)
 *   who is elected       is valid, from ISR or eligible set; by a new entry only if nobody there is valid (I14)
 * </pre>
 */
final class StateSteps implements Invariant {
    private final Unclean unclean;

    StateSteps(Unclean unclean) {
        this.unclean = unclean;
    }

    @Override
    public String name() {
        return "StateSteps";
    }

    @Override
    public void afterEvent(Look look) {
        for (StateStep step : look.steps()) {
            checkSets(step);
            PartitionState before = step.before();
            if (before != null) {
                checkEpochs(step, before);
                checkEligible(step, before);
                checkEntries(step, before);
                checkElection(step);
            }
        }
    }

    private void checkSets(StateStep step) {
        PartitionState after = step.after();
        SortedSet<Integer> inSync = new TreeSet<>(after.isrIds());
        require(!inSync.isEmpty() && inSync.size() == after.isr().size(), step, "I8", "no in-sync set");
        require(after.replicas().containsAll(inSync), step, "I8", "in sync without being a replica");
        require(!after.hasLeader() || inSync.contains(after.leader()), step, "I8", "a leader out of sync");
        require(
                after.effectiveMinIsr() >= 1
                        && after.effectiveMinIsr() <= after.replicas().size(),
                step,
                "I13",
                "a min ISR that no set of replicas can meet");
    }

    private void checkEpochs(StateStep step, PartitionState before) {
        PartitionState after = step.after();
        require(
                after.partitionEpoch() == before.partitionEpoch() + 1,
                step,
                "I8",
                "the partition epoch is not the next");
        require(
                after.leaderEpoch() > before.leaderEpoch()
                        || (after.leaderEpoch() == before.leaderEpoch() && after.leader() == before.leader()),
                step,
                "I9",
                "a leader epoch is given twice");
        require(after.topicId().equals(before.topicId()), step, "I9", "another topic");
        require(
                after.controllerEpoch() == step.controllerEpoch()
                        && after.controllerEpoch() >= before.controllerEpoch(),
                step,
                "I10",
                "written by a controller of epoch " + after.controllerEpoch() + " while the epoch is "
                        + step.controllerEpoch());
    }

    private void checkEligible(StateStep step, PartitionState before) {
        SortedMap<Integer, Member> expected = expectedEligible(before, step.after());
        SortedMap<Integer, Member> found = byId(step.after().eligible());
        require(
                expected.equals(found)
                        && found.size() == step.after().eligible().size(),
                step,
                "I12",
                "the eligible set should be " + expected.values());
    }

    private static SortedMap<Integer, Member> expectedEligible(PartitionState before, PartitionState after) {
        SortedMap<Integer, Member> expected = new TreeMap<>();
        if (after.isr().size() >= after.effectiveMinIsr()) {
            return expected;
        }
        if (after.effectiveMinIsr() >= before.effectiveMinIsr()) {
            expected.putAll(byId(before.eligible()));
        }
        expected.putAll(byId(before.isr()));
        after.isr().forEach(member -> expected.remove(member.brokerId()));
        return expected;
    }

    private void checkEntries(StateStep step, PartitionState before) {
        for (Member member : step.after().isr()) {
            Member stood = StateStep.member(before.isr(), member.brokerId());
            if (step.kind() == Kind.SAME_EPOCH && stood == null) {
                RecordedLife life = step.lives().get(member.brokerId());
                require(
                        life != null && life.incarnation() == member.incarnation(),
                        step,
                        "I11",
                        "broker " + member + " is added, of whom is recorded " + life);
            } else if (!isElected(step, member)) {
                require(member.equals(stood), step, "I11", "broker " + member + " stood there as " + stood);
            }
        }
    }

    /** Whether the entry is that of somebody who leads because of no entry in the ISR. */
    private static boolean isElected(StateStep step, Member member) {
        boolean alone = step.after().isr().size() == 1
                && member.brokerId() == step.after().leader();
        Kind kind = step.kind();
        return alone && (kind == Kind.ELIGIBLE || kind == Kind.RECOVERY || kind == Kind.UNCLEAN);
    }

    private void checkElection(StateStep step) {
        Kind kind = step.kind();
        boolean elected = kind == Kind.CLEAN || kind == Kind.ELIGIBLE || kind == Kind.RECOVERY || kind == Kind.UNCLEAN;
        if (elected) {
            Member leader = StateStep.member(step.after().isr(), step.after().leader());
            require(leader != null && step.isValid(leader), step, "I11", "a void entry is elected");
            require(
                    kind != Kind.UNCLEAN || unclean == Unclean.ALLOWED,
                    step,
                    "I14",
                    "a new entry is elected while a valid one is on record");
        }
    }

    private static SortedMap<Integer, Member> byId(List<Member> members) {
        SortedMap<Integer, Member> byId = new TreeMap<>();
        for (Member member : members) {
            byId.put(member.brokerId(), member);
        }
        return byId;
    }

    private void require(boolean holds, StateStep step, String rule, String what) {
        if (!holds) {
            throw new Violation(name(), rule + ": " + what + ": " + step.after() + " after " + step.before());
        }
    }
}
