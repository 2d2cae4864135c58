package io.tidemark.server.boot;

import io.tidemark.coordination.broker.PeerProbe;
import io.tidemark.coordination.broker.PeerProbe.Outcome;
import io.tidemark.coordination.broker.PeerProbe.Suspect;
import io.tidemark.coordination.broker.RefusalCheck;
import io.tidemark.coordination.controller.ControllerLoop;
import io.tidemark.coordination.controller.FailureDetection;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Scheduler;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.peer.GrpcBrokerCommands;
import io.tidemark.server.rpc.Suspicions;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is heard of peers that fail: told to this broker's controller once there is one, and looked into. Thread-safe. */
final class PeerNews implements GrpcBrokerCommands.Listener, Suspicions {
    private final PeerProbe probe;
    private final Clock clock;
    private final RefusalCheck check;
    private final MetadataCache metadata;
    private final AtomicReference<@Nullable ControllerLoop> controller;

    PeerNews(
            PeerProbe probe,
            Scheduler scheduler,
            Clock clock,
            MetadataCache metadata,
            AtomicReference<@Nullable ControllerLoop> controller) {
        this.probe = probe;
        this.clock = clock;
        this.check = new RefusalCheck(probe, scheduler, clock);
        this.metadata = metadata;
        this.controller = controller;
    }

    /** What a controller needs to find dead processes. */
    FailureDetection detection() {
        return new FailureDetection(probe, clock, () -> metadata.view().brokers());
    }

    @Override
    public void brokerStorageFailed(int brokerId, long brokerEpoch) {
        tell(loop -> loop.brokerStorageFailed(brokerId, brokerEpoch));
    }

    @Override
    public void brokerStreamBroke(int brokerId, long brokerEpoch) {
        tell(loop -> loop.brokerStreamBroke(brokerId, brokerEpoch));
    }

    @Override
    public void controllerStreamEnded() {
        tell(ControllerLoop::controllerStreamEnded);
    }

    /** Nobody makes this broker connect to anything but a broker: of an address that it does not know nothing is known. */
    @Override
    public void probe(Suspect suspect, Consumer<Outcome> opinion) {
        BrokerRegistration known = metadata.view().brokers().get(suspect.brokerId());
        if (known != null && known.peer().equals(suspect.peer())) {
            check.run(suspect.peer(), opinion);
        } else {
            opinion.accept(Outcome.UNKNOWN);
        }
    }

    private void tell(Consumer<ControllerLoop> news) {
        ControllerLoop loop = controller.get();
        if (loop != null) {
            news.accept(loop);
        }
    }
}
