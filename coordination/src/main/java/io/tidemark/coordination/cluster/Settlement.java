package io.tidemark.coordination.cluster;

import io.tidemark.model.PartitionState;
import java.util.Objects;
import java.util.SortedSet;

/** Brings every partition, recovery round and deletion into line with what the brokers are good for now. */
final class Settlement {
    private final TopicRules rules;
    private final RecoveryElection recovery;

    Settlement(TopicRules rules, RecoveryElection recovery) {
        this.rules = rules;
        this.recovery = recovery;
    }

    /** @param restarted registered brokers whose process is a new one since the last event */
    void settle(ClusterDraft draft, SortedSet<Integer> restarted) {
        Placement placement = new Placement(draft.view(restarted), draft.rules());
        draft.forEachPartition(partition -> {
            Placement.Outcome outcome = placement.settle(partition, unclean(draft, partition));
            if (!outcome.state().equals(partition)) {
                PartitionState written = draft.put(outcome.state());
                outcome.election().ifPresent(kind -> report(draft, written, kind));
            }
        });
        recovery.review(draft);
        TopicDeletion.finishWherePossible(draft);
    }

    private LeaderElection.Unclean unclean(ClusterDraft draft, PartitionState partition) {
        Topic topic = Objects.requireNonNull(
                draft.topics.now().get(partition.partition().topic()));
        return rules.allowsUncleanElection(topic.configs())
                ? LeaderElection.Unclean.ALLOWED
                : LeaderElection.Unclean.FORBIDDEN;
    }

    private static void report(ClusterDraft draft, PartitionState elected, LeaderElection.Kind kind) {
        String text = elected.partition() + ": broker " + elected.leader() + " leads in epoch " + elected.leaderEpoch();
        if (kind == LeaderElection.Kind.ELIGIBLE) {
            draft.notice(Notice.Kind.ELIGIBLE_ELECTION, text);
        } else if (kind == LeaderElection.Kind.UNCLEAN) {
            draft.notice(Notice.Kind.UNCLEAN_ELECTION, text + ", acknowledged records may be lost");
        }
    }
}
