package io.tidemark.server.rpc;

import io.grpc.Attributes;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.tidemark.model.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One listening port with its own threads, health and reflection. */
final class GrpcListener {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcListener.class);
    private static final int MAX_STREAMS_PER_CONNECTION = 10_000;

    private final Spec spec;
    private final NettyLoops boss;
    private final NettyLoops workers;
    private final ConnectionCount connections;
    private final Server server;
    private volatile int port;

    /**
     * @param name in logs, threads and metrics
     * @param address to bind
     * @param threads that move bytes and run handlers
     * @param maxMessageBytes of one received message
     */
    record Spec(String name, Endpoint address, int threads, int maxMessageBytes, int windowBytes) {}

    private GrpcListener(Spec spec, List<BindableService> services) {
        this.spec = spec;
        this.boss = new NettyLoops(spec.name() + "-accept", 1);
        this.workers = new NettyLoops(spec.name() + "-io", spec.threads());
        this.connections = new ConnectionCount();
        this.server = server(services);
    }

    /** Binds; an address that cannot be bound is named in the exception. */
    static GrpcListener start(Spec spec, List<BindableService> services) throws IOException {
        TransportReports.keepToNews();
        GrpcListener listener = new GrpcListener(spec, services);
        try {
            listener.server.start();
            listener.port = listener.server.getPort();
            return listener;
        } catch (IOException | RuntimeException e) {
            listener.closeLoops();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    "cannot listen for " + spec.name() + " on " + spec.address() + ": " + cause.getMessage(), e);
        }
    }

    /** The port that was bound; also after the stop. */
    int port() {
        return port;
    }

    /** What its handlers put off is done at the end of each pass of its loops. */
    void collectIn(LoopPasses passes) {
        passes.add(workers);
    }

    int connectionCount() {
        return connections.count();
    }

    /**
     * Takes no new connections and calls, lets streams answer what they took, and after {@code grace} ends what is left.
     * Waits for that.
     */
    void stop(OpenStreams streams, Duration grace) {
        server.shutdown();
        streams.finishAll();
        try {
            if (!server.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.info("cutting off {} streams of {} after {}", streams.count(), spec.name(), grace);
                server.shutdownNow();
                server.awaitTermination(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        closeLoops();
    }

    private void closeLoops() {
        boss.close();
        workers.close();
    }

    private Server server(List<BindableService> services) {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(
                        spec.address().host(), spec.address().port()))
                .bossEventLoopGroup(boss.group())
                .workerEventLoopGroup(workers.group())
                .channelType(NettyLoops.listening())
                .directExecutor()
                .flowControlWindow(spec.windowBytes())
                .maxInboundMessageSize(spec.maxMessageBytes())
                .maxConcurrentCallsPerConnection(MAX_STREAMS_PER_CONNECTION)
                .permitKeepAliveWithoutCalls(true)
                .permitKeepAliveTime(ListenerSettings.KEEPALIVE_PERMITTED.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTime(ListenerSettings.KEEPALIVE.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(ListenerSettings.KEEPALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .addTransportFilter(connections);
        services.forEach(service -> builder.addService(UnreadableMessages.refusedBy(service.bindService())));
        return builder.addService(ProtoReflectionServiceV1.newInstance())
                .addService(olderReflection())
                .build();
    }

    /** Tools of some age, Debian's among them, know reflection under its first name only. */
    @SuppressWarnings("deprecation") // the newer one is served beside it
    private static BindableService olderReflection() {
        return io.grpc.protobuf.services.ProtoReflectionService.newInstance();
    }

    /** Counts open connections. */
    private static final class ConnectionCount extends ServerTransportFilter {
        private final AtomicInteger open = new AtomicInteger();

        int count() {
            return open.get();
        }

        @Override
        public Attributes transportReady(Attributes attributes) {
            open.incrementAndGet();
            return attributes;
        }

        @Override
        public void transportTerminated(@Nullable Attributes attributes) {
            // Null for a connection that ended before it was ready, which was not counted.
            if (attributes != null) {
                open.decrementAndGet();
            }
        }
    }
}
