package io.tidemark.server.rpc;

import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.produce.Produce;
import io.tidemark.wire.v1.LeaderHint;
import io.tidemark.wire.v1.PartitionProduce;
import io.tidemark.wire.v1.PartitionProduceResult;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A produce between values and messages. A malformed part is answered by itself and harms no other. */
final class ProduceMapper {
    /** A producer that wants to wait longer asks again. */
    private static final int MAX_TIMEOUT_MS = 10 * 60_000;

    /** The epoch of a client that knows none. */
    static final int ANY_EPOCH = -1;

    private ProduceMapper() {}

    /**
     * @param request the parts that are well-formed
     * @param order of all parts, with the answers of those that are not
     */
    record Parsed(Produce.Request request, PartOrder<PartitionProduceResult> order) {}

    /** Takes the message's batches over; the message must not be used for anything else afterwards. */
    static Parsed fromWire(ProduceRequest wire) {
        Acks acks = acks(wire);
        PartOrder<PartitionProduceResult> order = new PartOrder<>();
        List<Produce.Part> parts = new ArrayList<>(wire.getPartitionsCount());
        for (PartitionProduce part : wire.getPartitionsList()) {
            if (acks == null) {
                order.refused(refusal(part, ErrorCode.INVALID_REQUIRED_ACKS, "acks must be NONE, LEADER or ALL"));
            } else if (part.getTopic().isEmpty() || part.getPartition() < 0) {
                order.refused(
                        refusal(part, ErrorCode.INVALID_REQUEST, "a topic's name and a partition from 0 are needed"));
            } else if (part.getLeaderEpoch() < ANY_EPOCH) {
                order.refused(refusal(part, ErrorCode.INVALID_REQUEST, "leader_epoch must not be below -1"));
            } else if (wire.getTimeoutMs() < 0) {
                order.refused(refusal(part, ErrorCode.INVALID_REQUEST, "timeout_ms must not be negative"));
            } else {
                order.accepted();
                parts.add(new Produce.Part(
                        new TopicPartition(part.getTopic(), part.getPartition()),
                        part.getLeaderEpoch(),
                        Bytes.writable(part.getBatches())));
            }
        }
        int timeoutMs = Math.min(MAX_TIMEOUT_MS, wire.getTimeoutMs());
        return new Parsed(new Produce.Request(acks == null ? Acks.NONE : acks, timeoutMs, parts), order);
    }

    static ProduceResponse toWire(
            long correlationId, PartOrder<PartitionProduceResult> order, List<Produce.Result> results) {
        return ProduceResponse.newBuilder()
                .setCorrelationId(correlationId)
                .addAllResults(order.merge(results, ProduceMapper::toWire))
                .build();
    }

    /** The first error of the answer, or NONE. */
    static ErrorCode firstError(ProduceResponse response) {
        for (PartitionProduceResult result : response.getResultsList()) {
            if (result.getError() != io.tidemark.wire.v1.ErrorCode.ERROR_CODE_NONE) {
                return ErrorCodes.fromWire(result.getError());
            }
        }
        return ErrorCode.NONE;
    }

    private static @Nullable Acks acks(ProduceRequest wire) {
        return switch (wire.getAcks()) {
            case ACKS_NONE -> Acks.NONE;
            case ACKS_LEADER -> Acks.LEADER;
            case ACKS_ALL -> Acks.ALL;
            case ACKS_UNSPECIFIED, UNRECOGNIZED -> null;
        };
    }

    private static PartitionProduceResult refusal(PartitionProduce part, ErrorCode error, String message) {
        return PartitionProduceResult.newBuilder()
                .setTopic(part.getTopic())
                .setPartition(part.getPartition())
                .setError(ErrorCodes.toWire(error))
                .setErrorMessage(message)
                .setBaseOffset(-1)
                .setLogStartOffset(-1)
                .build();
    }

    private static PartitionProduceResult toWire(Produce.Result result) {
        PartitionProduceResult.Builder wire = PartitionProduceResult.newBuilder()
                .setTopic(result.partition().topic())
                .setPartition(result.partition().partition())
                .setError(ErrorCodes.toWire(result.error()))
                .setErrorMessage(result.message())
                .setBaseOffset(result.baseOffset())
                .setLogStartOffset(result.logStartOffset());
        if (result.leader() >= 0) {
            wire.setLeader(leaderHint(result.leader(), result.leaderEpoch()));
        }
        return wire.build();
    }

    static LeaderHint leaderHint(int leader, int leaderEpoch) {
        return LeaderHint.newBuilder()
                .setLeaderId(leader)
                .setLeaderEpoch(leaderEpoch)
                .build();
    }
}
