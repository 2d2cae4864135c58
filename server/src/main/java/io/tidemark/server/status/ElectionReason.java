package io.tidemark.server.status;

import io.tidemark.model.PartitionState;
import java.util.Set;

/** Why a partition has another leader, as far as the states before and after tell. Pure. */
final class ElectionReason {
    private ElectionReason() {}

    /** @param live broker ids that the controller lists after the change */
    static String of(PartitionState before, PartitionState after, Set<Integer> live) {
        if (!after.hasLeader()) {
            return whyFrom(before, live) + "; no replica may lead";
        }
        if (!before.inIsr(after.leader())
                && before.eligible().stream().anyMatch(each -> each.brokerId() == after.leader())) {
            return whyFrom(before, live) + "; an eligible member outside the in-sync set leads";
        }
        if (!before.inIsr(after.leader())) {
            return whyFrom(before, live) + "; a replica outside the in-sync set leads";
        }
        if (before.leader() == after.leader()) {
            return "the same broker leads again, in a new epoch";
        }
        boolean preferred = !after.replicas().isEmpty() && after.replicas().get(0) == after.leader();
        if (preferred && before.hasLeader() && live.contains(before.leader())) {
            return "leadership went back to the preferred replica";
        }
        return whyFrom(before, live);
    }

    private static String whyFrom(PartitionState before, Set<Integer> live) {
        if (!before.hasLeader()) {
            return "there was no leader";
        }
        return live.contains(before.leader())
                ? "broker " + before.leader() + " gave it up"
                : "broker " + before.leader() + " is gone";
    }
}
