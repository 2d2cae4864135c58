package io.tidemark.server.rpc;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.Follower;
import io.tidemark.wire.internal.v1.ReplicaDivergence;
import io.tidemark.wire.internal.v1.ReplicaFetchPartition;
import io.tidemark.wire.internal.v1.ReplicaFetchRequest;
import io.tidemark.wire.internal.v1.ReplicaFetchResponse;
import io.tidemark.wire.internal.v1.ReplicaFetchResult;
import java.util.ArrayList;
import java.util.List;

/** A follower's fetch between values and messages. Malformed messages raise {@link IllegalArgumentException}. */
public final class ReplicaFetchMapper {
    private ReplicaFetchMapper() {}

    public static ReplicaFetchRequest toWire(long correlationId, ReplicaFetch.Request request) {
        ReplicaFetchRequest.Builder wire = ReplicaFetchRequest.newBuilder()
                .setCorrelationId(correlationId)
                .setFollowerId(request.follower().brokerId())
                .setFollowerBrokerEpoch(request.follower().brokerEpoch())
                .setSessionId(request.sessionId())
                .setSessionEpoch(request.sessionEpoch())
                .setMaxWaitMs(request.maxWaitMs())
                .setMinBytes(request.minBytes())
                .setMaxBytes(request.maxBytes());
        request.changed().forEach(entry -> wire.addPartitions(toWire(entry)));
        request.forgotten().forEach(partition -> wire.addForgotten(toWire(partition)));
        return wire.build();
    }

    public static ReplicaFetch.Request fromWire(ReplicaFetchRequest wire) {
        List<FetchEntry> changed = new ArrayList<>(wire.getPartitionsCount());
        wire.getPartitionsList().forEach(entry -> changed.add(fromWire(entry)));
        List<TopicPartition> forgotten = new ArrayList<>(wire.getForgottenCount());
        wire.getForgottenList()
                .forEach(
                        partition -> forgotten.add(new TopicPartition(partition.getTopic(), partition.getPartition())));
        return new ReplicaFetch.Request(
                new Follower(wire.getFollowerId(), wire.getFollowerBrokerEpoch()),
                wire.getSessionId(),
                wire.getSessionEpoch(),
                wire.getMaxWaitMs(),
                wire.getMinBytes(),
                wire.getMaxBytes(),
                changed,
                forgotten);
    }

    public static ReplicaFetchResponse toWire(long correlationId, ReplicaFetch.Answer answer) {
        ReplicaFetchResponse.Builder wire = ReplicaFetchResponse.newBuilder()
                .setCorrelationId(correlationId)
                .setError(ErrorCodes.toWire(answer.error()))
                .setSessionId(answer.sessionId());
        answer.results().forEach(result -> wire.addResults(toWire(result)));
        return wire.build();
    }

    public static ReplicaFetch.Answer fromWire(ReplicaFetchResponse wire) {
        List<ReplicaFetch.Result> results = new ArrayList<>(wire.getResultsCount());
        wire.getResultsList().forEach(result -> results.add(fromWire(result)));
        return new ReplicaFetch.Answer(ErrorCodes.fromWire(wire.getError()), wire.getSessionId(), results);
    }

    private static ReplicaFetchPartition toWire(FetchEntry entry) {
        return ReplicaFetchPartition.newBuilder()
                .setTopic(entry.partition().topic())
                .setPartition(entry.partition().partition())
                .setTopicId(entry.topicId().toString())
                .setCurrentLeaderEpoch(entry.currentLeaderEpoch())
                .setFetchOffset(entry.fetchOffset())
                .setLastFetchedEpoch(entry.lastFetchedEpoch())
                .setFollowerLogStart(entry.followerLogStart())
                .setMaxBytes(entry.maxBytes())
                .build();
    }

    private static FetchEntry fromWire(ReplicaFetchPartition wire) {
        return new FetchEntry(
                TopicId.parse(wire.getTopicId()),
                new TopicPartition(wire.getTopic(), wire.getPartition()),
                wire.getCurrentLeaderEpoch(),
                wire.getFetchOffset(),
                wire.getLastFetchedEpoch(),
                wire.getFollowerLogStart(),
                wire.getMaxBytes());
    }

    private static ReplicaFetchResult toWire(ReplicaFetch.Result result) {
        ReplicaFetchResult.Builder wire = ReplicaFetchResult.newBuilder()
                .setTopic(result.partition().topic())
                .setPartition(result.partition().partition())
                .setError(ErrorCodes.toWire(result.error()))
                .setHighWatermark(result.highWatermark())
                .setLogStartOffset(result.logStartOffset())
                .setBatches(Bytes.wrap(result.batches()));
        EpochEnd diverging = result.diverging();
        if (diverging != null) {
            wire.setDiverging(
                    ReplicaDivergence.newBuilder().setEpoch(diverging.epoch()).setEndOffset(diverging.endOffset()));
        }
        return wire.build();
    }

    private static ReplicaFetch.Result fromWire(ReplicaFetchResult wire) {
        EpochEnd diverging = wire.hasDiverging()
                ? new EpochEnd(
                        wire.getDiverging().getEpoch(), wire.getDiverging().getEndOffset())
                : null;
        return new ReplicaFetch.Result(
                new TopicPartition(wire.getTopic(), wire.getPartition()),
                ErrorCodes.fromWire(wire.getError()),
                wire.getHighWatermark(),
                wire.getLogStartOffset(),
                Bytes.writable(wire.getBatches()),
                diverging);
    }

    private static io.tidemark.wire.v1.TopicPartition toWire(TopicPartition partition) {
        return io.tidemark.wire.v1.TopicPartition.newBuilder()
                .setTopic(partition.topic())
                .setPartition(partition.partition())
                .build();
    }
}
