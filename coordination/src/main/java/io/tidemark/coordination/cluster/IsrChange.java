package io.tidemark.coordination.cluster;

import io.tidemark.coordination.cluster.ClusterEvent.IsrProposed;
import io.tidemark.coordination.cluster.IsrProposal.ProposedMember;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A leader's wish for another in-sync set (DESIGN sections 5 and 6, I8, I11). The leader is released only by a state whose
 * partition epoch is greater than the proposal's; an error is no answer, and it proposes again.
 *
 * <pre>
 *   no such partition, other topic id                 error
 *   the proposer is not registered under that epoch   error
 *   it does not lead in that leader epoch             error; a push tells it the rest
 *   partition epoch below the current one             the current state: decided already, or overtaken
 *   partition epoch above the current one             error
 *   members in order                                  the new state: recorded entries of those who stay, void or not,
 *                                                     and a current entry for each who is added
 *   anything else                                     refused: the unchanged state with partition epoch + 1
 * </pre>
 */
final class IsrChange {
    private IsrChange() {}

    static void onProposal(ClusterDraft draft, IsrProposed event) {
        IsrProposal proposal = event.proposal();
        PartitionState current = draft.partition(proposal.partition());
        if (current == null) {
            draft.refuse(event.token(), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "no partition " + proposal.partition());
            return;
        }
        Optional<ErrorCode> error = error(draft.view(), current, event);
        if (error.isPresent()) {
            draft.refuse(
                    event.token(),
                    error.get(),
                    "broker " + event.proposerId() + " may not propose for " + proposal.partition());
            return;
        }
        if (proposal.partitionEpoch() < current.partitionEpoch()) {
            draft.reply(event.token(), new Answer.IsrState(current));
            return;
        }
        PartitionState next = decide(draft, current, proposal.members());
        boolean written = !next.equals(current) || draft.rules().keeps(SafetyRule.REFUSAL_RAISES_EPOCH);
        draft.reply(event.token(), new Answer.IsrState(written ? draft.put(next) : current));
    }

    private static Optional<ErrorCode> error(BrokerView view, PartitionState current, IsrProposed event) {
        IsrProposal proposal = event.proposal();
        if (!proposal.topicId().equals(current.topicId())) {
            return Optional.of(ErrorCode.INCONSISTENT_TOPIC_ID);
        }
        if (!view.isCurrent(event.proposerId(), event.proposerEpoch())) {
            return Optional.of(ErrorCode.STALE_BROKER_EPOCH);
        }
        if (proposal.leaderEpoch() < current.leaderEpoch()) {
            return Optional.of(ErrorCode.FENCED_LEADER_EPOCH);
        }
        if (proposal.leaderEpoch() > current.leaderEpoch()) {
            return Optional.of(ErrorCode.UNKNOWN_LEADER_EPOCH);
        }
        if (event.proposerId() != current.leader()) {
            return Optional.of(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        }
        if (proposal.partitionEpoch() > current.partitionEpoch()) {
            return Optional.of(ErrorCode.INVALID_UPDATE_VERSION);
        }
        return Optional.empty();
    }

    private static PartitionState decide(ClusterDraft draft, PartitionState current, List<ProposedMember> wanted) {
        Optional<String> objection = objection(draft, current, wanted);
        if (objection.isPresent()) {
            draft.notice(Notice.Kind.PROPOSAL_REFUSED, current.partition() + ": " + objection.get());
            return current;
        }
        return draft.changes().members(current, entries(draft, current, wanted));
    }

    /** What speaks against the members, or nothing. */
    private static Optional<String> objection(ClusterDraft draft, PartitionState current, List<ProposedMember> wanted) {
        BrokerView view = draft.view();
        boolean anyEpoch = !draft.rules().keeps(SafetyRule.PROPOSED_EPOCH_IS_LIVE);
        SortedSet<Integer> ids = new TreeSet<>();
        for (ProposedMember member : wanted) {
            int brokerId = member.brokerId();
            if (!ids.add(brokerId)) {
                return Optional.of("broker " + brokerId + " is named twice");
            }
            if (!current.isReplica(brokerId)) {
                return Optional.of("broker " + brokerId + " is no replica");
            }
            boolean added = !current.inIsr(brokerId);
            boolean isSeen = anyEpoch || view.isCurrent(brokerId, member.brokerEpoch());
            if (added && !(view.isLive(brokerId) && isSeen)) {
                return Optional.of("broker " + brokerId + " is not live under epoch " + member.brokerEpoch());
            }
        }
        return ids.contains(current.leader()) ? Optional.empty() : Optional.of("the leader is not named");
    }

    private static List<Member> entries(ClusterDraft draft, PartitionState current, List<ProposedMember> wanted) {
        BrokerView view = draft.view();
        boolean copies = draft.rules().keeps(SafetyRule.STAYING_ENTRY_COPIED);
        SortedMap<Integer, Member> recorded = new TreeMap<>();
        current.isr().forEach(member -> recorded.put(member.brokerId(), member));
        List<Member> entries = new ArrayList<>();
        for (ProposedMember member : wanted) {
            Member stays = recorded.get(member.brokerId());
            entries.add(stays != null && copies ? stays : view.entry(member.brokerId()));
        }
        return entries;
    }
}
