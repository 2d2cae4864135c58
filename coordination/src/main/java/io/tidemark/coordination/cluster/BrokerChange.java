package io.tidemark.coordination.cluster;

import io.tidemark.coordination.cluster.ClusterState.Phase;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Brokers that come, go, vanish and return (DESIGN section 6).
 *
 * <pre>
 *   registered    node vanishes                      in question, asked    (lost, if it was shutting down or its disk failed)
 *   registered    other broker epoch, same process   registered            moves nothing
 *   registered    other broker epoch, new process    registered            the old process's places are lost
 *   asked         the same process answers           in question, grace
 *   asked         refused, silent, somebody else     lost
 *   grace         one session timeout                lost
 *   asked, grace  registers                          registered            as above
 *   registered    its disk failed, its process died  lost, until it registers again
 *   asked, grace  its disk failed, its process died  lost
 * </pre>
 *
 * A new controller first asks every broker that an assignment names and that has no node; until all have answered or been
 * silent it elects and writes nothing.
 */
final class BrokerChange {
    private final ClusterSettings settings;
    private final TopicRules rules;
    private final Settlement settlement;

    BrokerChange(ClusterSettings settings, TopicRules rules, Settlement settlement) {
        this.settings = settings;
        this.rules = rules;
        this.settlement = settlement;
    }

    /** The broker nodes as they are now. */
    void onBrokersChanged(ClusterDraft draft, SortedMap<Integer, BrokerRegistration> registrations) {
        for (BrokerRegistration before : draft.registrations.now().values()) {
            if (!registrations.containsKey(before.id())) {
                onVanished(draft, before);
            }
        }
        registrations.keySet().forEach(brokerId -> dropQuestion(draft, brokerId));
        draft.registrations.change().clear();
        draft.registrations.change().putAll(registrations);
        dropDepartures(draft);
        if (draft.phase() == Phase.LOADED) {
            askAssigned(draft);
            draft.enter(Phase.ASKING);
        }
        goOn(draft);
    }

    /** Somebody answered at a vanished broker's address, or nobody. */
    void onIdentified(ClusterDraft draft, ClusterEvent.IdentifyAnswered answer) {
        Question question = draft.questions.now().get(answer.brokerId());
        if (question == null || !isAbout(question, answer.brokerEpoch(), Question.Phase.ASKED)) {
            return;
        }
        BrokerRegistration asked = question.registration();
        if (answer.processNonce().isPresent() && answer.processNonce().getAsLong() == asked.processNonce()) {
            draft.questions.change().put(asked.id(), new Question(asked, Question.Phase.GRACE));
            draft.command(new Command.StartTimer(
                    Command.TimerKey.grace(asked.id()),
                    settings.sessionTimeout(),
                    new ClusterEvent.GraceElapsed(asked.id(), asked.brokerEpoch())));
        } else {
            lose(draft, asked.id(), "its process does not answer");
        }
        goOn(draft);
    }

    /** A living broker did not register again in time. */
    void onGraceElapsed(ClusterDraft draft, ClusterEvent.GraceElapsed elapsed) {
        if (isAbout(draft.questions.now().get(elapsed.brokerId()), elapsed.brokerEpoch(), Question.Phase.GRACE)) {
            lose(draft, elapsed.brokerId(), "it has been without a session for too long");
            goOn(draft);
        }
    }

    /** A broker halts because its disk failed. */
    void onStorageFailed(ClusterDraft draft, ClusterEvent.BrokerStorageFailed failed) {
        depart(
                draft,
                failed.brokerId(),
                new Departure(failed.brokerEpoch(), Departure.Reason.STORAGE_FAILED),
                "its disk failed");
    }

    /** A broker's process has ended; there is nobody to ask. */
    void onDied(ClusterDraft draft, ClusterEvent.BrokerDied died) {
        depart(
                draft,
                died.brokerId(),
                new Departure(died.brokerEpoch(), Departure.Reason.DIED),
                "its process has ended");
    }

    /** Whether its node stands or has vanished by now, the broker is lost. A later registration is none of this. */
    private void depart(ClusterDraft draft, int brokerId, Departure departure, String why) {
        Question question = draft.questions.now().get(brokerId);
        if (question != null && question.registration().brokerEpoch() == departure.brokerEpoch()) {
            lose(draft, brokerId, why);
        } else if (draft.view().isCurrent(brokerId, departure.brokerEpoch())) {
            draft.departures.change().put(brokerId, departure);
            draft.notice(Notice.Kind.BROKER_LOST, "broker " + brokerId + " is lost: " + why);
        } else {
            return;
        }
        goOn(draft);
    }

