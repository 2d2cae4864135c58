package io.tidemark.coordination.cluster;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The election of last resort that loses as little as can be (DESIGN section 6, I12): when no valid member is left but
 * every broker of ISR + eligible is here, each is asked under its current broker epoch how far its log goes, and the
 * greatest (last epoch, end offset) wins. ISR = {winner} with its current incarnation; the losers become eligible with
 * their recorded, void entries until the ISR reaches min ISR. One replica is the case of one member.
 *
 * <p>A round dies with the registration of any broker that was asked; a broker that does not answer is asked again later.
 */
final class RecoveryElection {
    private final ClusterSettings settings;

    RecoveryElection(ClusterSettings settings) {
        this.settings = settings;
    }

    /** Forgets rounds that have lost their ground, and asks wherever a round is possible and none is under way. */
    void review(ClusterDraft draft) {
        BrokerView view = draft.view();
        SortedMap<Integer, SortedMap<TopicPartition, TopicId>> questions = new TreeMap<>();
        SortedMap<TopicPartition, SortedMap<Integer, Long>> wanted = wanted(draft, view);
        if (!draft.recoveries.now().isEmpty()) {
            draft.recoveries
                    .change()
                    .entrySet()
                    .removeIf(entry -> !entry.getValue().asked().equals(wanted.get(entry.getKey())));
        }
        wanted.keySet().removeAll(draft.recoveries.now().keySet());
        if (wanted.isEmpty()) {
            return;
        }
        long round = draft.takeRound();
        wanted.forEach((partition, asked) -> {
            draft.recoveries.change().put(partition, new RecoveryRound(round, asked, new TreeMap<>()));
            TopicId topicId = Objects.requireNonNull(draft.partition(partition)).topicId();
            asked.keySet()
                    .forEach(id -> questions
                            .computeIfAbsent(id, same -> new TreeMap<>())
                            .put(partition, topicId));
        });
        questions.forEach((id, logs) -> draft.command(new Command.DescribeLogEnds(
                round, Objects.requireNonNull(view.brokers().registrations().get(id)), logs)));
    }

    /** An answer, or none. */
    void onAnswer(ClusterDraft draft, ClusterEvent.LogEndsAnswered answer) {
        BrokerView view = draft.view();
        SortedSet<TopicPartition> open = new TreeSet<>();
        draft.recoveries.now().forEach((partition, round) -> {
            Long epoch = round.asked().get(answer.brokerId());
            if (round.round() == answer.round() && epoch != null && epoch == answer.brokerEpoch()) {
                open.add(partition);
            }
        });
        SortedMap<TopicPartition, LogEnd> ends = answer.ends() == null ? new TreeMap<>() : answer.ends();
        SortedSet<TopicPartition> unanswered = new TreeSet<>(open);
        unanswered.removeAll(ends.keySet());
        if (!unanswered.isEmpty()) {
            draft.recoveries.change().keySet().removeAll(unanswered);
            draft.command(new Command.StartTimer(
                    Command.TimerKey.recoveryRetry(), settings.recoveryRetry(), new ClusterEvent.RecoveryRetryDue()));
        }
        open.removeAll(unanswered);
        for (TopicPartition partition : open) {
            LogEnd end = Objects.requireNonNull(ends.get(partition));
            RecoveryRound round = Objects.requireNonNull(draft.recoveries.now().get(partition))
                    .withAnswer(answer.brokerId(), end);
            draft.recoveries.change().put(partition, round);
            if (round.isComplete()) {
                elect(draft, view, Objects.requireNonNull(draft.partition(partition)), round);
            }
        }
    }

    private static void elect(ClusterDraft draft, BrokerView view, PartitionState partition, RecoveryRound round) {
        draft.recoveries.change().remove(partition.partition());
        int winner = winner(partition, round);
        draft.put(draft.changes().leader(partition, winner, List.of(view.entry(winner))));
        draft.notice(
                Notice.Kind.RECOVERY_ELECTION,
                partition.partition() + ": broker " + winner + " leads with the longest log of " + round.answers());
    }

    private static int winner(PartitionState partition, RecoveryRound round) {
        int winner = PartitionState.NO_LEADER;
        @Nullable LogEnd longest = null;
        for (int replica : partition.replicas()) {
            LogEnd end = round.answers().get(replica);
            if (end != null && (longest == null || end.compareTo(longest) > 0)) {
                winner = replica;
                longest = end;
            }
        }
        return winner;
    }

    /** Partitions that wait for a round, with the brokers to ask and their broker epochs. */
    private static SortedMap<TopicPartition, SortedMap<Integer, Long>> wanted(ClusterDraft draft, BrokerView view) {
        SortedMap<TopicPartition, SortedMap<Integer, Long>> wanted = new TreeMap<>();
        draft.forEachPartition(partition -> {
            if (!partition.hasLeader()) {
                SortedMap<Integer, Long> asked = asked(partition, view);
                if (!asked.isEmpty()) {
                    wanted.put(partition.partition(), asked);
                }
            }
        });
        return wanted;
    }

    private static SortedMap<Integer, Long> asked(PartitionState partition, BrokerView view) {
        SortedMap<Integer, Long> asked = new TreeMap<>();
        List<Member> members = new ArrayList<>(partition.isr());
        members.addAll(partition.eligible());
        for (Member member : members) {
            if (!view.isLive(member.brokerId())) {
                return new TreeMap<>();
            }
            asked.put(
                    member.brokerId(),
                    Objects.requireNonNull(view.brokers().registrations().get(member.brokerId()))
                            .brokerEpoch());
        }
        return asked;
    }
}
