package io.tidemark.server.rpc;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.wire.v1.Divergence;
import io.tidemark.wire.v1.FetchPartition;
import io.tidemark.wire.v1.FetchPartitionResult;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchResponse;
import java.util.ArrayList;
import java.util.List;

/** A consumer's fetch between values and messages. A malformed part is answered by itself and harms no other. */
final class FetchMapper {
    /** A consumer that wants to wait longer asks again. */
    private static final int MAX_WAIT_MS = 5 * 60_000;

    private final int answerMaxBytes;

    /** @param answerMaxBytes what a request may ask for at most; more is cut to it */
    FetchMapper(int answerMaxBytes) {
        this.answerMaxBytes = answerMaxBytes;
    }

    /**
     * @param request the entries that are well-formed
     * @param order of all entries, with the answers of those that are not
     */
    record Parsed(ConsumerFetch.Request request, PartOrder<FetchPartitionResult> order) {}

    Parsed fromWire(FetchRequest wire) {
        boolean sound = wire.getMaxWaitMs() >= 0 && wire.getMinBytes() >= 0 && wire.getMaxBytes() >= 0;
        PartOrder<FetchPartitionResult> order = new PartOrder<>();
        List<ConsumerFetch.Entry> entries = new ArrayList<>(wire.getPartitionsCount());
        for (FetchPartition part : wire.getPartitionsList()) {
            if (!sound) {
                order.refused(refusal(part, "max_wait_ms, min_bytes and max_bytes must not be negative"));
            } else if (part.getTopic().isEmpty() || part.getPartition() < 0) {
                order.refused(refusal(part, "a topic's name and a partition from 0 are needed"));
            } else if (part.getFetchOffset() < 0 || part.getMaxBytes() < 0) {
                order.refused(refusal(part, "fetch_offset and max_bytes must not be negative"));
            } else if (part.getCurrentLeaderEpoch() < ProduceMapper.ANY_EPOCH
                    || part.getLastFetchedEpoch() < ProduceMapper.ANY_EPOCH) {
                order.refused(refusal(part, "epochs must not be below -1"));
            } else {
                order.accepted();
                entries.add(entry(part));
            }
        }
        ConsumerFetch.Request request = new ConsumerFetch.Request(
                Math.min(MAX_WAIT_MS, wire.getMaxWaitMs()),
                wire.getMinBytes(),
                Math.min(answerMaxBytes, wire.getMaxBytes()),
                entries);
        return new Parsed(request, order);
    }

    static FetchResponse toWire(
            long correlationId, PartOrder<FetchPartitionResult> order, List<ConsumerFetch.Result> results) {
        return FetchResponse.newBuilder()
                .setCorrelationId(correlationId)
                .addAllResults(order.merge(results, FetchMapper::toWire))
                .build();
    }

    /** The first error of the answer, or NONE. */
    static ErrorCode firstError(FetchResponse response) {
        for (FetchPartitionResult result : response.getResultsList()) {
            if (result.getError() != io.tidemark.wire.v1.ErrorCode.ERROR_CODE_NONE) {
                return ErrorCodes.fromWire(result.getError());
            }
        }
        return ErrorCode.NONE;
    }

    private ConsumerFetch.Entry entry(FetchPartition part) {
        return new ConsumerFetch.Entry(
                new TopicPartition(part.getTopic(), part.getPartition()),
                part.getCurrentLeaderEpoch(),
                part.getFetchOffset(),
                part.getLastFetchedEpoch(),
                Math.min(answerMaxBytes, part.getMaxBytes()));
    }

    private static FetchPartitionResult refusal(FetchPartition part, String message) {
        return FetchPartitionResult.newBuilder()
                .setTopic(part.getTopic())
                .setPartition(part.getPartition())
                .setError(io.tidemark.wire.v1.ErrorCode.ERROR_CODE_INVALID_REQUEST)
                .setErrorMessage(message)
                .setHighWatermark(-1)
                .setLogStartOffset(-1)
                .build();
    }

    private static FetchPartitionResult toWire(ConsumerFetch.Result result) {
        FetchPartitionResult.Builder wire = FetchPartitionResult.newBuilder()
                .setTopic(result.partition().topic())
                .setPartition(result.partition().partition())
                .setError(ErrorCodes.toWire(result.error()))
                .setErrorMessage(result.message())
                .setHighWatermark(result.highWatermark())
                .setLogStartOffset(result.logStartOffset())
                .setBatches(Bytes.wrap(result.batches()));
        EpochEnd diverging = result.diverging();
        if (diverging != null) {
            wire.setDiverging(
                    Divergence.newBuilder().setEpoch(diverging.epoch()).setEndOffset(diverging.endOffset()));
        }
        if (result.leader() >= 0) {
            wire.setLeader(ProduceMapper.leaderHint(result.leader(), result.leaderEpoch()));
        }
        return wire.build();
    }
}