    /** Moves what can be moved off a broker that is about to stop, and answers with what it still leads. */
    void onShutdown(ClusterDraft draft, ClusterEvent.ControlledShutdownRequested request) {
        int brokerId = request.brokerId();
        if (!draft.view().isCurrent(brokerId, request.brokerEpoch())) {
            draft.refuse(
                    request.token(),
                    ErrorCode.STALE_BROKER_EPOCH,
                    "broker " + brokerId + " is not registered under epoch " + request.brokerEpoch());
            return;
        }
        draft.departures
                .change()
                .putIfAbsent(brokerId, new Departure(request.brokerEpoch(), Departure.Reason.SHUTTING_DOWN));
        settlement.settle(draft, new TreeSet<>());
        List<TopicPartition> remaining = new ArrayList<>();
        draft.forEachPartition(partition -> {
            if (partition.leader() == brokerId) {
                remaining.add(partition.partition());
            }
        });
        draft.reply(request.token(), new Answer.ShutdownProgress(remaining));
    }

    private void onVanished(ClusterDraft draft, BrokerRegistration before) {
        Departure departure = draft.departures.now().get(before.id());
        if (departure != null && departure.brokerEpoch() == before.brokerEpoch()) {
            draft.command(new Command.Disconnect(before.id()));
            return;
        }
        askRecorded(draft, before.id());
    }

    /**
     * The places on record belong to the process on record: a later one whose registration came and went before a new
     * controller took account of it has none to keep. A broker without a record has none either.
     */
    private static void askRecorded(ClusterDraft draft, int brokerId) {
        Incarnation recorded = draft.incarnations.now().get(brokerId);
        if (recorded != null) {
            ask(draft, recorded.registration());
        }
    }

    private static void ask(ClusterDraft draft, BrokerRegistration vanished) {
        draft.questions.change().put(vanished.id(), new Question(vanished, Question.Phase.ASKED));
        draft.command(new Command.Identify(vanished));
        draft.notice(
                Notice.Kind.BROKER_QUESTIONED, "broker " + vanished.id() + " has no node: asking " + vanished.peer());
    }

    private static void askAssigned(ClusterDraft draft) {
        SortedSet<Integer> absent = new TreeSet<>();
        draft.forEachPartition(partition -> absent.addAll(partition.replicas()));
        absent.removeAll(draft.registrations.now().keySet());
        absent.forEach(brokerId -> askRecorded(draft, brokerId));
    }

    private static void dropQuestion(ClusterDraft draft, int brokerId) {
        if (draft.questions.now().containsKey(brokerId)) {
            draft.questions.change().remove(brokerId);
            draft.command(new Command.CancelTimer(Command.TimerKey.grace(brokerId)));
        }
    }

    private static void dropDepartures(ClusterDraft draft) {
        BrokerView view = draft.view();
        if (!draft.departures.now().isEmpty()) {
            draft.departures
                    .change()
                    .entrySet()
                    .removeIf(entry ->
                            !view.isCurrent(entry.getKey(), entry.getValue().brokerEpoch()));
        }
    }

    private static void lose(ClusterDraft draft, int brokerId, String why) {
        dropQuestion(draft, brokerId);
        draft.command(new Command.Disconnect(brokerId));
        draft.notice(Notice.Kind.BROKER_LOST, "broker " + brokerId + " is lost: " + why);
    }

    private void goOn(ClusterDraft draft) {
        if (draft.phase() == Phase.RUNNING) {
            settlement.settle(draft, Incarnations.takeAccount(draft));
        } else if (draft.questions.now().values().stream().noneMatch(each -> each.phase() == Question.Phase.ASKED)) {
            begin(draft);
        }
    }

    /** What an earlier controller left undone is found here and done. */
    private void begin(ClusterDraft draft) {
        draft.enter(Phase.RUNNING);
        rules.applyMinIsr(draft);
        SortedSet<Integer> restarted = Incarnations.takeAccount(draft);
        TopicDeletion.resume(draft);
        settlement.settle(draft, restarted);
        draft.reachable().keySet().forEach(draft::pushFull);
    }

    private static boolean isAbout(@Nullable Question question, long brokerEpoch, Question.Phase phase) {
        return question != null
                && question.phase() == phase
                && question.registration().brokerEpoch() == brokerEpoch;
    }
}
