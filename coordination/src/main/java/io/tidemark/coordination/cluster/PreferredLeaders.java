package io.tidemark.coordination.cluster;

import io.tidemark.coordination.cluster.ClusterEvent.LeaderTransferRequested;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import java.util.Optional;

/**
 * Leaders that change because somebody wants it: an operator names one, or the schedule gives each partition back to the
 * first replica of its assignment. Only a live valid member of the ISR is taken; the ISR stays.
 */
final class PreferredLeaders {
    private PreferredLeaders() {}

    /** An operator's wish. */
    static void onTransfer(ClusterDraft draft, LeaderTransferRequested request) {
        PartitionState current = draft.partition(request.partition());
        if (current == null) {
            draft.refuse(request.token(), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "no partition " + request.partition());
        } else if (current.leader() == request.toBroker()) {
            draft.reply(request.token(), new Answer.LeaderTransferred(current.leaderEpoch()));
        } else if (mayLead(draft.view(), current, request.toBroker())) {
            PartitionState moved = draft.put(draft.changes().leader(current, request.toBroker(), current.isr()));
            draft.reply(request.token(), new Answer.LeaderTransferred(moved.leaderEpoch()));
        } else {
            draft.refuse(
                    request.token(),
                    ErrorCode.INELIGIBLE_REPLICA,
                    "broker " + request.toBroker() + " is not a live member of the in-sync set " + current.isrIds()
                            + " of " + request.partition());
        }
    }

    /** Gives every partition that has a leader to the first replica, where that may lead. */
    static void elect(ClusterDraft draft) {
        BrokerView view = draft.view();
        draft.forEachPartition(partition -> {
            int preferred = partition.replicas().get(0);
            if (partition.hasLeader() && partition.leader() != preferred && mayLead(view, partition, preferred)) {
                draft.put(draft.changes().leader(partition, preferred, partition.isr()));
            }
        });
    }

    private static boolean mayLead(BrokerView view, PartitionState partition, int brokerId) {
        Optional<Member> entry = partition.isr().stream()
                .filter(member -> member.brokerId() == brokerId)
                .findFirst();
        return entry.isPresent() && view.isElectable(entry.get());
    }
}
