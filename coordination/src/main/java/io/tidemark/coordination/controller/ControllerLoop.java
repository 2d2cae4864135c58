package io.tidemark.coordination.controller;

import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.ClusterMachine;
import io.tidemark.coordination.cluster.ClusterSettings;
import io.tidemark.coordination.cluster.ClusterState;
import io.tidemark.coordination.cluster.Notice;
import io.tidemark.coordination.zookeeper.ZkContent.Controller;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller of one broker: stands for election, and while elected takes events one at a time. A shell: what to do is
 * {@link ClusterMachine}'s to decide. Methods may be called from any thread and return at once; answers come on the
 * controller's loop.
 */
public final class ControllerLoop implements ControllerElection.Listener {
    /** The answer of a broker that is not the controller, or not any more: the request's outcome is unknown. */
    public static final Answer NOT_CONTROLLER =
            new Answer.Refused(ErrorCode.NOT_CONTROLLER, "this broker is not the controller");

    private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);
    private static final int MAX_OPEN_REQUESTS = 10_000;
    private static final Duration RELOAD_PAUSE = Duration.ofMillis(500);

    private final ControllerPorts ports;
    private final ClusterMachine machine;
    private final Listener listener;
    private final ControllerElection election;
    private final ProbePace pace = new ProbePace();
    private final @Nullable DeadController deadController;

    /** Set on the loop; what it has committed may be read by any thread. */
    private volatile @Nullable Term term;

    private @Nullable BrokerWatch brokers;
    private @Nullable DeadBrokers deadBrokers;
    private Cancellable reload = () -> {};
    private long lastToken;
    /** Rises with each mandate and resignation: what was loaded for another one is dropped. */
    private long office;

    /** Hears of the controller; called on the controller's loop. */
    public interface Listener {
        /** Another broker, or this one, is the controller now; null while none is known. */
        void controllerIs(@Nullable Controller controller);

        /** This broker is in office and has loaded the state. */
        void tookOffice(int controllerEpoch);

        /** Something worth counting happened. */
        void noticed(Notice notice);
    }

    public ControllerLoop(ControllerPorts ports, ClusterSettings settings, Listener listener) {
        this.ports = ports;
        this.machine = new ClusterMachine(settings);
        this.listener = listener;
        this.election = new ControllerElection(ports.session(), ports.loop(), ports.brokerId(), ports.peer(), this);
        FailureDetection detection = ports.detection();
        this.deadController = detection == null ? null : new DeadController(ports, detection, election);
    }

    /** Stands for election from now on. */
    public void start() {
        ports.loop().execute(election::start);
    }

    /** Prepares for a first term, which is slow in a process that has had none ({@link Rehearsal}). Nothing in office. */
    public void rehearse() {
        ports.loop().execute(() -> {
            if (term == null) {
                Rehearsal.start(ports.session(), machine);
            }
        });
    }

    /** Leaves office and stands no more. */
    public void stop() {
        ports.loop().execute(() -> {
            election.stop();
            endTerm();
        });
    }

    /**
     * Asks for a decision. A broker that is not the controller answers NOT_CONTROLLER at once; one that stops being it
     * answers so for what is open, and then the outcome is unknown.
     *
     * @param request makes the event from the token that it is given
     */
    public void request(LongFunction<ClusterEvent.Request> request, Consumer<Answer> answer) {
        ports.loop().execute(() -> {
            Term current = term;
            if (current == null) {
                answer.accept(NOT_CONTROLLER);
            } else if (current.openRequests() >= MAX_OPEN_REQUESTS) {
                answer.accept(new Answer.Refused(
                        ErrorCode.THROTTLED, "the controller has " + MAX_OPEN_REQUESTS + " requests to answer"));
            } else {
                current.request(request.apply(++lastToken), answer);
            }
        });
    }

    /** What is committed, while this broker is in office; empty otherwise. */
    public Optional<ClusterState> state() {
        return Optional.ofNullable(term).map(Term::committed);
    }

    /** A broker said that its disk failed. */
    public void brokerStorageFailed(int brokerId, long brokerEpoch) {
        event(new ClusterEvent.BrokerStorageFailed(brokerId, brokerEpoch));
    }

    /** The push stream to that life of a broker ended, and this broker did not end it. */
    public void brokerStreamBroke(int brokerId, long brokerEpoch) {
        ports.loop().execute(() -> {
            DeadBrokers current = deadBrokers;
            if (current != null) {
                current.streamBroke(brokerId, brokerEpoch);
            }
        });
    }

    /** A stream by which a controller pushes to this broker ended. */
    public void controllerStreamEnded() {
        if (deadController != null) {
            ports.loop().execute(deadController::streamEnded);
        }
    }

    /** Time to give leadership back to preferred leaders. */
    public void preferredElectionDue() {
        event(new ClusterEvent.PreferredElectionDue());
    }

    private void event(ClusterEvent event) {
        ports.loop().execute(() -> {
            Term current = term;
            if (current != null) {
                current.handle(event);
            }
        });
    }

    @Override
    public void elected(Mandate mandate) {
        LOG.info("broker {} is the controller with epoch {}", ports.brokerId(), mandate.controllerEpoch());
        office++;
        load(mandate);
    }

    @Override
    public void resigned() {
        LOG.info("broker {} is no longer the controller", ports.brokerId());
        endTerm();
    }

    @Override
    public void controllerIs(@Nullable Controller controller) {
        listener.controllerIs(controller);
    }

    private void load(Mandate mandate) {
        long mine = office;
        new StateLoader(ports.session(), mandate, loaded -> {
                    if (mine != office) {
                        return;
                    }
                    if (loaded instanceof StateLoader.Loaded.State state) {
                        begin(mandate, state);
                    } else if (loaded instanceof StateLoader.Loaded.Failed failed) {
                        LOG.error("the controller cannot start: {}", failed.problem());
                        reload = ports.loop().schedule(RELOAD_PAUSE, () -> {
                            if (mine == office) {
                                load(mandate);
                            }
                        });
                    }
                })
                .start();
    }

    private void begin(Mandate mandate, StateLoader.Loaded.State loaded) {
        StateStore store = new StateStore(ports.session(), mandate, loaded.carried());
        ClusterState state = loaded.state();
        long mine = office;
        Runnable onOver = () -> {
            if (mine == office) {
                election.resign();
            }
        };
        Term begun = new Term(ports, new Term.Office(mandate, machine, onOver, this::noticed), store, state);
        term = begun;
        FailureDetection detection = ports.detection();
        deadBrokers = detection == null ? null : new DeadBrokers(ports, detection, mandate, begun, pace);
        listener.tookOffice(mandate.controllerEpoch());
        BrokerWatch watch = new BrokerWatch(ports.session(), registrations -> brokersChanged(begun, registrations));
        brokers = watch;
        watch.start();
    }

    private void brokersChanged(Term begun, SortedMap<Integer, BrokerRegistration> registrations) {
        begun.handle(new ClusterEvent.BrokersChanged(registrations));
        DeadBrokers suspicions = deadBrokers;
        if (deadController != null && suspicions != null) {
            deadController.takeProven().ifPresent(suspicions::isProven);
        }
    }

    private void noticed(Notice notice) {
        LOG.info("{}: {}", notice.kind(), notice.text());
        listener.noticed(notice);
    }

    private void endTerm() {
        office++;
        reload.cancel();
        BrokerWatch watch = brokers;
        if (watch != null) {
            watch.close();
            brokers = null;
        }
        DeadBrokers suspicions = deadBrokers;
        if (suspicions != null) {
            suspicions.close();
            deadBrokers = null;
        }
        Term ended = term;
        if (ended != null) {
            term = null;
            ended.end();
        }
    }
}
