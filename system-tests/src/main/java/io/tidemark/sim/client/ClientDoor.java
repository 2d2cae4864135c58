package io.tidemark.sim.client;

import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.Wire;
import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.TopicSpec;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import io.tidemark.replication.LocalReplicas;
import io.tidemark.replication.deletion.DeleteRecords;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.partition.OffsetLookup;
import io.tidemark.replication.produce.Produce;
import io.tidemark.server.rpc.OffsetsPort;
import io.tidemark.sim.MessageKind;
import io.tidemark.sim.ProcessThreads;
import io.tidemark.sim.SimHost;
import io.tidemark.sim.SimNetwork;
import io.tidemark.sim.SimProcess;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind a broker's client listener: turns requests into those of the broker's own handlers, and their results into
 * answers. Runs in the process that runs on the host when a request arrives. Batches are copied on their way in and out, as by a
 * real wire: a leader writes offsets into what it is given, and a request may arrive twice.
 */
final class ClientDoor {
    private static final Duration CONTROLLER_TIMEOUT = Duration.ofMillis(1_500);

    /** For replicas to follow a deletion: what is left of a call to tell it is enough. */
    private static final Duration LEADER_TIMEOUT = Duration.ofSeconds(1);

    private final SimHost host;
    private final SortedMap<Integer, SimHost> hosts;
    private final SimNetwork network;
    private final AnswerObserver answers;

    ClientDoor(SimHost host, ClientSite site) {
        this.host = host;
        this.hosts = site.hosts();
        this.network = site.network();
        this.answers = site.answers();
    }

    void produce(Wire.ProduceCall call, Consumer<@Nullable List<Wire.ProduceResult>> answer) {
        List<Produce.Part> parts = call.parts().stream()
                .map(part -> new Produce.Part(part.partition(), part.leaderEpoch(), copy(part.batches())))
                .toList();
        var unused = host.running()
                .replication()
                .produces()
                .produce(new Produce.Request(call.acks(), call.timeoutMs(), parts), results -> {
                    observe(call, results);
                    answer.accept(results.stream().map(ClientDoor::told).toList());
                });
    }

    private void observe(Wire.ProduceCall call, List<Produce.Result> results) {
        if (call.acks() != Acks.ALL) {
            return;
        }
        for (Produce.Result result : results) {
            if (result.error() == ErrorCode.NONE) {
                call.parts().stream()
                        .filter(part -> part.partition().equals(result.partition()))
                        .forEach(part -> observe(part, result.baseOffset()));
            }
        }
    }

    private void observe(Wire.ProducePart part, long baseOffset) {
        long offset = baseOffset;
        for (RecordBatch batch : RecordBatches.of(part.batches().duplicate())) {
            for (LogRecord record : batch.records()) {
                ByteBuffer value = Objects.requireNonNull(record.value(), "clients send no tombstones");
                answers.acknowledging(
                        host.id(),
                        part.partition(),
                        offset,
                        StandardCharsets.UTF_8.decode(value.duplicate()).toString());
                offset++;
            }
        }
    }

    private static Wire.ProduceResult told(Produce.Result result) {
        return new Wire.ProduceResult(
                result.partition(),
                result.error(),
                result.message(),
                result.baseOffset(),
                result.leader(),
                result.leaderEpoch());
    }

    void fetch(Wire.FetchCall call, Consumer<@Nullable List<Wire.FetchResult>> answer) {
        List<ConsumerFetch.Entry> entries = call.parts().stream()
                .map(part -> new ConsumerFetch.Entry(
                        part.partition(),
                        part.leaderEpoch(),
                        part.fetchOffset(),
                        part.lastFetchedEpoch(),
                        part.maxBytes()))
                .toList();
        var unused = host.running()
                .replication()
                .fetches()
                .fetch(
                        new ConsumerFetch.Request(call.maxWaitMs(), call.minBytes(), call.maxBytes(), entries),
                        results -> answer.accept(
                                results.stream().map(ClientDoor::told).toList()));
    }

    private static Wire.FetchResult told(ConsumerFetch.Result result) {
        EpochEnd diverging = result.diverging();
        return new Wire.FetchResult(
                result.partition(),
                result.error(),
                result.message(),
                result.highWatermark(),
                result.logStartOffset(),
                copy(result.batches()),
                diverging == null ? null : diverging.endOffset(),
                result.leader(),
                result.leaderEpoch());
    }

