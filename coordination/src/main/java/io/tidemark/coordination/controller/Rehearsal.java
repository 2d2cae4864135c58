package io.tidemark.coordination.controller;

import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.ClusterMachine;
import io.tidemark.coordination.cluster.ClusterState;
import io.tidemark.coordination.cluster.ClusterUpdates;
import io.tidemark.coordination.cluster.Decision;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.model.BrokerRegistration;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes through the beginning of a term without being in office: reads the state, decides what a death would lead to, encodes
 * what would be written, and drops it all. Decisions have no effects, so nothing comes of it.
 *
 * <p>A process that does this for the first time loads some hundred classes and takes more than half a second; a broker had
 * better spend that while another is the controller than when that one is dead.
 */
final class Rehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
    private static final Mandate NONE = new Mandate(0, 0);

    private Rehearsal() {}

    /** Runs on the session's loop; a failed read ends it. */
    static void start(ZkSession session, ClusterMachine machine) {
        new StateLoader(session, NONE, loaded -> {
                    if (loaded instanceof StateLoader.Loaded.State found) {
                        play(machine, found.state());
                    } else {
                        LOG.debug("nothing to rehearse with: {}", loaded);
                    }
                })
                .start();
    }

    private static void play(ClusterMachine machine, ClusterState state) {
        SortedMap<Integer, BrokerRegistration> everybody = new TreeMap<>();
        state.incarnations().forEach((id, incarnation) -> everybody.put(id, incarnation.registration()));
        Decision begun = machine.decide(state, new ClusterEvent.BrokersChanged(everybody));
        encode(begun);
        for (BrokerRegistration each : everybody.values()) {
            encode(machine.decide(begun.next(), new ClusterEvent.BrokerDied(each.id(), each.brokerEpoch())));
        }
    }

    private static void encode(Decision decision) {
        WriteEncoder encoder = new WriteEncoder(path -> ZkCodec.NOTHING_CARRIED);
        decision.writes().forEach(encoder::encode);
        var unused = ClusterUpdates.full(decision.next(), -1);
    }
}
