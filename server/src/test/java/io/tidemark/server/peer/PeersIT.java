package io.tidemark.server.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.coordination.broker.ControllerChannel;
import io.tidemark.coordination.broker.PeerIdentifier.Identity;
import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.controller.BrokerCommands.LogEnds;
import io.tidemark.coordination.controller.BrokerCommands.LogQuery;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.IsrChannel;
import io.tidemark.replication.LeaderChannel;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.DamageReport;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.IsrProposal;
import io.tidemark.server.FakeBroker;
import io.tidemark.server.rpc.Forwarded;
import io.tidemark.server.rpc.MessageLimits;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.CreateTopicResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two brokers that talk to each other over real sockets; broker 1 calls, broker 2 answers. */
final class PeersIT extends TwoBrokers {
    private static final TopicId ID = new TopicId(3, 4);
    private static final TopicPartition PARTITION = new TopicPartition("a", 0);
    private static final MessageLimits LIMITS = new MessageLimits(8 << 20, 64 << 20);
    private static final Endpoint ANY_PORT = new Endpoint("127.0.0.1", 0);

    private LeaderChannel leader() {
        return new GrpcLeaderChannels(one.connections, one.peerSettings, one.loop).open(2, two.peerEndpoint());
    }

    private static ReplicaFetch.Request fetch() {
        return new ReplicaFetch.Request(new Follower(1, 101), 0, 1, 100, 1, 1 << 20, List.of(), List.of());
    }

    private static ReplicaFetch.Answer bytes(int sizeBytes) {
        ReplicaFetch.Result result =
                new ReplicaFetch.Result(PARTITION, ErrorCode.NONE, 5, 0, ByteBuffer.wrap(new byte[sizeBytes]), null);
        return new ReplicaFetch.Answer(ErrorCode.NONE, 9, List.of(result));
    }

    @Test
    void shouldFetchFromALeader() throws Exception {
        // given
        BlockingQueue<ReplicaFetch.Answer> answers = new LinkedBlockingQueue<>();
        two.replicaFetch = (request, answer) -> {
            answer.accept(bytes(1_000_000));
            return () -> {};
        };

        // then
        try (LeaderChannel channel = leader()) {
            for (int i = 0; i < 3; i++) {
                channel.fetch(fetch(), answers::add);
                ReplicaFetch.Answer answer = next(answers);
                assertThat(answer.error()).isEqualTo(ErrorCode.NONE);
                assertThat(answer.sessionId()).isEqualTo(9);
                assertThat(answer.results().get(0).batches().remaining()).isEqualTo(1_000_000);
            }
        }
    }

    @Test
    void shouldAnswerAFetchThatTheLeaderDoesNotAnswerAndReachItAgain() throws Exception {
        // given
        one.close();
        one = new FakeBroker(1, ANY_PORT, LIMITS, Duration.ofMillis(300));
        BlockingQueue<ReplicaFetch.Answer> answers = new LinkedBlockingQueue<>();
        AtomicInteger waiting = new AtomicInteger();
        two.replicaFetch = (request, answer) -> {
            waiting.incrementAndGet();
            return waiting::decrementAndGet;
        };
        LeaderChannel channel = leader();

        // when
        channel.fetch(fetch(), answers::add);

        // then
        assertThat(next(answers).error()).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        await("the leader holds nothing for a stream that is gone").until(() -> waiting.get() == 0);
        two.replicaFetch = (request, answer) -> {
            answer.accept(bytes(10));
            return () -> {};
        };
        await("on a busy machine more than one may be late").until(() -> {
            channel.fetch(fetch(), answers::add);
            return next(answers).error() == ErrorCode.NONE;
        });
        await("no timer stays behind").until(() -> one.loop.size() == 0);
    }

    @Test
    void shouldAnswerWhatIsOutstandingWhenTheChannelCloses() throws Exception {
        // given
        BlockingQueue<ReplicaFetch.Answer> answers = new LinkedBlockingQueue<>();
        AtomicInteger waiting = new AtomicInteger();
        two.replicaFetch = (request, answer) -> {
            waiting.incrementAndGet();
            return waiting::decrementAndGet;
        };
        LeaderChannel channel = leader();
        channel.fetch(fetch(), answers::add);
        await().until(() -> waiting.get() == 1);

        // when
        channel.close();
        channel.fetch(fetch(), answers::add);

        // then
        assertThat(next(answers).error()).isEqualTo(ErrorCode.BROKER_NOT_AVAILABLE);
        assertThat(next(answers).error()).isEqualTo(ErrorCode.BROKER_NOT_AVAILABLE);
        await().until(() -> waiting.get() == 0);
        assertThat(answers).isEmpty();
    }

