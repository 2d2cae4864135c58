package io.tidemark.sim.client;

import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.FetchLane;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.Wire;
import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.ClusterEvent.TopicConfigsRequested.Effect;
import io.tidemark.coordination.cluster.TopicSpec;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.sim.MessageKind;
import io.tidemark.sim.ProcessThreads;
import io.tidemark.sim.SimHost;
import io.tidemark.sim.SimNetwork;
import io.tidemark.sim.SimStream;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One broker over the simulated network: produces go over one stream, the fetches of each lane over another, all else are single
 * calls.
 *
 * <p>The network says only that no answer comes, not why. So a call that found nobody at its host fails with an unknown outcome,
 * where gRPC knows that it was never sent: a client that is told less must not lose more.
 */
final class SimBrokerConnection implements BrokerConnection {
    /** Longer than the network and a live broker need; a stream that is silent for longer is broken, as by gRPC's keep-alive. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);

    private final SimNetwork network;
    private final ProcessThreads threads;
    private final SimHost broker;
    private final ClientDoor door;
    private final SimStream produces;
    private final Set<Lane> lanes = new LinkedHashSet<>();
    private boolean closed;

    SimBrokerConnection(SimNetwork network, ProcessThreads threads, SimHost broker, ClientDoor door) {
        this.network = network;
        this.threads = threads;
        this.broker = broker;
        this.door = door;
        this.produces = network.open(MessageKind.PRODUCE, threads, broker);
    }

    @Override
    public void produce(Wire.ProduceCall call, Consumer<Reply<List<Wire.ProduceResult>>> answer) {
        if (refusesWhenClosed(answer)) {
            return;
        }
        produces.<List<Wire.ProduceResult>>call(
                Duration.ofMillis(call.timeoutMs()).plus(MARGIN),
                reply -> door.produce(call, reply),
                results -> answer.accept(replyOf(results)));
    }

    @Override
    public FetchLane openFetches() {
        Lane lane = new Lane(network.open(MessageKind.CONSUME, threads, broker));
        if (closed) {
            lane.close();
        } else {
            lanes.add(lane);
        }
        return lane;
    }

    @Override
    public void metadata(Wire.MetadataCall call, Consumer<Reply<Metadata>> answer) {
        this.<Metadata, Metadata>call(
                MessageKind.METADATA,
                reply -> reply.accept(door.metadata(call)),
                told -> answer.accept(replyOf(told)),
                answer);
    }

    @Override
    public void initProducerId(Consumer<Reply<Wire.ProducerIdentity>> answer) {
        this.<Reply<Wire.ProducerIdentity>, Wire.ProducerIdentity>call(
                MessageKind.INIT_PRODUCER, door::initProducerId, told -> answer.accept(flat(told)), answer);
    }

    @Override
    public Cancellable listOffsets(List<Wire.OffsetQuery> queries, Consumer<Reply<List<Wire.OffsetResult>>> answer) {
        CancellableAnswer<Reply<List<Wire.OffsetResult>>> wanted = new CancellableAnswer<>(answer);
        this.<List<Wire.OffsetResult>, List<Wire.OffsetResult>>call(
                MessageKind.LIST_OFFSETS,
                reply -> reply.accept(door.listOffsets(queries)),
                told -> wanted.accept(replyOf(told)),
                wanted);
        return wanted;
    }

    @Override
    public void createTopic(Wire.TopicCreation topic, Consumer<Reply<String>> answer) {
        TopicSpec spec = new TopicSpec(topic.name(), topic.partitions(), topic.replicationFactor(), topic.configs());
        admin(
                reply -> door.createTopic(spec, reply),
                decided -> decided instanceof Answer.TopicCreated created
                        ? created.topicId().toString()
                        : null,
                answer);
    }

    @Override
    public void deleteTopic(String topic, Consumer<Reply<String>> answer) {
        admin(
                reply -> door.admin(token -> new ClusterEvent.TopicDeletionRequested(token, topic), reply),
                decided -> decided instanceof Answer.Done ? topic : null,
                answer);
    }

    @Override
    public void alterTopic(Wire.TopicAlteration topic, Consumer<Reply<SortedMap<String, String>>> answer) {
        Effect effect = topic.effect() == Wire.TopicAlteration.Effect.SAID ? Effect.SAID : Effect.APPLIED;
        admin(
                reply -> door.admin(
                        token -> new ClusterEvent.TopicConfigsRequested(
                                token, topic.name(), topic.set(), new TreeSet<>(topic.unset()), effect),
                        reply),
                decided -> decided instanceof Answer.TopicConfigs altered ? altered.configs() : null,
                answer);
    }

    @Override
    public void transferLeader(TopicPartition partition, int toBroker, Consumer<Reply<Integer>> answer) {
        admin(
                reply -> door.admin(
                        token -> new ClusterEvent.LeaderTransferRequested(token, partition, toBroker), reply),
                decided -> decided instanceof Answer.LeaderTransferred transferred ? transferred.leaderEpoch() : null,
                answer);
    }

    @Override
    public void deleteRecords(TopicPartition partition, long beforeOffset, Consumer<Reply<Long>> answer) {
        this.<Reply<Long>, Long>call(
                MessageKind.ADMIN,
                reply -> door.deleteRecords(partition, beforeOffset, reply),
                told -> answer.accept(flat(told)),
                answer);
    }

    /** Streams open themselves anew with the next request, whatever was before. */
    @Override
    public void reconnect() {}

