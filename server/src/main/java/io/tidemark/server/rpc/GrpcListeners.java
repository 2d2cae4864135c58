package io.tidemark.server.rpc;

import io.grpc.BindableService;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The two listeners of a broker, each with its own threads: clients; and peers with the controller, which never waits for
 * client load (DESIGN section 7). Health and reflection are on both.
 */
public final class GrpcListeners {
    private final Listening clients;
    private final Listening peers;
    private final Health health;

    private record Listening(GrpcListener listener, OpenStreams streams) {}

    /**
     * The services of one listener.
     *
     * @param context that the services were given
     */
    public record Services(List<BindableService> services, StreamContext context) {
        public Services {
            services = List.copyOf(services);
        }
    }

    private GrpcListeners(Listening clients, Listening peers, Health health) {
        this.clients = clients;
        this.peers = peers;
        this.health = health;
    }

    /** Binds both, peers first; throws with the address if one cannot be bound, and then holds neither. */
    public static GrpcListeners start(
            ListenerSettings settings, Services clients, Services peers, Health health, MeterRegistry registry)
            throws IOException {
        GrpcListener peerListener = GrpcListener.start(
                new GrpcListener.Spec(
                        "peers",
                        settings.peers(),
                        settings.peerThreads(),
                        settings.limits().peerMaxBytes(),
                        settings.flowControlWindowBytes()),
                withHealth(peers, health));
        GrpcListener clientListener;
        try {
            clientListener = GrpcListener.start(
                    new GrpcListener.Spec(
                            "clients",
                            settings.clients(),
                            settings.clientThreads(),
                            settings.limits().clientMaxBytes(),
                            settings.flowControlWindowBytes()),
                    withHealth(clients, health));
        } catch (IOException e) {
            peerListener.stop(peers.context().streams(), Duration.ZERO);
            throw e;
        }
        meter(registry, "clients", clientListener, clients.context());
        meter(registry, "peers", peerListener, peers.context());
        return new GrpcListeners(
                new Listening(clientListener, clients.context().streams()),
                new Listening(peerListener, peers.context().streams()),
                health);
    }

    /** The port that clients connect to. */
    public int clientPort() {
        return clients.listener().port();
    }

    /** The port that peers connect to. */
    public int peerPort() {
        return peers.listener().port();
    }

    /** What handlers of either listener put off is done at the end of each pass of their loops. */
    public void collectIn(LoopPasses passes) {
        clients.listener().collectIn(passes);
        peers.listener().collectIn(passes);
    }

    /**
     * Stops serving clients: what was taken is answered for at most {@code grace}, then cut off. Health says NOT_SERVING from
     * now on. Waits.
     */
    public void stopClients(Duration grace) {
        health.stopping();
        clients.listener().stop(clients.streams(), grace);
    }

    /** The same for peers and the controller; to be stopped last. Waits. */
    public void stopPeers(Duration grace) {
        peers.listener().stop(peers.streams(), grace);
    }

    private static List<BindableService> withHealth(Services services, Health health) {
        List<BindableService> all = new ArrayList<>(services.services());
        all.add(health.service());
        return all;
    }

    private static void meter(MeterRegistry registry, String name, GrpcListener listener, StreamContext context) {
        Gauge.builder("tidemark.connections", listener, GrpcListener::connectionCount)
                .tag("listener", name)
                .register(registry);
        Gauge.builder("tidemark.inflight", context.budget(), InFlightBytes::bytes)
                .tag("listener", name)
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("tidemark.streams", context.streams(), OpenStreams::count)
                .tag("listener", name)
                .register(registry);
    }
}
