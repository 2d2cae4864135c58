package io.tidemark.server.boot;

import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.broker.PushReceiver;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.replication.ReplicaManager;
import io.tidemark.replication.follower.FetcherPool;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.metadata.PushApplication;
import io.tidemark.server.peer.PeerConnections;
import io.tidemark.server.rpc.PushTarget;

/** Takes the controller's pushes, on the loop of commands; connections learn of brokers before replicas do. */
final class CommandTarget implements PushTarget {
    private final PushApplication pushes;

    /** Hears of each update, after it was applied to metadata and replicas. */
    @FunctionalInterface
    interface Observer {
        void applied(ClusterView before, ClusterUpdate update);
    }

    /** Has the peers' connections follow the brokers, and hands on what was applied. */
    private record Told(PeerConnections peers, Observer observer) implements PushApplication.Observer {
        @Override
        public void onMetadata(ClusterUpdate update) {
            peers.brokersAre(update.brokers().values());
        }

        @Override
        public void onApplied(ClusterView before, ClusterUpdate update) {
            observer.applied(before, update);
        }
    }

    CommandTarget(
            MetadataCache metadata,
            ReplicaManager replicas,
            FetcherPool fetchers,
            PeerConnections peers,
            Observer observer) {
        pushes = new PushApplication(new PushReceiver(), metadata, replicas, fetchers, new Told(peers, observer));
    }

    /** The broker has a registration: pushes for it are taken from now on. */
    void registered(long brokerEpoch) {
        pushes.registered(brokerEpoch);
    }

    @Override
    public Push.Answer onPush(Push.Request push) {
        return pushes.onPush(push);
    }
}