    /** KNOWN_BUGS 44. */
    @Test
    void shouldReachARestartedBrokerSoon() throws Exception {
        // given
        BlockingQueue<ReplicaFetch.Answer> answers = new LinkedBlockingQueue<>();
        LeaderChannel channel = leader();
        Endpoint address = two.peerEndpoint();
        channel.fetch(fetch(), answers::add);
        assertThat(next(answers).error()).isEqualTo(ErrorCode.NONE);
        two.close();
        for (int i = 0; i < 20; i++) {
            channel.fetch(fetch(), answers::add);
            assertThat(next(answers).error()).isEqualTo(ErrorCode.BROKER_NOT_AVAILABLE);
        }

        // when
        two = new FakeBroker(2, address, LIMITS, Duration.ofSeconds(10));
        one.connections.brokersAre(List.of(two.registration()));

        // then
        await().atMost(Duration.ofSeconds(2)).until(() -> {
            channel.fetch(fetch(), answers::add);
            return next(answers).error() == ErrorCode.NONE;
        });
    }

    @Test
    void shouldReachARestartedBrokerSoonAlsoWithoutNews() throws Exception {
        // given
        BlockingQueue<ReplicaFetch.Answer> answers = new LinkedBlockingQueue<>();
        LeaderChannel channel = leader();
        Endpoint address = two.peerEndpoint();
        two.close();
        channel.fetch(fetch(), answers::add);
        assertThat(next(answers).error()).isEqualTo(ErrorCode.BROKER_NOT_AVAILABLE);

        // when
        two = new FakeBroker(2, address, LIMITS, Duration.ofSeconds(10));

        // then
        await().until(() -> {
            channel.fetch(fetch(), answers::add);
            return next(answers).error() == ErrorCode.NONE;
        });
    }

    private static Push.Request push(long sequence) {
        return new Push.Request(1, 5, 102, sequence, new ClusterUpdate(true, new TreeMap<>(), 1, List.of(), List.of()));
    }

    private GrpcBrokerCommands commands(GrpcBrokerCommands.Listener listener) {
        return new GrpcBrokerCommands(one.connections, one.peerSettings, one.loop, listener);
    }

    @Test
    void shouldPushInOrderOnTheLoopOfTheBroker() throws Exception {
        // given
        List<Long> applied = new CopyOnWriteArrayList<>();
        two.pushes = push -> {
            assertThat(two.loop.inLoop()).isTrue();
            applied.add(push.sequence());
            return new Push.Answer(push.sequence(), Push.Result.APPLIED);
        };
        BlockingQueue<Push.Answer> answers = new LinkedBlockingQueue<>();

        // when
        try (GrpcBrokerCommands commands = commands(new Heard())) {
            for (long sequence = 1; sequence <= 20; sequence++) {
                commands.push(two.registration(), push(sequence), answers::add);
            }

            // then
            for (long sequence = 1; sequence <= 20; sequence++) {
                assertThat(next(answers)).isEqualTo(new Push.Answer(sequence, Push.Result.APPLIED));
            }
        }
        assertThat(applied).hasSize(20).isSorted();
    }

    @Test
    void shouldAnswerAPushThatFailsWithNothing() throws Exception {
        // given
        two.pushes = push -> {
            throw new IllegalStateException("a bug");
        };
        BlockingQueue<Optional<Push.Answer>> answers = new LinkedBlockingQueue<>();

        // when
        try (GrpcBrokerCommands commands = commands(new Heard())) {
            commands.push(two.registration(), push(1), answer -> answers.add(Optional.ofNullable(answer)));
            assertThat(next(answers)).isEmpty();
            two.close();
            commands.push(two.registration(), push(1), answer -> answers.add(Optional.ofNullable(answer)));

            // then
            assertThat(next(answers)).isEmpty();
        }
    }