    private static ByteBuffer copy(ByteBuffer batches) {
        ByteBuffer copy = ByteBuffer.allocate(batches.remaining());
        copy.put(batches.duplicate());
        return copy.flip();
    }

    Metadata metadata(Wire.MetadataCall call) {
        SimProcess process = host.running();
        return MetadataAnswers.of(process.metadata().view(), call, process.clusterId(), host.id());
    }

    void initProducerId(Consumer<@Nullable Reply<Wire.ProducerIdentity>> answer) {
        host.running()
                .producerIds()
                .allocate(given -> answer.accept(
                        given.error() == ErrorCode.NONE
                                ? Reply.of(new Wire.ProducerIdentity(given.producerId(), (short) 0))
                                : Reply.failed(given.error(), "no producer id can be had now")));
    }

    List<Wire.OffsetResult> listOffsets(List<Wire.OffsetQuery> queries) {
        LocalReplicas replicas = host.running().replication().local();
        return queries.stream()
                .map(query -> told(query.partition(), lookup(replicas, query)))
                .toList();
    }

    private static OffsetLookup lookup(LocalReplicas replicas, Wire.OffsetQuery query) {
        OffsetsPort ends = OffsetsPort.of(replicas);
        return switch (query.position().kind()) {
            case EARLIEST -> ends.lookup(query.partition(), OffsetLookup.Which.EARLIEST, query.leaderEpoch());
            case LATEST -> ends.lookup(query.partition(), OffsetLookup.Which.LATEST, query.leaderEpoch());
            case TIME ->
                replicas.partition(query.partition())
                        .map(partition ->
                                partition.lookupTime(query.position().timestampMs(), query.leaderEpoch(), () -> true))
                        .orElseGet(() -> new OffsetLookup.Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, -1, -1));
        };
    }

    private static Wire.OffsetResult told(TopicPartition partition, OffsetLookup lookup) {
        if (lookup instanceof OffsetLookup.Found found) {
            return new Wire.OffsetResult(partition, ErrorCode.NONE, "", found.offset());
        }
        return new Wire.OffsetResult(partition, ((OffsetLookup.Refused) lookup).error(), "", -1);
    }

    void createTopic(TopicSpec spec, Consumer<@Nullable Answer> answer) {
        TopicId id = TopicId.random(threads().randomness());
        long random = threads().randomness().nextLong();
        admin(token -> new ClusterEvent.TopicCreationRequested(token, spec, id, random), answer);
    }

    /** Passes an operator's request on to whom this broker takes for the controller. */
    void admin(LongFunction<ClusterEvent.Request> request, Consumer<@Nullable Answer> answer) {
        SimHost office = hosts.get(host.running().metadata().view().controllerId());
        if (office == null) {
            answer.accept(new Answer.Refused(ErrorCode.NOT_CONTROLLER, "no controller is known"));
            return;
        }
        network.<Answer>call(
                new SimNetwork.Route(MessageKind.ADMIN, threads(), office, CONTROLLER_TIMEOUT),
                reply -> office.running().ask(request, reply),
                answer);
    }

    /** Passes a deletion of records on to whom this broker takes for the partition's leader. */
    void deleteRecords(TopicPartition partition, long beforeOffset, Consumer<@Nullable Reply<Long>> answer) {
        SimHost leader = host.running()
                .metadata()
                .view()
                .partition(partition)
                .map(state -> hosts.get(state.leader()))
                .orElse(null);
        if (leader == null) {
            answer.accept(Reply.failed(ErrorCode.LEADER_NOT_AVAILABLE, partition + " has no leader that is known"));
            return;
        }
        int waitMs = Math.toIntExact(LEADER_TIMEOUT.toMillis());
        DeleteRecords.Request request = new DeleteRecords.Request(partition, beforeOffset, waitMs);
        network.<Reply<Long>>call(
                new SimNetwork.Route(MessageKind.ADMIN, threads(), leader, CONTROLLER_TIMEOUT),
                reply -> {
                    var unused = leader.running()
                            .replication()
                            .deletions()
                            .delete(request, result -> reply.accept(told(result)));
                },
                answer);
    }

    private static Reply<Long> told(DeleteRecords.Result result) {
        return result.error() == ErrorCode.NONE
                ? Reply.of(result.logStartOffset())
                : Reply.failed(result.error(), result.message());
    }

    private ProcessThreads threads() {
        return Objects.requireNonNull(host.threads(), "served by a process that runs");
    }
}
