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
 * One connection for each address of a peer, shared by everything that talks to it; opened at the first call. Thread-safe; never blocks.
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
    private final Map<Peer, ManagedChannel> connections = new ConcurrentHashMap<>();
    private final Map<Integer, Long> brokerEpochs = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private record Peer(int brokerId, Endpoint endpoint) {}

    /** @param randomness spreads attempts to connect */
    public PeerConnections(PeerSettings settings, Scheduler scheduler, Randomness randomness) {
        this.settings = settings;
        this.scheduler = scheduler;
        this.randomness = randomness;
        this.loops = new NettyLoops("peer-out", settings.threads());
    }

    /** The connection to the broker at that address. */
    Channel to(int brokerId, Endpoint endpoint) {
        Peer peer = new Peer(brokerId, endpoint);
        ManagedChannel known = connections.get(peer);
        if (known != null) {
            return known;
        }
        ManagedChannel opened = build(endpoint);
        ManagedChannel first = connections.putIfAbsent(peer, opened);
        if (first != null) {
            opened.shutdownNow();
            return first;
        }
        if (closed) {
            opened.shutdownNow();
        } else {
            watch(opened);
        }
        return opened;
    }

    /** A connection of its own that knows nothing of earlier failures; the caller closes it. */
    ManagedChannel fresh(Endpoint endpoint) {
        return build(endpoint);
    }

    /**
     * News of the live brokers: one with another broker epoch than before is tried at once, and what led to an earlier address
     * of it ends when its calls have.
     */
    public void brokersAre(Collection<BrokerRegistration> live) {
        for (BrokerRegistration broker : live) {
            Long before = brokerEpochs.put(broker.id(), broker.brokerEpoch());
            if (before == null || before != broker.brokerEpoch()) {
                registered(broker);
            }
        }
    }

    /** Cuts the connections to a broker that is gone; the next call opens another. */
    void disconnect(int brokerId) {
        for (Peer peer : connections.keySet()) {
            if (peer.brokerId() == brokerId) {
                cut(peer);
            }
        }
    }

    /** Cuts everything; calls fail from now on. */
    @Override
    public void close() {
        closed = true;
        connections.keySet().forEach(this::cut);
        loops.close();
    }

    private void registered(BrokerRegistration broker) {
        connections.forEach((peer, channel) -> {
            if (peer.brokerId() != broker.id()) {
                return;
            }
            if (peer.endpoint().equals(broker.peer())) {
                channel.resetConnectBackoff();
            } else {
                connections.remove(peer, channel);
                channel.shutdown();
            }
        });
    }

    private void cut(Peer peer) {
        ManagedChannel known = connections.remove(peer);
        if (known != null) {
            known.shutdownNow();
        }
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
