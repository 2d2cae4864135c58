package io.tidemark.sim;

import io.tidemark.coordination.broker.ControllerChannel;
import io.tidemark.coordination.broker.PeerProbe;
import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.IsrProposal.ProposedMember;
import io.tidemark.coordination.controller.BrokerCommands;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.IsrChannel;
import io.tidemark.replication.LeaderChannel;
import io.tidemark.replication.LeaderChannels;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.DamageReport;
import io.tidemark.replication.partition.IsrProposal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One process's ways to its peers and the controller, as messages. */
final class SimPeers implements LeaderChannels, ControllerChannel, BrokerCommands, PeerProbe {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration IDENTIFY_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration OPINION_TIMEOUT = Duration.ofMillis(500);
    private static final Duration FETCH_MARGIN = Duration.ofSeconds(1);

    private final ProcessThreads threads;
    private final SimNetwork network;
    private final SortedMap<Integer, SimHost> hosts;
    private final LongSupplier brokerEpoch;
    private final SortedMap<Integer, PushStream> pushes = new TreeMap<>();
    private StreamBreaks breaks = (brokerId, epoch) -> {};
    private boolean tellsOfItsEnd;
    private int controller = -1;

    SimPeers(ProcessThreads threads, SimNetwork network, SortedMap<Integer, SimHost> hosts, LongSupplier brokerEpoch) {
        this.threads = threads;
        this.network = network;
        this.hosts = hosts;
        this.brokerEpoch = brokerEpoch;
    }

    /** Hears of streams to brokers that broke. */
    @FunctionalInterface
    interface StreamBreaks {
        void brokerStreamBroke(int brokerId, long brokerEpoch);
    }

    /** Breaks of its push streams are told from now on, here and, when this process ends, to the brokers. */
    void tellBreaks(StreamBreaks listener) {
        breaks = listener;
        tellsOfItsEnd = true;
    }

    /** Who the controller is, or -1. */
    void controllerIs(int brokerId) {
        controller = brokerId;
    }

    private SimHost host(int id) {
        SimHost host = hosts.get(id);
        if (host == null) {
            throw new IllegalArgumentException("no host " + id);
        }
        return host;
    }

    private SimNetwork.Route route(MessageKind kind, int to, Duration timeout) {
        return new SimNetwork.Route(kind, threads, host(to), timeout);
    }

    @Override
    public LeaderChannel open(int leaderId, Endpoint peer) {
        SimHost leader = host(leaderId);
        return new SimLeaderChannel(leader, network.open(MessageKind.FETCH, threads, leader));
    }

