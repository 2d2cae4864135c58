package io.tidemark.coordination.controller;

import io.tidemark.coordination.broker.Push;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate.DeletedTopic;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The push sessions of one controller's term, with their repetitions. Runs on the controller's loop. */
final class Pushes {
    /** What pushes lead to. */
    interface Outcome {
        /** The broker carried out a deletion. */
        void deletionApplied(BrokerRegistration broker, DeletedTopic topic);

        /** A broker has seen a newer controller. */
        void deposed(int brokerId);
    }

    private final int controllerId;
    private final int controllerEpoch;
    private final BrokerCommands commands;
    private final EventLoop loop;
    private final UpdateSource source;
    private final Outcome outcome;
    private final SortedMap<Integer, PushSession> sessions = new TreeMap<>();

    Pushes(
            Mandate mandate,
            int controllerId,
            BrokerCommands commands,
            EventLoop loop,
            UpdateSource source,
            Outcome outcome) {
        this.controllerId = controllerId;
        this.controllerEpoch = mandate.controllerEpoch();
        this.commands = commands;
        this.loop = loop;
        this.source = source;
        this.outcome = outcome;
    }

    /** Opens a session in which the broker gets everything; an earlier one to the same broker ends. */
    void full(BrokerRegistration broker) {
        end(broker.id());
        PushSession session = new PushSession(controllerId, controllerEpoch, broker);
        sessions.put(broker.id(), session);
        send(session);
    }

    /** Tells every broker what changed; with nothing named, that the live brokers did. */
    void changes(List<TopicPartition> partitions, List<DeletedTopic> deletions) {
        for (PushSession session : List.copyOf(sessions.values())) {
            partitions.forEach(session::changed);
            deletions.forEach(session::deleted);
            session.brokersChanged();
            send(session);
        }
    }

    /** Ends the session to a broker that is gone. */
    void end(int brokerId) {
        PushSession session = sessions.remove(brokerId);
        if (session != null) {
            session.close();
        }
    }

    /** Ends all sessions. */
    void close() {
        new ArrayList<>(sessions.keySet()).forEach(this::end);
    }

    private void send(PushSession session) {
        Push.Request push = session.next(source);
        if (push != null) {
            transmit(session, push);
        }
    }

    private void transmit(PushSession session, Push.Request push) {
        commands.push(session.broker(), push, answer -> loop.execute(() -> onAnswer(session, push, answer)));
    }

    private void onAnswer(PushSession session, Push.Request push, Push.@Nullable Answer answer) {
        switch (session.onAnswer(push.sequence(), answer)) {
            case SEND -> {
                if (answer != null && answer.result() == Push.Result.APPLIED) {
                    push.update().deletedTopics().forEach(topic -> outcome.deletionApplied(session.broker(), topic));
                }
                send(session);
            }
            case REPEAT ->
                loop.schedule(session.nextPause(), () -> {
                    Push.Request again = session.repeat();
                    if (again != null) {
                        transmit(session, again);
                    }
                });
            case RESIGN -> outcome.deposed(session.broker().id());
            case GONE, NOTHING -> {}
        }
    }
}