    @Test
    void shouldHearOfAStorageFailure() throws Exception {
        // given
        Heard heard = new Heard();
        BlockingQueue<Push.Answer> answers = new LinkedBlockingQueue<>();
        try (GrpcBrokerCommands commands = commands(heard)) {
            commands.push(two.registration(), push(1), answers::add);
            next(answers);

            // when
            int told = two.commands.announceStorageFailure();

            // then
            assertThat(told).isEqualTo(1);
            assertThat(next(heard.storageFailures)).isEqualTo("2@102");
            commands.push(two.registration(), push(2), answers::add);
            assertThat(next(answers).sequence()).isEqualTo(2);
        }
    }

    @Test
    void shouldAskABrokerWhoItIs() throws Exception {
        // given
        BlockingQueue<Optional<Identity>> answers = new LinkedBlockingQueue<>();
        BrokerRegistration registration = two.registration();
        GrpcBrokerCommands commands = commands(new Heard());

        // when
        commands.identify(registration, answer -> answers.add(Optional.ofNullable(answer)));

        // then
        assertThat(next(answers)).contains(new Identity(FakeBroker.CLUSTER_ID, 2, FakeBroker.NONCE));
        two.close();
        commands.identify(registration, answer -> answers.add(Optional.ofNullable(answer)));
        assertThat(next(answers)).isEmpty();
        two = new FakeBroker(2, registration.peer(), LIMITS, Duration.ofSeconds(1));
        BlockingQueue<Optional<Identity>> again = new LinkedBlockingQueue<>();
        new GrpcPeerIdentifier(one.connections, one.peerSettings)
                .identify(registration, answer -> again.add(Optional.ofNullable(answer)));
        assertThat(next(again)).as("an earlier refusal says nothing about now").isPresent();
    }

    @Test
    void shouldAskHowFarLogsGo() throws Exception {
        // given
        BlockingQueue<Optional<LogEnds>> answers = new LinkedBlockingQueue<>();
        GrpcBrokerCommands commands = commands(new Heard());

        // when
        commands.describeLogEnds(
                two.registration(),
                List.of(new LogQuery(ID, PARTITION)),
                answer -> answers.add(Optional.ofNullable(answer)));

        // then
        LogEnds ends = next(answers).orElseThrow();
        assertThat(ends.brokerEpoch()).isEqualTo(102);
        assertThat(ends.ends().get(0).partition()).isEqualTo(PARTITION);
        assertThat(ends.ends().get(0).logEndOffset()).isEqualTo(50);
    }

    private static final IsrProposal PROPOSAL =
            new IsrProposal(ID, PARTITION, 7, 8, List.of(new IsrProposal.ProposedMember(1, 101)));

    private static final PartitionState DECIDED =
            new PartitionState(ID, PARTITION, 1, 7, 9, List.of(1, 2), List.of(new Member(1, 5)), List.of(), 1, 3);

    @Test
    void shouldProposeToTheControllerWhereverItIs() throws Exception {
        // given
        Queue<ClusterEvent.Request> asked = new ConcurrentLinkedQueue<>();
        BlockingQueue<IsrChannel.Answer> answers = new LinkedBlockingQueue<>();
        for (FakeBroker broker : List.of(one, two)) {
            broker.controller = (request, answer) -> {
                asked.add(request.apply(broker.id));
                answer.accept(new Answer.IsrState(DECIDED));
            };
        }

        // when
        one.controllerChannel.propose(PROPOSAL, answers::add);
        one.controllerChannel.controllerIs(2, two.peerEndpoint());
        one.controllerChannel.propose(PROPOSAL, answers::add);
        assertThat(next(answers)).isEqualTo(new IsrChannel.Answer.Failed(ErrorCode.NOT_CONTROLLER));
        assertThat(next(answers)).isEqualTo(new IsrChannel.Answer.State(DECIDED));
        one.controllerChannel.controllerIs(1, one.peerEndpoint());
        one.controllerChannel.propose(PROPOSAL, answers::add);
        assertThat(next(answers)).isEqualTo(new IsrChannel.Answer.State(DECIDED));

        // then
        assertThat(asked.stream().map(ClusterEvent.Request::token)).containsExactly(2L, 1L);
        assertThat(((ClusterEvent.IsrProposed) asked.element()).proposerEpoch()).isEqualTo(101);
    }