    @Override
    public void close() {
        closed = true;
        produces.close();
        List.copyOf(lanes).forEach(Lane::close);
    }

    private <T> void admin(
            Consumer<Consumer<@Nullable Answer>> serve,
            Function<Answer, @Nullable T> value,
            Consumer<Reply<T>> answer) {
        this.<Answer, T>call(MessageKind.ADMIN, serve, decided -> answer.accept(decision(decided, value)), answer);
    }

    private <T> Reply<T> decision(@Nullable Answer decided, Function<Answer, @Nullable T> value) {
        if (decided == null) {
            return unanswered();
        }
        if (decided instanceof Answer.Refused refused) {
            return Reply.failed(refused.error(), refused.message());
        }
        T given = value.apply(decided);
        return given == null
                ? Reply.failed(ErrorCode.UNKNOWN_SERVER_ERROR, "the controller answered " + decided)
                : Reply.of(given);
    }

    /** @param answer told if the call is not made at all */
    private <A, T> void call(
            MessageKind kind,
            Consumer<Consumer<@Nullable A>> serve,
            Consumer<@Nullable A> told,
            Consumer<Reply<T>> answer) {
        if (!refusesWhenClosed(answer)) {
            network.<A>call(new SimNetwork.Route(kind, threads, broker, CALL_TIMEOUT), serve, told);
        }
    }

    private <T> boolean refusesWhenClosed(Consumer<Reply<T>> answer) {
        if (closed) {
            answer.accept(Reply.failed(
                    ErrorCode.BROKER_NOT_AVAILABLE, "the connection to broker " + broker.id() + " is closed"));
        }
        return closed;
    }

    private <T> Reply<T> replyOf(@Nullable T value) {
        return value == null ? unanswered() : Reply.of(value);
    }

    private <T> Reply<T> flat(@Nullable Reply<T> reply) {
        return reply == null ? unanswered() : reply;
    }

    private <T> Reply<T> unanswered() {
        return Reply.failed(ErrorCode.REQUEST_TIMED_OUT, "no answer from broker " + broker.id());
    }

    /** One reader's fetches. */
    private final class Lane implements FetchLane {
        private final SimStream stream;

        Lane(SimStream stream) {
            this.stream = stream;
        }

        @Override
        public void fetch(Wire.FetchCall call, Consumer<Reply<List<Wire.FetchResult>>> answer) {
            stream.<List<Wire.FetchResult>>call(
                    Duration.ofMillis(call.maxWaitMs()).plus(MARGIN),
                    reply -> door.fetch(call, reply),
                    results -> answer.accept(replyOf(results)));
        }

        @Override
        public void close() {
            lanes.remove(this);
            stream.close();
        }
    }

    /** An answer that can be called off. */
    private static final class CancellableAnswer<T> implements Consumer<T>, Cancellable {
        private final Consumer<T> answer;
        private boolean cancelled;

        CancellableAnswer(Consumer<T> answer) {
            this.answer = answer;
        }

        @Override
        public void accept(T given) {
            if (!cancelled) {
                answer.accept(given);
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }
}
