package io.tidemark.sim;

import io.tidemark.coordination.broker.ControllerChannel;
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
import io.tidemark.replication.partition.IsrProposal;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** One process's ways to its peers and the controller, as messages. What comes back after its death is dropped. */
final class SimPeers implements LeaderChannels, ControllerChannel, BrokerCommands {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration IDENTIFY_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration FETCH_MARGIN = Duration.ofSeconds(1);

    private final int self;
    private final SimNetwork network;
    private final SortedMap<Integer, SimHost> hosts;
    private final ProcessThreads threads;
    private final java.util.function.LongSupplier brokerEpoch;
    private int controller = -1;

    SimPeers(
            int self,
            SimNetwork network,
            SortedMap<Integer, SimHost> hosts,
            ProcessThreads threads,
            java.util.function.LongSupplier brokerEpoch) {
        this.self = self;
        this.network = network;
        this.hosts = hosts;
        this.threads = threads;
        this.brokerEpoch = brokerEpoch;
    }

    /** Who the controller is, or -1. */
    void controllerIs(int brokerId) {
        controller = brokerId;
    }

    private <T> Consumer<@Nullable T> alive(Consumer<@Nullable T> answer) {
        return result -> {
            if (threads.isAlive()) {
                answer.accept(result);
            }
        };
    }

    private SimNetwork.@Nullable Route route(int to, Duration timeout) {
        SimHost host = hosts.get(to);
        return host == null ? null : new SimNetwork.Route(self, host, timeout);
    }

    private static SimProcess processOf(SimHost host) {
        SimProcess process = host.process();
        if (process == null) {
            throw new IllegalStateException("nobody listens at " + host.id());
        }
        return process;
    }

    @Override
    public LeaderChannel open(int leaderId, Endpoint peer) {
        return new SimLeaderChannel(leaderId);
    }

    private final class SimLeaderChannel implements LeaderChannel {
        private final int leader;
        private boolean closed;

        SimLeaderChannel(int leader) {
            this.leader = leader;
        }

        @Override
        public void fetch(ReplicaFetch.Request request, Consumer<ReplicaFetch.Answer> answer) {
            SimNetwork.Route route =
                    route(leader, Duration.ofMillis(request.maxWaitMs()).plus(FETCH_MARGIN));
            if (closed || route == null) {
                answer.accept(ReplicaFetch.Answer.failed(ErrorCode.BROKER_NOT_AVAILABLE));
                return;
            }
            network.<ReplicaFetch.Answer>call(
                    route,
                    (host, reply) -> {
                        var unused = processOf(host).replication().fetches().fetchAsReplica(request, reply);
                    },
                    alive(result -> answer.accept(
                            result == null || closed
                                    ? ReplicaFetch.Answer.failed(ErrorCode.REQUEST_TIMED_OUT)
                                    : result)));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** The {@link IsrChannel} of this process. */
    void propose(IsrProposal proposal, Consumer<IsrChannel.Answer> answer) {
        List<ProposedMember> members = proposal.members().stream()
                .map(member -> new ProposedMember(member.brokerId(), member.brokerEpoch()))
                .toList();
        long epoch = brokerEpoch.getAsLong();
        askController(
                token -> new ClusterEvent.IsrProposed(
                        token,
                        self,
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

    @Override
    public void controlledShutdown(long epoch, Consumer<ShutdownAnswer> answer) {
        askController(
                token -> new ClusterEvent.ControlledShutdownRequested(token, self, epoch),
                result -> answer.accept(
                        result instanceof Answer.ShutdownProgress progress
                                ? new ShutdownAnswer(ErrorCode.NONE, progress.remaining())
                                : new ShutdownAnswer(error(result), List.of())));
    }

    @Override
    public void allocateProducerIds(long epoch, Consumer<ProducerIdsAnswer> answer) {
        askController(
                token -> new ClusterEvent.ProducerIdsRequested(token, self, epoch),
                result -> answer.accept(
                        result instanceof Answer.ProducerIdBlock block
                                ? new ProducerIdsAnswer(ErrorCode.NONE, block.firstId(), block.count())
                                : new ProducerIdsAnswer(error(result), -1, 0)));
    }

    private static ErrorCode error(@Nullable Answer answer) {
        return answer instanceof Answer.Refused refused ? refused.error() : ErrorCode.REQUEST_TIMED_OUT;
    }

    private void askController(LongFunction<ClusterEvent.Request> request, Consumer<@Nullable Answer> answer) {
        SimNetwork.Route route = route(controller, CALL_TIMEOUT);
        if (route == null) {
            answer.accept(new Answer.Refused(ErrorCode.NOT_CONTROLLER, "no controller is known"));
            return;
        }
        network.<Answer>call(route, (host, reply) -> processOf(host).ask(request, reply), alive(answer));
    }

    @Override
    public void push(BrokerRegistration to, Push.Request push, Consumer<Push.@Nullable Answer> answer) {
        SimNetwork.Route route = route(to.id(), CALL_TIMEOUT);
        if (route != null) {
            network.<Push.Answer>call(route, (host, reply) -> processOf(host).onPush(push, reply), alive(answer));
        }
    }

    @Override
    public void identify(BrokerRegistration at, Consumer<@Nullable Identity> answer) {
        SimNetwork.Route route = route(at.id(), IDENTIFY_TIMEOUT);
        if (route != null) {
            network.<Identity>call(
                    route, (host, reply) -> reply.accept(processOf(host).identity()), alive(answer));
        }
    }

    @Override
    public void describeLogEnds(BrokerRegistration of, List<LogQuery> logs, Consumer<@Nullable LogEnds> answer) {
        SimNetwork.Route route = route(of.id(), CALL_TIMEOUT);
        if (route != null) {
            network.<LogEnds>call(
                    route, (host, reply) -> reply.accept(processOf(host).logEnds(logs)), alive(answer));
        }
    }

    @Override
    public void disconnect(int brokerId) {}
}