    @Test
    void shouldNotWaitForADecisionWithoutEnd() throws Exception {
        // given
        BlockingQueue<IsrChannel.Answer> answers = new LinkedBlockingQueue<>();
        one.controller = (request, answer) -> {};
        two.controller = (request, answer) -> {};

        // when
        one.controllerChannel.controllerIs(1, one.peerEndpoint());
        one.controllerChannel.propose(PROPOSAL, answers::add);
        one.controllerChannel.controllerIs(2, two.peerEndpoint());
        one.controllerChannel.propose(PROPOSAL, answers::add);

        // then
        IsrChannel.Answer timedOut = new IsrChannel.Answer.Failed(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(next(answers)).isEqualTo(timedOut);
        assertThat(next(answers)).isEqualTo(timedOut);
    }

    @Test
    void shouldCarryWhatABrokerAsksOfTheController() throws Exception {
        // given
        BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
        one.controllerChannel.controllerIs(2, two.peerEndpoint());

        // when
        two.controller = (request, answer) -> answer.accept(new Answer.ProducerIdBlock(1_000, 500));
        one.controllerChannel.allocateProducerIds(101, answers::add);
        assertThat(next(answers)).isEqualTo(new ControllerChannel.ProducerIdsAnswer(ErrorCode.NONE, 1_000, 500));
        two.controller = (request, answer) -> answer.accept(new Answer.ShutdownProgress(List.of(PARTITION)));
        one.controllerChannel.controlledShutdown(101, answers::add);

        // then
        assertThat(next(answers)).isEqualTo(new ControllerChannel.ShutdownAnswer(ErrorCode.NONE, List.of(PARTITION)));
    }

    // DESIGN 3: a broker tells the controller that its copy is damaged
    // Fails if: GrpcControllerChannel.report leaves a field out, or takes a refusal for success
    @Test
    void shouldCarryTheReportOfADamage() throws Exception {
        // given
        BlockingQueue<ErrorCode> answers = new LinkedBlockingQueue<>();
        BlockingQueue<ClusterEvent.Request> asked = new LinkedBlockingQueue<>();
        one.controllerChannel.controllerIs(2, two.peerEndpoint());
        DamageReport report = new DamageReport(new TopicId(5, 6), PARTITION, 7);

        // when
        two.controller = (request, answer) -> {
            asked.add(request.apply(1));
            answer.accept(new Answer.Done());
        };
        one.controllerChannel.report(report, answers::add);
        assertThat(next(answers)).isEqualTo(ErrorCode.NONE);
        two.controller = (request, answer) ->
                answer.accept(new Answer.Refused(ErrorCode.INELIGIBLE_REPLICA, "it is the last copy"));
        one.controllerChannel.report(report, answers::add);

        // then
        assertThat(next(answers)).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
        assertThat(asked).containsExactly(new ClusterEvent.DamageReported(1, 1, 101, report.topicId(), PARTITION, 7));
    }

    @Test
    void shouldTellALostAttemptFromOneThatWasNeverMade() throws Exception {
        // given
        BlockingQueue<Forwarded<CreateTopicResponse>> answers = new LinkedBlockingQueue<>();
        CreateTopicRequest request =
                CreateTopicRequest.newBuilder().setName("a").build();

        // when
        one.controllerChannel.createTopic(request, Duration.ofSeconds(5), answers::add);
        assertThat(next(answers)).isInstanceOf(Forwarded.NotSent.class);
        one.controllerChannel.controllerIs(2, two.peerEndpoint());
        two.close();
        one.controllerChannel.createTopic(request, Duration.ofSeconds(5), answers::add);
        assertThat(next(answers)).isInstanceOf(Forwarded.Unknown.class);
        one.controllerChannel.noController();
        one.controllerChannel.createTopic(request, Duration.ofSeconds(5), answers::add);

        // then
        assertThat(next(answers)).isInstanceOf(Forwarded.NotSent.class);
    }

    /** KNOWN_BUGS 43: finished calls leave no timers behind. */
    @Test
    void shouldKeepNoTimersOfFinishedCalls() throws Exception {
        // given
        BlockingQueue<ReplicaFetch.Answer> answers = new LinkedBlockingQueue<>();
        try (LeaderChannel channel = leader()) {
            // when
            for (int i = 0; i < 500; i++) {
                channel.fetch(fetch(), answers::add);
                assertThat(next(answers).error()).isEqualTo(ErrorCode.NONE);
            }
        }

        // then
        await().until(() -> one.loop.size() == 0);
    }
}
