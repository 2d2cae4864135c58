package io.tidemark.coordination.controller;

import io.tidemark.coordination.broker.PeerProbe.Suspect;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.controller.FailureProbe.Verdict;
import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkOp;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import io.tidemark.coordination.zookeeper.ZkSession.ZkWatch;
import io.tidemark.model.BrokerRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes registered brokers for dead whose processes have ended, for as long as one controller's term lasts: a broker whose
 * push stream broke is probed, and its node deleted when the probe proves its death. Runs on the controller's loop.
 *
 * <p>The node is deleted if its czxid is that of the suspect. ZooKeeper compares versions only, and a node that was created
 * meanwhile has version 0 again, so a broker that came back between the read and the delete may lose its new node. That
 * costs it a moment: a broker watches its node, and registers again when it goes. Nothing is concluded about the new
 * process, since the machine is told of the death under the old broker epoch; what the old process had is lost in either
 * case, for a new one under its id shows that it has ended.
 */
final class DeadBrokers {
    private static final Logger LOG = LoggerFactory.getLogger(DeadBrokers.class);

    private final ControllerPorts ports;
    private final FailureDetection detection;
    private final Mandate mandate;
    private final Term term;
    private final ProbePace pace;
    /** Broker epochs of those who are suspected, by id: a stream that breaks again adds nothing. */
    private final SortedMap<Integer, Long> suspected = new TreeMap<>();

    private boolean closed;

    DeadBrokers(ControllerPorts ports, FailureDetection detection, Mandate mandate, Term term, ProbePace pace) {
        this.ports = ports;
        this.detection = detection;
        this.mandate = mandate;
        this.term = term;
        this.pace = pace;
    }

    /** Suspects and deletes nobody any more. */
    void close() {
        closed = true;
    }

    /** The push stream to that life of a broker ended without our doing. */
    void streamBroke(int brokerId, long brokerEpoch) {
        BrokerRegistration broker = term.committed().reachable().get(brokerId);
        if (closed || broker == null || broker.brokerEpoch() != brokerEpoch || brokerId == ports.brokerId()) {
            return;
        }
        Long before = suspected.put(brokerId, brokerEpoch);
        if (before == null || before != brokerEpoch) {
            FailureProbe probe = new FailureProbe(new Suspect(brokerId, broker.peer()), others(brokerId));
            Inquiry.run(detection, ports.loop(), probe, verdict -> onVerdict(broker, verdict));
        }
    }

    /** That life of a broker, which was the controller before, has been proven to have ended: it is not probed again. */
    void isProven(BrokerRegistration broker) {
        if (!closed && pace.mayDie(broker.id(), detection.clock().monotonicNs())) {
            suspected.put(broker.id(), broker.brokerEpoch());
            bury(broker);
        }
    }

    private List<BrokerRegistration> others(int brokerId) {
        List<BrokerRegistration> others =
                new ArrayList<>(term.committed().registrations().values());
        others.removeIf(each -> each.id() == brokerId || each.id() == ports.brokerId());
        return others;
    }

    private void onVerdict(BrokerRegistration broker, Verdict verdict) {
        if (closed) {
            return;
        }
        long nowNs = detection.clock().monotonicNs();
        if (verdict == Verdict.NOT_PROVEN) {
            ports.loop().schedule(pace.nextPause(broker.id(), nowNs), () -> lookAgain(broker));
        } else if (pace.mayDie(broker.id(), nowNs)) {
            bury(broker);
        } else {
            LOG.warn(
                    "broker {} is dead for the second time within {} s: its session has to end",
                    broker.id(),
                    ProbePace.BETWEEN_DEATHS.toSeconds());
            ports.loop().schedule(ProbePace.BETWEEN_DEATHS, () -> lookAgain(broker));
        }
    }

    /** Opens the stream again: if that fails, it tells so, and the next probe begins. */
    private void lookAgain(BrokerRegistration broker) {
        clear(broker);
        BrokerRegistration now = term.committed().reachable().get(broker.id());
        if (!closed && broker.equals(now)) {
            ports.commands().hold(broker);
        }
    }

    private void bury(BrokerRegistration broker) {
        LOG.warn("broker {}: nobody listens at {} any more: deleting its node", broker.id(), broker.peer());
        ports.session().get(ZkPaths.broker(broker.id()), ZkWatch.NONE, answer -> onNode(broker, answer));
    }

    private void onNode(BrokerRegistration broker, ZkResult<ZkNode> answer) {
        ZkNode node = answer.value();
        if (closed) {
            return;
        }
        if (node != null && node.stat().czxid() == broker.brokerEpoch()) {
            List<ZkOp> operations = List.of(
                    new ZkOp.Check(ZkPaths.CONTROLLER_EPOCH, mandate.epochNodeVersion()),
                    new ZkOp.Delete(ZkPaths.broker(broker.id()), node.stat().version()));
            ports.session().multi(operations, deleted -> onDeleted(broker, deleted));
        } else if (answer.kind() == Kind.NO_NODE) {
            isDead(broker);
        } else {
            // It has registered again, or the connection is lost and the term with it.
            clear(broker);
        }
    }

    private void onDeleted(BrokerRegistration broker, ZkResult<?> deleted) {
        if (closed) {
            return;
        }
        if (deleted.isOk()) {
            isDead(broker);
        } else {
            // Deposed, or the node went by itself, or nobody knows: in each case somebody else's news decides.
            LOG.warn("the node of broker {} was not deleted: {}", broker.id(), deleted.kind());
            clear(broker);
        }
    }

    private void clear(BrokerRegistration broker) {
        suspected.remove(broker.id(), broker.brokerEpoch());
    }

    private void isDead(BrokerRegistration broker) {
        clear(broker);
        term.handle(new ClusterEvent.BrokerDied(broker.id(), broker.brokerEpoch()));
    }
}
