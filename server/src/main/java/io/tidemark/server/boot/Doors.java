package io.tidemark.server.boot;

import io.micrometer.core.instrument.Gauge;
import io.tidemark.coordination.broker.ProducerIds;
import io.tidemark.core.config.BrokerConfig;
import io.tidemark.replication.ReplicationAssembly;
import io.tidemark.server.http.HttpEndpoint;
import io.tidemark.server.http.JvmMeters;
import io.tidemark.server.http.PageSource;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.metadata.TopicSettings;
import io.tidemark.server.metrics.TopicMeters;
import io.tidemark.server.plain.PlainAccess;
import io.tidemark.server.rpc.AdminRoute;
import io.tidemark.server.rpc.AdminService;
import io.tidemark.server.rpc.BrokerCommandService;
import io.tidemark.server.rpc.ControllerService;
import io.tidemark.server.rpc.FetchService;
import io.tidemark.server.rpc.GrpcListeners;
import io.tidemark.server.rpc.Health;
import io.tidemark.server.rpc.InFlightBytes;
import io.tidemark.server.rpc.LeaderRoute;
import io.tidemark.server.rpc.LeaderService;
import io.tidemark.server.rpc.ListenerSettings;
import io.tidemark.server.rpc.LocalController;
import io.tidemark.server.rpc.LocalLeader;
import io.tidemark.server.rpc.MessageLimits;
import io.tidemark.server.rpc.MetadataService;
import io.tidemark.server.rpc.OffsetsPort;
import io.tidemark.server.rpc.OpenStreams;
import io.tidemark.server.rpc.PlainService;
import io.tidemark.server.rpc.ProduceService;
import io.tidemark.server.rpc.ReplicaFetchService;
import io.tidemark.server.rpc.RequestMeters;
import io.tidemark.server.rpc.StreamContext;
import io.tidemark.server.rpc.TimeSearches;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/** The three listeners: clients, peers and control, HTTP. */
final class Doors {
    private static final Duration GRACE = Duration.ofSeconds(2);
    /** Records of plain publishes between their receipt and their answer. */
    private static final long PLAIN_BUDGET_BYTES = 32L << 20;

    private final PlainAccess plainAccess;
    private final PlainService plain;
    private final Health health;
    private final GrpcListeners listeners;
    private final HttpEndpoint http;
    private final JvmMeters jvmMeters;
    private final TimeSearches timeSearches;

    /** What the services answer from. */
    record Inside(
            String clusterId,
            ReplicationAssembly replicas,
            MetadataCache metadata,
            ProducerIds producerIds,
            AdminRoute route,
            LeaderRoute leaders,
            LocalLeader leader,
            LocalController controller,
            BrokerCommandService commands,
            StreamContext peers,
            Health health,
            TopicMeters topics,
            SortedMap<String, PageSource> pages) {}

    Doors(BrokerConfig config, Foundation foundation, Inside inside) throws IOException {
        StreamContext clients = new StreamContext(
                new OpenStreams(),
                new InFlightBytes(config.requests().clientBudgetBytes()),
                meters(foundation),
                foundation.storageFailures()::isTripped);
        timeSearches = timeSearches(foundation, inside);
        health = inside.health();
        plainAccess = new PlainAccess(plainLimits(config, foundation, inside.metadata()), foundation.registry());
        plain = plainService(foundation, clients);
        listeners = GrpcListeners.start(
                ListenerSettings.of(
                        config.clientListener().bind(), config.peerListener().bind(), messageLimits(config)),
                forClients(config, foundation, inside, clients),
                forPeers(inside),
                inside.health(),
                foundation.registry());
        listeners.collectIn(foundation.passes());
        plainAccess.listening(config.clientListener().advertisedWith(listeners.clientPort()));
        jvmMeters = new JvmMeters(foundation.registry());
        http = HttpEndpoint.start(config.httpListener().bind(), inside.pages());
    }

    private static TimeSearches timeSearches(Foundation foundation, Inside inside) {
        TimeSearches started = TimeSearches.start(inside.replicas().local(), foundation.clock());
        Gauge.builder("tidemark.executor.queue.size", started, TimeSearches::underWay)
                .description("tasks that wait for a thread")
                .tag("pool", "tidemark-time-search")
                .register(foundation.registry());
        return started;
    }

    private GrpcListeners.Services forClients(
            BrokerConfig config, Foundation foundation, Inside inside, StreamContext clients) {
        ReplicationAssembly replicas = inside.replicas();
        return new GrpcListeners.Services(
                List.of(
                        new ProduceService(
                                inside.topics().produces(replicas.produces()::produce),
                                inside.producerIds()::allocate,
                                clients),
                        new FetchService(
                                inside.topics().fetches(replicas.fetches()::fetch),
                                OffsetsPort.of(replicas.local()),
                                timeSearches,
                                config.requests().fetchMaxBytes(),
                                clients),
                        new MetadataService(inside.metadata(), inside.clusterId(), config.brokerId(), clients),
                        new AdminService(inside.route(), inside.leaders(), foundation.scheduler(), clients),
                        plain),
                clients);
    }

    private static GrpcListeners.Services forPeers(Inside inside) {
        StreamContext peers = inside.peers();
        return new GrpcListeners.Services(
                List.of(
                        new ReplicaFetchService(
                                inside.topics().replicaFetches(inside.replicas().fetches()::fetchAsReplica), peers),
                        inside.commands(),
                        new ControllerService(inside.controller(), peers),
                        new LeaderService(inside.leader(), peers)),
                peers);
    }

    private static PlainAccess.Limits plainLimits(BrokerConfig config, Foundation foundation, MetadataCache metadata) {
        TopicSettings topics = new TopicSettings(config.log(), metadata);
        return new PlainAccess.Limits(
                messageLimits(config).clientMaxBytes(),
                config.log().messages().maxBytes(),
                topic -> topics.messages(topic)
                        .latestTimestampMs(foundation.clock().wallMs()));
    }

    /** With the clients' streams, and a budget of its own: see there why. */
    private PlainService plainService(Foundation foundation, StreamContext clients) {
        PlainService service = new PlainService(
                plainAccess.publishes(),
                plainAccess.subscriptions(),
                new StreamContext(clients.streams(), new InFlightBytes(PLAIN_BUDGET_BYTES), clients.meters()),
                foundation.scheduler());
        service.meter(foundation.registry());
        return service;
    }

    /** For both ends of every connection of this broker: what listens, and what calls peers. */
    static MessageLimits messageLimits(BrokerConfig config) {
        return MessageLimits.fitting(
                config.log().messages().maxBytes(), config.requests().fetchMaxBytes());
    }

    /** What the services for peers share; one for them all, so that a stop ends every stream. */
    static StreamContext peerContext(BrokerConfig config, Foundation foundation) {
        return new StreamContext(
                new OpenStreams(), new InFlightBytes(config.requests().peerBudgetBytes()), meters(foundation));
    }

    private static RequestMeters meters(Foundation foundation) {
        return new RequestMeters(foundation.registry(), foundation.clock());
    }

    int clientPort() {
        return listeners.clientPort();
    }

    int peerPort() {
        return listeners.peerPort();
    }

    int httpPort() {
        return http.port();
    }

    /**
     * Publishes first, while the listener still takes what they send: then the rest. Subscribers are told that the broker stops.
     */
    void closeClients() {
        health.stopping();
        plain.stopPublishing(GRACE);
        listeners.stopClients(GRACE);
        plainAccess.close();
    }

    void close() {
        closeClients();
        listeners.stopPeers(GRACE);
        timeSearches.close();
        http.close();
        jvmMeters.close();
    }
}
