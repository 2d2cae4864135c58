package io.tidemark.server.boot;

import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.broker.PushReceiver;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.replication.ReplicaManager;
import io.tidemark.replication.follower.FetcherPool;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.peer.PeerConnections;
import io.tidemark.server.rpc.PushTarget;
import java.util.SortedMap;
import java.util.TreeMap;

/** Takes the controller's pushes, on the loop of commands: metadata first, then replicas. */
final class CommandTarget implements PushTarget {
    private final PushReceiver receiver = new PushReceiver();
    private final MetadataCache metadata;
    private final ReplicaManager replicas;
    private final FetcherPool fetchers;
    private final PeerConnections peers;
    private final Observer observer;
    private SortedMap<Integer, BrokerRegistration> known = new TreeMap<>();

    /** Hears of each update, after it was applied to metadata and replicas. */
    @FunctionalInterface
    interface Observer {
        void applied(ClusterView before, ClusterUpdate update);
    }

    CommandTarget(
            MetadataCache metadata,
            ReplicaManager replicas,
            FetcherPool fetchers,
            PeerConnections peers,
            Observer observer) {
        this.metadata = metadata;
        this.replicas = replicas;
        this.fetchers = fetchers;
        this.peers = peers;
        this.observer = observer;
    }

    /** The broker has a registration: pushes for it are taken from now on. */
    void registered(long brokerEpoch) {
        receiver.registered(brokerEpoch);
    }

    @Override
    public Push.Answer onPush(Push.Request push) {
        PushReceiver.Received received = receiver.receive(push);
        ClusterUpdate update = received.update();
        if (update != null) {
            apply(update, push.controllerEpoch());
        }
        return received.answer();
    }

    /** A push that fails half-way is not applied, whatever its repetition would be answered: only a full one heals that. */
    private void apply(ClusterUpdate update, int controllerEpoch) {
        boolean applied = false;
        try {
            ClusterView before = metadata.view();
            metadata.apply(update, controllerEpoch);
            peers.brokersAre(update.brokers().values());
            replicas.apply(update);
            tellFetchers(update.brokers());
            applied = true;
            observer.applied(before, update);
        } finally {
            if (!applied) {
                receiver.notApplied();
            }
        }
    }

    /** A leader that registered again can be reached again, whatever the fetchers' pause has grown to (KNOWN_BUGS 44). */
    private void tellFetchers(SortedMap<Integer, BrokerRegistration> brokers) {
        brokers.forEach((id, registration) -> {
            BrokerRegistration before = known.get(id);
            if (before == null || before.brokerEpoch() != registration.brokerEpoch()) {
                fetchers.leaderRegistered(id, registration.peer());
            }
        });
        known = brokers;
    }
}