    private record SimLeaderChannel(SimHost leader, SimStream stream) implements LeaderChannel {
        @Override
        public void fetch(ReplicaFetch.Request request, Consumer<ReplicaFetch.Answer> answer) {
            stream.<ReplicaFetch.Answer>call(
                    Duration.ofMillis(request.maxWaitMs()).plus(FETCH_MARGIN),
                    reply -> {
                        var unused = leader.running().replication().fetches().fetchAsReplica(request, reply);
                    },
                    result -> answer.accept(
                            result == null ? ReplicaFetch.Answer.failed(ErrorCode.REQUEST_TIMED_OUT) : result));
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    /** The {@link IsrChannel} of this process. */
    void propose(IsrProposal proposal, Consumer<IsrChannel.Answer> answer) {
        List<ProposedMember> members = proposal.members().stream()
                .map(member -> new ProposedMember(member.brokerId(), member.brokerEpoch()))
                .toList();
        long epoch = brokerEpoch.getAsLong();
        askController(
                MessageKind.PROPOSE,
                token -> new ClusterEvent.IsrProposed(
                        token,
                        threads.id(),
                        epoch,
                        new io.tidemark.coordination.cluster.IsrProposal(
                                proposal.topicId(),
                                proposal.partition(),
                                proposal.leaderEpoch(),
                                proposal.partitionEpoch(),
                                members)),
                result -> answer.accept(
                        result instanceof Answer.IsrState decided
                                ? new IsrChannel.Answer.State(decided.state())
                                : new IsrChannel.Answer.Failed(error(result))));
    }

    /** The {@link io.tidemark.replication.DamageChannel} of this process. */
    void reportDamage(DamageReport report, Consumer<ErrorCode> answer) {
        long epoch = brokerEpoch.getAsLong();
        askController(
                MessageKind.DAMAGE,
                token -> new ClusterEvent.DamageReported(
                        token, threads.id(), epoch, report.topicId(), report.partition(), report.leaderEpoch()),
                result -> answer.accept(result instanceof Answer.Done ? ErrorCode.NONE : error(result)));
    }

    /** Tells the controller that this broker's disk failed; false if none is known, so that nobody hears of it. */
    boolean tellStorageFailed() {
        if (controller < 0) {
            return false;
        }
        SimHost told = host(controller);
        long epoch = brokerEpoch.getAsLong();
        network.tell(
                MessageKind.STORAGE_FAILED, threads, told, () -> told.running().storageFailedAt(threads.id(), epoch));
        return true;
    }

    @Override
    public void controlledShutdown(long epoch, Consumer<ShutdownAnswer> answer) {
        askController(
                MessageKind.SHUTDOWN,
                token -> new ClusterEvent.ControlledShutdownRequested(token, threads.id(), epoch),
                result -> answer.accept(
                        result instanceof Answer.ShutdownProgress progress
                                ? new ShutdownAnswer(ErrorCode.NONE, progress.remaining())
                                : new ShutdownAnswer(error(result), List.of())));
    }

    @Override
    public void allocateProducerIds(long epoch, Consumer<ProducerIdsAnswer> answer) {
        askController(
                MessageKind.PRODUCER_IDS,
                token -> new ClusterEvent.ProducerIdsRequested(token, threads.id(), epoch),
                result -> answer.accept(
                        result instanceof Answer.ProducerIdBlock block
                                ? new ProducerIdsAnswer(ErrorCode.NONE, block.firstId(), block.count())
                                : new ProducerIdsAnswer(error(result), -1, 0)));
    }

    private static ErrorCode error(@Nullable Answer answer) {
        return answer instanceof Answer.Refused refused ? refused.error() : ErrorCode.REQUEST_TIMED_OUT;
    }

    private void askController(
            MessageKind kind, LongFunction<ClusterEvent.Request> request, Consumer<@Nullable Answer> answer) {
        if (controller < 0) {
            answer.accept(new Answer.Refused(ErrorCode.NOT_CONTROLLER, "no controller is known"));
            return;
        }
        SimHost asked = host(controller);
        network.<Answer>call(
                route(kind, controller, CALL_TIMEOUT), reply -> asked.running().ask(request, reply), answer);
    }

    @Override
    public void push(BrokerRegistration to, Push.Request push, Consumer<Push.@Nullable Answer> answer) {
        SimHost broker = host(to.id());
        pushStream(to)
                .stream
                .<Push.Answer>call(CALL_TIMEOUT, reply -> broker.running().onPush(push, reply), answer);
    }

    @Override
    public void hold(BrokerRegistration to) {
        pushStream(to).stream.open();
    }

    private PushStream pushStream(BrokerRegistration to) {
        PushStream stream = pushes.computeIfAbsent(to.id(), id -> new PushStream(host(id)));
        stream.brokerEpoch = to.brokerEpoch();
        return stream;
    }

    @Override
    public void connect(Endpoint at, Consumer<Outcome> outcome) {
        SimHost there = hosts.values().stream()
                .filter(host -> host.endpoint().equals(at))
                .findFirst()
                .orElseThrow();
        network.connect(threads, there, outcome);
    }

    @Override
    public void secondOpinion(BrokerRegistration of, Suspect about, Consumer<@Nullable Outcome> answer) {
        SimHost broker = host(of.id());
        network.<Outcome>call(
                route(MessageKind.PROBE_PEER, of.id(), OPINION_TIMEOUT),
                reply -> broker.running().probe(about, reply),
                answer);
    }

    /** The stream to one broker, and the life of the broker that was spoken to last. */
    private final class PushStream implements SimStream.Ends {
        private final SimHost broker;
        private final SimStream stream;
        private long brokerEpoch;

        PushStream(SimHost broker) {
            this.broker = broker;
            this.stream = network.open(MessageKind.PUSH, threads, broker, this);
        }

        @Override
        public void broke() {
            breaks.brokerStreamBroke(broker.id(), brokerEpoch);
        }

        @Override
        public Optional<Runnable> callerGone() {
            return tellsOfItsEnd ? Optional.of(() -> broker.running().controllerStreamEnded()) : Optional.empty();
        }
    }

    @Override
    public void identify(BrokerRegistration at, Consumer<@Nullable Identity> answer) {
        SimHost broker = host(at.id());
        network.<Identity>call(
                route(MessageKind.IDENTIFY, at.id(), IDENTIFY_TIMEOUT),
                reply -> reply.accept(broker.running().identity()),
                answer);
    }

    @Override
    public void describeLogEnds(BrokerRegistration of, List<LogQuery> logs, Consumer<@Nullable LogEnds> answer) {
        SimHost broker = host(of.id());
        network.<LogEnds>call(
                route(MessageKind.LOG_ENDS, of.id(), CALL_TIMEOUT),
                reply -> broker.running().describeLogEnds(logs, reply),
                answer);
    }

    @Override
    public void disconnect(int brokerId) {
        PushStream closed = pushes.remove(brokerId);
        if (closed != null) {
            closed.stream.close();
        }
    }
}
