package io.tidemark.server.metadata;

import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.broker.PushReceiver;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.replication.ReplicaManager;
import io.tidemark.replication.follower.FetcherPool;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Takes the controller's pushes and applies them: metadata first, then replicas, then fetchers (DESIGN section 6). Confined to
 * one loop, the same in a broker process and in the simulator.
 *
 * <p>A push whose application fails is not applied, whatever its repetition would be answered: nothing is taken any more but a
 * full update, which heals it.
 */
public final class PushApplication {
    private final PushReceiver receiver;
    private final MetadataCache metadata;
    private final ReplicaManager replicas;
    private final FetcherPool fetchers;
    private final Observer observer;
    private SortedMap<Integer, BrokerRegistration> known = new TreeMap<>();

    /** Hears of each update, on the loop. */
    public interface Observer {
        /** The metadata have the update, the replicas not yet: what they need to reach those brokers is done here. */
        void onMetadata(ClusterUpdate update);

        /** The update is applied; what fails here does not undo it. */
        void onApplied(ClusterView before, ClusterUpdate update);
    }

    /** @param receiver knows what is to be taken; nobody else uses it */
    public PushApplication(
            PushReceiver receiver,
            MetadataCache metadata,
            ReplicaManager replicas,
            FetcherPool fetchers,
            Observer observer) {
        this.receiver = receiver;
        this.metadata = metadata;
        this.replicas = replicas;
        this.fetchers = fetchers;
        this.observer = observer;
    }

    /** The broker has a registration: pushes for it are taken from now on. */
    public void registered(long brokerEpoch) {
        receiver.registered(brokerEpoch);
    }

    /** Applies the push, or says why not. Throws what an application throws. */
    public Push.Answer onPush(Push.Request push) {
        PushReceiver.Received received = receiver.receive(push);
        ClusterUpdate update = received.update();
        if (update != null) {
            apply(update, push.controllerEpoch());
        }
        return received.answer();
    }

    private void apply(ClusterUpdate update, int controllerEpoch) {
        boolean applied = false;
        try {
            ClusterView before = metadata.view();
            metadata.apply(update, controllerEpoch);
            observer.onMetadata(update);
            replicas.apply(update);
            tellFetchers(update.brokers());
            applied = true;
            observer.onApplied(before, update);
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
