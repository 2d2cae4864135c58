package io.tidemark.server.peer;

import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.runtime.Randomness;
import io.tidemark.runtime.Scheduler;
import io.tidemark.server.rpc.NettyLoops;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * One connection for each peer, shared by everything that talks to it; opened at the first call. Thread-safe; never blocks.
 *
 * <p>A broken connection is tried again with a pause of at most {@link PeerSettings#reconnectPause}, with jitter, and at once
 * on the news of a registration: gRPC's own pauses grow to two minutes (KNOWN_BUGS 44, grpc/grpc-java#6473). A connection that
 * nobody uses is closed by itself and opened again by the next call.
 */
public final class PeerConnections implements AutoCloseable {
    private final PeerSettings settings;
    private final Scheduler scheduler;
    private final Randomness randomness;
    private final NettyLoops loops;
    private final Map<Integer, Connection> connections = new ConcurrentHashMap<>();
    private final Map<Integer, Long> brokerEpochs = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private record Connection(Endpoint endpoint, ManagedChannel channel) {}

    /** @param randomness spreads attempts to connect */
    public PeerConnections(PeerSettings settings, Scheduler scheduler, Randomness randomness) {
        this.settings = settings;
        this.scheduler = scheduler;
        this.randomness = randomness;
        this.loops = new NettyLoops("peer-out", settings.threads());
    }

    /** The connection to the broker; one to another endpoint of the same broker is cut. */
    Channel to(int brokerId, Endpoint endpoint) {
        return connections
                .compute(brokerId, (id, known) -> {
                    if (known != null && known.endpoint().equals(endpoint)) {
                        return known;
                    }
                    if (known != null) {
                        known.channel().shutdownNow();
                    }
                    return new Connection(endpoint, open(endpoint));
                })
                .channel();
    }

    /** A connection of its own that knows nothing of earlier failures; the caller closes it. */
    ManagedChannel fresh(Endpoint endpoint) {
        return build(endpoint);
    }

    /** News of the live brokers: one with another broker epoch than before is tried at once. */
    public void brokersAre(Collection<BrokerRegistration> live) {
        for (BrokerRegistration broker : live) {
            Long before = brokerEpochs.put(broker.id(), broker.brokerEpoch());
            if (before == null || before != broker.brokerEpoch()) {
                reconnect(broker.id());
            }
        }
    }

    /** Cuts the connection to a broker that is gone; the next call opens another. */
    void disconnect(int brokerId) {
        Connection known = connections.remove(brokerId);
        if (known != null) {
            known.channel().shutdownNow();
        }
    }

    /** Cuts everything; calls fail from now on. */
    @Override
    public void close() {
        closed = true;
        connections.keySet().forEach(this::disconnect);
        loops.close();
    }

    private void reconnect(int brokerId) {
        Connection known = connections.get(brokerId);
        if (known != null) {
            known.channel().resetConnectBackoff();
        }
    }

    private ManagedChannel open(Endpoint endpoint) {
        ManagedChannel channel = build(endpoint);
        if (closed) {
            channel.shutdownNow();
        } else {
            watch(channel);
        }
        return channel;
    }

    /** Keeps a failing connection trying. It stays in that state until it succeeds, so this looks again by itself. */
    private void watch(ManagedChannel channel) {
        ConnectivityState state = channel.getState(false);
        if (state == ConnectivityState.SHUTDOWN) {
            return;
        }
        if (state == ConnectivityState.TRANSIENT_FAILURE) {
            scheduler.schedule(nextPause(), () -> {
                channel.resetConnectBackoff();
                watch(channel);
            });
        } else {
            channel.notifyWhenStateChanged(state, () -> watch(channel));
        }
    }

    private Duration nextPause() {
        int halfMs = (int) Math.max(1, settings.reconnectPause().toMillis() / 2);
        return Duration.ofMillis(halfMs + randomness.nextInt(halfMs));
    }

    private ManagedChannel build(Endpoint endpoint) {
        return NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .eventLoopGroup(loops.group())
                .channelType(NettyLoops.outgoing())
                .directExecutor()
                .usePlaintext()
                // Peers are reached as they registered, whatever proxy the machine uses for the rest of the world.
                .proxyDetector(address -> null)
                .disableRetry()
                .flowControlWindow(settings.flowControlWindowBytes())
                .maxInboundMessageSize(settings.messageMaxBytes())
                .keepAliveTime(PeerSettings.KEEPALIVE.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(PeerSettings.KEEPALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .idleTimeout(PeerSettings.IDLE.toMillis(), TimeUnit.MILLISECONDS)
                .build();
    }
}
