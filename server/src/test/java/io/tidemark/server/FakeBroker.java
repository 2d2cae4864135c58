package io.tidemark.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.coordination.broker.PeerIdentifier.Identity;
import io.tidemark.coordination.broker.PeerProbe.Outcome;
import io.tidemark.coordination.broker.PeerProbe.Suspect;
import io.tidemark.coordination.broker.ProducerIds;
import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.controller.BrokerCommands.LogEndAnswer;
import io.tidemark.coordination.controller.BrokerCommands.LogEnds;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.OffsetLookup;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.peer.GrpcControllerChannel;
import io.tidemark.server.peer.PeerConnections;
import io.tidemark.server.peer.PeerSettings;
import io.tidemark.server.rpc.AdminService;
import io.tidemark.server.rpc.BrokerCommandService;
import io.tidemark.server.rpc.ControllerPort;
import io.tidemark.server.rpc.ControllerService;
import io.tidemark.server.rpc.FetchPort;
import io.tidemark.server.rpc.FetchService;
import io.tidemark.server.rpc.Forwarded;
import io.tidemark.server.rpc.GrpcListeners;
import io.tidemark.server.rpc.Health;
import io.tidemark.server.rpc.InFlightBytes;
import io.tidemark.server.rpc.ListenerSettings;
import io.tidemark.server.rpc.LocalController;
import io.tidemark.server.rpc.MessageLimits;
import io.tidemark.server.rpc.MetadataService;
import io.tidemark.server.rpc.OpenStreams;
import io.tidemark.server.rpc.ProducePort;
import io.tidemark.server.rpc.ProduceService;
import io.tidemark.server.rpc.PushTarget;
import io.tidemark.server.rpc.ReplicaFetchPort;
import io.tidemark.server.rpc.ReplicaFetchService;
import io.tidemark.server.rpc.RequestMeters;
import io.tidemark.server.rpc.StreamContext;
import io.tidemark.server.rpc.Suspicions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A broker's listeners on loopback over handlers that a test sets. */
public final class FakeBroker implements AutoCloseable {
    public static final String CLUSTER_ID = "cluster-1";
    public static final long NONCE = 4711;
    private static final Endpoint ANY_PORT = new Endpoint("127.0.0.1", 0);

    public final int id;
    public final TestLoop loop;
    public final MeterRegistry registry = new SimpleMeterRegistry();
    public final Health health = new Health();
    public final PeerSettings peerSettings;
    public final PeerConnections connections;
    public final GrpcControllerChannel controllerChannel;
    public final BrokerCommandService commands;
    public final GrpcListeners listeners;

    public volatile ProducePort produce = (request, answer) -> {
        throw new IllegalStateException("no produce is expected");
    };
    public volatile FetchPort fetch = (request, answer) -> {
        throw new IllegalStateException("no fetch is expected");
    };
    public volatile ReplicaFetchPort replicaFetch = (request, answer) -> {
        answer.accept(new ReplicaFetch.Answer(ErrorCode.NONE, 1, List.of()));
        return () -> {};
    };
    public volatile PushTarget pushes = push -> new Push.Answer(push.sequence(), Push.Result.APPLIED);
    public final FakeSuspicions suspicions = new FakeSuspicions();
    public volatile ControllerPort controller = (request, answer) ->
            answer.accept(new Answer.Refused(ErrorCode.NOT_CONTROLLER, "broker is not the controller"));

    /** Counts streams that ended, and is of the opinion that it is given. */
    public static final class FakeSuspicions implements Suspicions {
        public final AtomicInteger endedStreams = new AtomicInteger();
        public final Queue<Suspect> suspects = new ConcurrentLinkedQueue<>();
        public volatile Outcome opinion = Outcome.UNKNOWN;

        @Override
        public void controllerStreamEnded() {
            endedStreams.incrementAndGet();
        }

        @Override
        public void probe(Suspect suspect, Consumer<Outcome> answer) {
            suspects.add(suspect);
            answer.accept(opinion);
        }
    }

