package io.tidemark.server.rpc;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.deletion.DeleteRecords;
import io.tidemark.replication.partition.RecordDeletion;
import io.tidemark.wire.v1.DeleteRecordsRequest;
import io.tidemark.wire.v1.DeleteRecordsResponse;
import java.time.Duration;

/** Deletions of records between values and messages. */
final class DeleteRecordsMapper {
    private static final long UNKNOWN = -1;

    private DeleteRecordsMapper() {}

    /** Why the request means nothing; empty if it does. */
    static String objection(DeleteRecordsRequest request) {
        if (request.getPartition().getTopic().isEmpty()
                || request.getPartition().getPartition() < 0) {
            return "a topic's name and a partition from 0 are needed";
        }
        return request.getBeforeOffset() < RecordDeletion.TO_HIGH_WATERMARK
                ? "before_offset is an offset, or -1 for the high watermark, not " + request.getBeforeOffset()
                : "";
    }

    static TopicPartition partition(DeleteRecordsRequest request) {
        return new TopicPartition(
                request.getPartition().getTopic(), request.getPartition().getPartition());
    }

    /** @param wait for replicas to follow */
    static DeleteRecords.Request fromWire(DeleteRecordsRequest request, Duration wait) {
        long waitMs = Math.max(0, Math.min(Integer.MAX_VALUE, wait.toMillis()));
        return new DeleteRecords.Request(partition(request), request.getBeforeOffset(), (int) waitMs);
    }

    static DeleteRecordsResponse toWire(DeleteRecords.Result result) {
        DeleteRecordsResponse.Builder wire = DeleteRecordsResponse.newBuilder()
                .setError(ErrorCodes.toWire(result.error()))
                .setErrorMessage(Errors.brief(result.message()))
                .setLogStartOffset(result.logStartOffset())
                .setHighWatermark(result.highWatermark());
        if (result.leader() >= 0) {
            wire.setLeader(ProduceMapper.leaderHint(result.leader(), result.leaderEpoch()));
        }
        return wire.build();
    }

    static DeleteRecordsResponse refused(ErrorCode error, String message) {
        return DeleteRecordsResponse.newBuilder()
                .setError(ErrorCodes.toWire(error))
                .setErrorMessage(Errors.brief(message))
                .setLogStartOffset(UNKNOWN)
                .setHighWatermark(UNKNOWN)
                .build();
    }
}
