package io.tidemark.client.net;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.tidemark.model.Endpoint;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Connections over gRPC: one channel per broker, one event loop for all, callbacks on the transport's thread (a hand-over
 * would halve the throughput on two cores).
 */
public final class GrpcTransport implements ClientTransport {
    private static final int FLOW_CONTROL_WINDOW_BYTES = 8 << 20;
    private static final long CLOSE_QUIET_MS = 0;
    private static final long CLOSE_TIMEOUT_MS = 1_000;

    private final Settings settings;
    private final EventLoopGroup group;
    private final Class<? extends Channel> channelType;

    /**
     * @param callTimeout deadline of unary calls, counted from each call
     * @param maxMessageBytes largest message either way
     */
    public record Settings(Duration callTimeout, int maxMessageBytes) {
        public static final Settings DEFAULT = new Settings(Duration.ofSeconds(5), 64 << 20);
    }

    public GrpcTransport(Settings settings) {
        this.settings = settings;
        DefaultThreadFactory threads = new DefaultThreadFactory("tidemark-client-io", true);
        boolean epoll = Epoll.isAvailable();
        this.group = new MultiThreadIoEventLoopGroup(
                1, threads, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        this.channelType = epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    @Override
    public BrokerConnection connect(Endpoint broker) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(broker.host(), broker.port())
                .usePlaintext()
                .eventLoopGroup(group)
                .channelType(channelType)
                .directExecutor()
                .flowControlWindow(FLOW_CONTROL_WINDOW_BYTES)
                .maxInboundMessageSize(settings.maxMessageBytes())
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS)
                .build();
        return new GrpcBrokerConnection(channel, broker, settings.callTimeout());
    }

    @Override
    public void close() {
        var unused = group.shutdownGracefully(CLOSE_QUIET_MS, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }
}
