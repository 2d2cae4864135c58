package io.tidemark.client.net;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.model.Acks;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.wire.v1.BrokerNode;
import io.tidemark.wire.v1.FetchPartition;
import io.tidemark.wire.v1.FetchPartitionResult;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.LeaderHint;
import io.tidemark.wire.v1.ListOffsetsPartition;
import io.tidemark.wire.v1.MetadataRequest;
import io.tidemark.wire.v1.MetadataResponse;
import io.tidemark.wire.v1.PartitionMetadata;
import io.tidemark.wire.v1.PartitionProduce;
import io.tidemark.wire.v1.PartitionProduceResult;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.TopicMetadata;
import io.tidemark.wire.v1.TopicPartition;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Between the client's values and messages. */
final class WireMapper {
    private static final ErrorCode[] ERRORS = ErrorCode.values();
    private static final int NO_LEADER = -1;

    private WireMapper() {}

    static ErrorCode error(io.tidemark.wire.v1.ErrorCode code) {
        boolean known = code != io.tidemark.wire.v1.ErrorCode.UNRECOGNIZED && code.getNumber() < ERRORS.length;
        return known ? ERRORS[code.getNumber()] : ErrorCode.UNKNOWN_SERVER_ERROR;
    }

    static TopicPartition partition(io.tidemark.model.TopicPartition partition) {
        return TopicPartition.newBuilder()
                .setTopic(partition.topic())
                .setPartition(partition.partition())
                .build();
    }

    static ProduceRequest produce(long correlation, Wire.ProduceCall call) {
        ProduceRequest.Builder request = ProduceRequest.newBuilder()
                .setCorrelationId(correlation)
                .setAcks(acks(call.acks()))
                .setTimeoutMs(call.timeoutMs());
        for (Wire.ProducePart part : call.parts()) {
            request.addPartitions(PartitionProduce.newBuilder()
                    .setTopic(part.partition().topic())
                    .setPartition(part.partition().partition())
                    .setLeaderEpoch(part.leaderEpoch())
                    .setBatches(UnsafeByteOperations.unsafeWrap(part.batches())));
        }
        return request.build();
    }

    static Wire.ProduceResult produced(PartitionProduceResult result) {
        LeaderHint leader = result.hasLeader() ? result.getLeader() : null;
        return new Wire.ProduceResult(
                new io.tidemark.model.TopicPartition(result.getTopic(), result.getPartition()),
                error(result.getError()),
                result.getErrorMessage(),
                result.getBaseOffset(),
                leaderId(leader),
                leaderEpoch(leader));
    }

    static FetchRequest fetch(long correlation, Wire.FetchCall call) {
        FetchRequest.Builder request = FetchRequest.newBuilder()
                .setCorrelationId(correlation)
                .setMaxWaitMs(call.maxWaitMs())
                .setMinBytes(call.minBytes())
                .setMaxBytes(call.maxBytes());
        for (Wire.FetchPart part : call.parts()) {
            request.addPartitions(FetchPartition.newBuilder()
                    .setTopic(part.partition().topic())
                    .setPartition(part.partition().partition())
                    .setCurrentLeaderEpoch(part.leaderEpoch())
                    .setFetchOffset(part.fetchOffset())
                    .setLastFetchedEpoch(part.lastFetchedEpoch())
                    .setMaxBytes(part.maxBytes()));
        }
        return request.build();
    }

    static Wire.FetchResult fetched(FetchPartitionResult result) {
        LeaderHint leader = result.hasLeader() ? result.getLeader() : null;
        return new Wire.FetchResult(
                new io.tidemark.model.TopicPartition(result.getTopic(), result.getPartition()),
                error(result.getError()),
                result.getErrorMessage(),
                result.getHighWatermark(),
                result.getLogStartOffset(),
                bytes(result.getBatches()),
                result.hasDiverging() ? result.getDiverging().getEndOffset() : null,
                leaderId(leader),
                leaderEpoch(leader));
    }

    static ListOffsetsPartition offsets(Wire.OffsetQuery query) {
        ListOffsetsPartition.Builder part = ListOffsetsPartition.newBuilder()
                .setTopic(query.partition().topic())
                .setPartition(query.partition().partition())
                .setCurrentLeaderEpoch(query.leaderEpoch());
        return switch (query.position().kind()) {
            case EARLIEST ->
                part.setPosition(ListOffsetsPartition.Position.POSITION_EARLIEST)
                        .build();
            case LATEST ->
                part.setPosition(ListOffsetsPartition.Position.POSITION_LATEST).build();
            case TIME ->
                part.setPosition(ListOffsetsPartition.Position.POSITION_TIMESTAMP)
                        .setTimestampMs(query.position().timestampMs())
                        .build();
        };
    }

    static MetadataRequest metadata(Wire.MetadataCall call) {
        return MetadataRequest.newBuilder()
                .addAllTopics(call.topics())
                .setAllTopics(call.scope() == Wire.MetadataCall.Scope.ALL)
                .build();
    }

    static Metadata metadata(MetadataResponse response) {
        SortedMap<Integer, Metadata.Broker> brokers = new TreeMap<>();
        response.getBrokersList().forEach(node -> brokers.put(node.getId(), broker(node)));
        SortedMap<String, Metadata.Topic> topics = new TreeMap<>();
        response.getTopicsList().forEach(topic -> topics.put(topic.getName(), topic(topic)));
        return new Metadata(
                response.getClusterId(),
                response.getControllerId(),
                response.getControllerEpoch(),
                response.getAnsweredBy(),
                brokers,
                topics);
    }

    private static Metadata.Broker broker(BrokerNode node) {
        Endpoint http = node.hasHttp()
                ? new Endpoint(node.getHttp().getHost(), node.getHttp().getPort())
                : null;
        Endpoint client =
                new Endpoint(node.getClient().getHost(), node.getClient().getPort());
        return new Metadata.Broker(node.getId(), client, http, node.getRack());
    }

    private static Metadata.Topic topic(TopicMetadata topic) {
        SortedMap<Integer, Metadata.Partition> partitions = new TreeMap<>();
        for (PartitionMetadata each : topic.getPartitionsList()) {
            partitions.put(
                    each.getPartition(),
                    new Metadata.Partition(
                            each.getPartition(),
                            each.getLeader(),
                            each.getLeaderEpoch(),
                            each.getPartitionEpoch(),
                            each.getReplicasList(),
                            each.getIsrList(),
                            each.getEligibleList(),
                            each.getMinIsr()));
        }
        return new Metadata.Topic(
                topic.getName(),
                error(topic.getError()),
                topic.getTopicId(),
                new TreeMap<>(topic.getConfigsMap()),
                partitions);
    }

    private static java.nio.ByteBuffer bytes(ByteString received) {
        return received.asReadOnlyByteBuffer();
    }

    private static io.tidemark.wire.v1.Acks acks(Acks acks) {
        return switch (acks) {
            case NONE -> io.tidemark.wire.v1.Acks.ACKS_NONE;
            case LEADER -> io.tidemark.wire.v1.Acks.ACKS_LEADER;
            case ALL -> io.tidemark.wire.v1.Acks.ACKS_ALL;
        };
    }

    private static int leaderId(@Nullable LeaderHint hint) {
        return hint == null ? NO_LEADER : hint.getLeaderId();
    }

    private static int leaderEpoch(@Nullable LeaderHint hint) {
        return hint == null ? NO_LEADER : hint.getLeaderEpoch();
    }
}
