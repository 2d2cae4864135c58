package io.tidemark.coordination.controller;

import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.ClusterMachine;
import io.tidemark.coordination.cluster.ClusterState;
import io.tidemark.coordination.cluster.ClusterUpdates;
import io.tidemark.coordination.cluster.Command;
import io.tidemark.coordination.cluster.Decision;
import io.tidemark.coordination.cluster.Notice;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.ClusterUpdate.DeletedTopic;
import io.tidemark.runtime.Cancellable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One controller's time in office: decides events one at a time on the latest decided state, commits pipelined, and adopts
 * and carries out each decision when its writes are committed, in the order of the decisions. Runs on the controller's
 * loop.
 */
final class Term implements UpdateSource, Pushes.Outcome {
    private static final Logger LOG = LoggerFactory.getLogger(Term.class);

    private final ControllerPorts ports;
    private final Mandate mandate;
    private final ClusterMachine machine;
    private final StateStore store;
    private final Pushes pushes;
    private final CommandRunner runner;
    private final Runnable onOver;
    private final Consumer<Notice> onNotice;

    /** The latest decided state: what the next event is decided on. */
    private ClusterState decided;
    /** The latest committed state: what brokers are told. Any thread may read it. */
    private volatile ClusterState committed;

    private final Deque<Pending> pending = new ArrayDeque<>();
    private final SortedMap<Command.TimerKey, Cancellable> timers = new TreeMap<>(CommandRunner.TIMER_ORDER);
    private final SortedMap<Long, Consumer<Answer>> requests = new TreeMap<>();
    private boolean over;

    private static final class Pending {
        private final Decision decision;
        private boolean committed;

        Pending(Decision decision) {
            this.decision = decision;
        }
    }

    /** What a term needs besides its ports. */
    record Office(Mandate mandate, ClusterMachine machine, Runnable onOver, Consumer<Notice> onNotice) {}

    Term(ControllerPorts ports, Office office, StateStore store, ClusterState loaded) {
        this.ports = ports;
        this.mandate = office.mandate();
        this.machine = office.machine();
        this.onOver = office.onOver();
        this.onNotice = office.onNotice();
        this.store = store;
        this.decided = loaded;
        this.committed = loaded;
        this.pushes = new Pushes(mandate, ports.brokerId(), ports.commands(), ports.loop(), this, this);
        this.runner = new CommandRunner(ports, this);
    }

    ClusterState committed() {
        return committed;
    }

    Pushes pushes() {
        return pushes;
    }

    /** Decides a request; its answer comes when the decision is committed, or as "not controller" at the term's end. */
    void request(ClusterEvent.Request request, Consumer<Answer> answer) {
        requests.put(request.token(), answer);
        handle(request);
    }

    int openRequests() {
        return requests.size();
    }

    /** Decides an event and sends its writes. */
    void handle(ClusterEvent event) {
        if (over) {
            return;
        }
        Decision decision = machine.decide(decided, event);
        decided = decision.next();
        Pending entry = new Pending(decision);
        pending.add(entry);
        store.commit(decision.writes(), outcome -> {
            if (outcome == StateStore.Outcome.COMMITTED) {
                entry.committed = true;
                adopt();
            } else if (!over) {
                LOG.warn("a write of controller epoch {} was refused or lost: resigning", mandate.controllerEpoch());
                onOver.run();
            }
        });
    }

    /** Ends the term: timers stop, pushes stop, and who waits is told to ask again. */
    void end() {
        over = true;
        pushes.close();
        timers.values().forEach(Cancellable::cancel);
        timers.clear();
        List<Consumer<Answer>> waiting = new ArrayList<>(requests.values());
        requests.clear();
        waiting.forEach(answer -> answer.accept(ControllerLoop.NOT_CONTROLLER));
    }

    void startTimer(Command.StartTimer timer) {
        cancelTimer(timer.key());
        timers.put(timer.key(), ports.loop().schedule(timer.delay(), () -> {
            timers.remove(timer.key());
            handle(timer.event());
        }));
    }

    void cancelTimer(Command.TimerKey key) {
        Cancellable timer = timers.remove(key);
        if (timer != null) {
            timer.cancel();
        }
    }

    void reply(long token, Answer answer) {
        Optional.ofNullable(requests.remove(token)).ifPresent(waiting -> waiting.accept(answer));
    }

    private void adopt() {
        while (!over && !pending.isEmpty() && pending.peek().committed) {
            Decision decision = pending.remove().decision;
            committed = decision.next();
            decision.notices().forEach(onNotice);
            decision.commands().forEach(runner::run);
        }
    }

    @Override
    public ClusterUpdate full() {
        return ClusterUpdates.full(committed, ports.brokerId());
    }

    @Override
    public ClusterUpdate delta(SortedMap<String, SortedSet<Integer>> partitions, List<DeletedTopic> deletions) {
        return ClusterUpdates.changes(committed, ports.brokerId(), partitions, deletions);
    }

    @Override
    public void deletionApplied(BrokerRegistration broker, DeletedTopic topic) {
        handle(new ClusterEvent.DeletionApplied(broker.id(), broker.brokerEpoch(), topic.id()));
    }

    @Override
    public void deposed(int brokerId) {
        LOG.warn("broker {} has seen a controller after epoch {}: resigning", brokerId, mandate.controllerEpoch());
        onOver.run();
    }
}
