package io.tidemark.coordination.controller;

import io.tidemark.coordination.broker.PeerProbe.Suspect;
import io.tidemark.coordination.controller.FailureProbe.Verdict;
import io.tidemark.coordination.zookeeper.ZkContent.Controller;
import io.tidemark.model.BrokerRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the office over from a controller whose process has ended. Each broker does so by itself when a controller's push
 * stream to it ends; of several, ZooKeeper lets one succeed. Runs on the controller's loop.
 *
 * <p>The dead controller's broker is then dead, too: the new controller is told, if that is this broker, and else finds that no
 * stream to it can be opened.
 */
final class DeadController {
    private static final Logger LOG = LoggerFactory.getLogger(DeadController.class);
    /** Streams end for other reasons, too; and a process that is killed may close its streams before its listener. */
    private static final int MOST_PROBES = 5;

    private final ControllerPorts ports;
    private final FailureDetection detection;
    private final ControllerElection election;
    private final ProbePace pace = new ProbePace();
    private boolean suspecting;
    /** The suspect's registration when the last probe began: what that proves is about this process. */
    private Optional<BrokerRegistration> inQuestion = Optional.empty();
    /** Whose death led to the last attempt to take the office. */
    private Optional<BrokerRegistration> proven = Optional.empty();

    DeadController(ControllerPorts ports, FailureDetection detection, ControllerElection election) {
        this.ports = ports;
        this.detection = detection;
        this.election = election;
    }

    /** A stream by which a controller pushes to this broker ended. */
    void streamEnded() {
        Controller suspect = election.watched();
        if (suspect != null && suspect.brokerId() != ports.brokerId() && !suspecting) {
            suspecting = true;
            probe(suspect, 1);
        }
    }

    /** The registration of the controller whose office this broker went for, once. */
    Optional<BrokerRegistration> takeProven() {
        Optional<BrokerRegistration> taken = proven;
        proven = Optional.empty();
        return taken;
    }

    private void probe(Controller suspect, int count) {
        SortedMap<Integer, BrokerRegistration> known = detection.knownBrokers().get();
        inQuestion = Optional.ofNullable(known.get(suspect.brokerId()))
                .filter(each -> each.peer().equals(suspect.peer()));
        List<BrokerRegistration> others = new ArrayList<>(known.values());
        others.removeIf(each -> each.id() == suspect.brokerId() || each.id() == ports.brokerId());
        FailureProbe probe = new FailureProbe(new Suspect(suspect.brokerId(), suspect.peer()), others);
        Inquiry.run(detection, ports.loop(), probe, verdict -> onVerdict(suspect, count, verdict));
    }

    private void onVerdict(Controller suspect, int count, Verdict verdict) {
        long nowNs = detection.clock().monotonicNs();
        if (!suspect.equals(election.watched())) {
            suspecting = false;
        } else if (verdict == Verdict.DEAD) {
            suspecting = false;
            takeOver(suspect, nowNs);
        } else if (count < MOST_PROBES) {
            ports.loop().schedule(pace.nextPause(suspect.brokerId(), nowNs), () -> probeAgain(suspect, count + 1));
        } else {
            suspecting = false;
        }
    }

    private void probeAgain(Controller suspect, int count) {
        if (suspect.equals(election.watched())) {
            probe(suspect, count);
        } else {
            suspecting = false;
            streamEnded();
        }
    }

    private void takeOver(Controller suspect, long nowNs) {
        if (pace.mayDie(suspect.brokerId(), nowNs)) {
            LOG.warn(
                    "the controller, broker {}, is dead: nobody listens at {} any more",
                    suspect.brokerId(),
                    suspect.peer());
            proven = inQuestion;
            election.takeOver(suspect);
        }
    }
}
