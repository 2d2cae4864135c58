package io.tidemark.coordination.cluster;

import io.tidemark.coordination.cluster.ClusterEvent.DamageReported;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import java.util.List;
import java.util.Optional;

/**
 * A broker has found that its copy of a partition is damaged (DESIGN section 3, CORRUPT). It is freed to cut its log and to
 * fetch what is missing again: nobody is to count on what it has.
 *
 * <pre>
 *   no such partition, other topic id, no replica      error
 *   the broker is not registered under that epoch      error
 *   leader epoch of the report below the current one   done: the broker is about to hear of the new one, and looks again
 *   leader epoch of the report above the current one   error
 *   no other member of either set can lead now         refused: the last copy stays what it is
 *   anything else                                      it leaves ISR and eligible set, leader epoch + 1
 * </pre>
 *
 * <p>The leader stays if it is another, else it is the first of the others in sync that can lead, else the first eligible one,
 * which has all that was committed: its fellows could not copy past the damage. The leader epoch rises also then,
 * and when the broker was in neither set: what the broker proved in the old one it may not have any more, and only a new
 * leader epoch makes every leader forget that and every controller refuse a proposal that is based on it. In the new epoch
 * the broker cuts before its first fetch.
 */
final class DamagedReplicas {
    private DamagedReplicas() {}

    static void onReport(ClusterDraft draft, DamageReported report) {
        PartitionState current = draft.partition(report.partition());
        if (current == null) {
            draft.refuse(report.token(), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "no partition " + report.partition());
            return;
        }
        Optional<ErrorCode> error = error(draft.view(), current, report);
        if (error.isPresent()) {
            draft.refuse(
                    report.token(),
                    error.get(),
                    "broker " + report.brokerId() + " may not report a damage of " + report.partition());
        } else if (report.leaderEpoch() < current.leaderEpoch()) {
            draft.reply(report.token(), new Answer.Done());
        } else {
            takeOut(draft, current, report);
        }
    }

    private static Optional<ErrorCode> error(BrokerView view, PartitionState current, DamageReported report) {
        if (!report.topicId().equals(current.topicId())) {
            return Optional.of(ErrorCode.INCONSISTENT_TOPIC_ID);
        }
        if (!view.isCurrent(report.brokerId(), report.brokerEpoch())) {
            return Optional.of(ErrorCode.STALE_BROKER_EPOCH);
        }
        if (!current.isReplica(report.brokerId())) {
            return Optional.of(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        }
        return report.leaderEpoch() > current.leaderEpoch()
                ? Optional.of(ErrorCode.UNKNOWN_LEADER_EPOCH)
                : Optional.empty();
    }

    private static void takeOut(ClusterDraft draft, PartitionState current, DamageReported report) {
        int damaged = report.brokerId();
        List<Member> others = without(damaged, current.isr());
        Optional<Member> inSync = leaderInSync(draft.view(), current, others);
        Optional<Member> leader = inSync.or(
                () -> new LeaderElection(draft.view()).preferred(current, without(damaged, current.eligible())));
        if (leader.isEmpty()) {
            draft.refuse(
                    report.token(),
                    ErrorCode.INELIGIBLE_REPLICA,
                    "nobody but broker " + damaged + " has " + report.partition() + " and can lead it");
            return;
        }
        List<Member> isr = inSync.isPresent() ? others : List.of(leader.get());
        draft.put(draft.changes().withoutDamaged(current, leader.get().brokerId(), isr, damaged));
        draft.notice(Notice.Kind.REPLICA_DAMAGED, noticeText(current, damaged));
        draft.reply(report.token(), new Answer.Done());
    }

    private static List<Member> without(int brokerId, List<Member> members) {
        return members.stream().filter(member -> member.brokerId() != brokerId).toList();
    }

    private static Optional<Member> leaderInSync(BrokerView view, PartitionState current, List<Member> others) {
        return others.stream()
                .filter(member -> member.brokerId() == current.leader() && view.isElectable(member))
                .findFirst()
                .or(() -> new LeaderElection(view).preferred(current, others));
    }

    static String noticeText(PartitionState partition, int damaged) {
        return partition.partition() + ": the copy of broker " + damaged + " is damaged, and is to be fetched again";
    }
}