    public FakeBroker(int id) throws IOException {
        this(id, ANY_PORT, new MessageLimits(8 << 20, 64 << 20), Duration.ofSeconds(10));
    }

    public FakeBroker(int id, Endpoint peerAddress, MessageLimits limits, Duration fetchMargin) throws IOException {
        this.id = id;
        this.loop = new TestLoop("test-" + id);
        PeerSettings usual = PeerSettings.of(limits);
        PeerSettings.Timeouts timeouts = new PeerSettings.Timeouts(
                fetchMargin,
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                Duration.ofSeconds(2),
                Duration.ofSeconds(2));
        this.peerSettings = new PeerSettings(1, limits.peerMaxBytes(), 1 << 20, usual.reconnectPause(), timeouts);
        this.connections = new PeerConnections(peerSettings, loop, new SeededRandomness(id));
        LocalController local =
                new LocalController((request, to) -> controller.request(request, to), new SeededRandomness(id));
        this.controllerChannel = new GrpcControllerChannel(
                new GrpcControllerChannel.Self(id, () -> 100 + id), local, connections, peerSettings, loop);
        StreamContext clients = context(new InFlightBytes(64 << 20));
        StreamContext peers = context(InFlightBytes.unlimited());
        this.commands = new BrokerCommandService(
                new BrokerCommandService.Targets(
                        push -> pushes.onPush(push),
                        logs -> new LogEnds(
                                100 + id,
                                logs.stream()
                                        .map(log -> new LogEndAnswer(log.partition(), true, 3, 50))
                                        .toList()),
                        new Identity(CLUSTER_ID, id, NONCE),
                        loop,
                        suspicions),
                peers);
        this.listeners = GrpcListeners.start(
                ListenerSettings.of(ANY_PORT, peerAddress, limits),
                new GrpcListeners.Services(clientServices(clients), clients),
                new GrpcListeners.Services(
                        List.of(
                                new ReplicaFetchService(
                                        (request, answer) -> replicaFetch.fetch(request, answer), peers),
                                commands,
                                new ControllerService(local, peers)),
                        peers),
                health,
                registry);
    }

    private List<io.grpc.BindableService> clientServices(StreamContext clients) {
        return List.of(
                new ProduceService(
                        (request, answer) -> produce.produce(request, answer),
                        answer -> answer.accept(new ProducerIds.Allocated(ErrorCode.NONE, 7)),
                        clients),
                new FetchService(
                        (request, answer) -> fetch.fetch(request, answer),
                        (partition, which, epoch) -> new OffsetLookup.Found(12, 3),
                        (questions, isWanted, answer) -> answer.accept(questions.stream()
                                .<OffsetLookup>map(question -> new OffsetLookup.Found(question.timestampMs() / 10, 3))
                                .toList()),
                        4 << 20,
                        clients),
                new MetadataService(new MetadataCache(), CLUSTER_ID, id, clients),
                new AdminService(
                        controllerChannel,
                        (request, timeout, answer) -> {
                            answer.accept(new Forwarded.NotSent<>("nobody leads"));
                            return () -> {};
                        },
                        loop,
                        clients));
    }

    private StreamContext context(InFlightBytes budget) {
        return new StreamContext(new OpenStreams(), budget, new RequestMeters(registry, new ManualClock()));
    }

    public Endpoint clientEndpoint() {
        return new Endpoint("127.0.0.1", listeners.clientPort());
    }

    public Endpoint peerEndpoint() {
        return new Endpoint("127.0.0.1", listeners.peerPort());
    }

    public BrokerRegistration registration() {
        return new BrokerRegistration(
                id, 100 + id, NONCE, clientEndpoint(), peerEndpoint(), ANY_PORT, "", List.of(), -1);
    }

    @Override
    public void close() {
        listeners.stopClients(Duration.ZERO);
        listeners.stopPeers(Duration.ZERO);
        connections.close();
        loop.close();
    }
}
