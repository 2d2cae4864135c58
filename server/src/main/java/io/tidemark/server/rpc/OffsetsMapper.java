package io.tidemark.server.rpc;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.OffsetLookup;
import io.tidemark.wire.v1.ListOffsetsPartition;
import io.tidemark.wire.v1.ListOffsetsRequest;
import io.tidemark.wire.v1.ListOffsetsResponse;
import io.tidemark.wire.v1.ListOffsetsResult;

/** Questions for offsets between values and messages. A malformed part is answered by itself and harms no other. */
final class OffsetsMapper {
    private OffsetsMapper() {}

    static ListOffsetsResponse answer(ListOffsetsRequest request, OffsetsPort offsets) {
        ListOffsetsResponse.Builder response = ListOffsetsResponse.newBuilder();
        for (ListOffsetsPartition part : request.getPartitionsList()) {
            response.addResults(answer(part, offsets));
        }
        return response.build();
    }

    private static ListOffsetsResult answer(ListOffsetsPartition part, OffsetsPort offsets) {
        ListOffsetsResult.Builder result = ListOffsetsResult.newBuilder()
                .setTopic(part.getTopic())
                .setPartition(part.getPartition())
                .setOffset(-1)
                .setLeaderEpoch(-1);
        if (part.getTopic().isEmpty() || part.getPartition() < 0) {
            return refused(result, "a topic's name and a partition from 0 are needed");
        }
        TopicPartition partition = new TopicPartition(part.getTopic(), part.getPartition());
        return switch (part.getPosition()) {
            case POSITION_EARLIEST ->
                found(result, offsets.lookup(partition, OffsetLookup.Which.EARLIEST, part.getCurrentLeaderEpoch()));
            case POSITION_LATEST ->
                found(result, offsets.lookup(partition, OffsetLookup.Which.LATEST, part.getCurrentLeaderEpoch()));
            case POSITION_TIMESTAMP, POSITION_UNSPECIFIED, UNRECOGNIZED ->
                refused(result, "position must be EARLIEST or LATEST");
        };
    }

    private static ListOffsetsResult refused(ListOffsetsResult.Builder result, String message) {
        return result.setError(ErrorCodes.toWire(ErrorCode.INVALID_REQUEST))
                .setErrorMessage(message)
                .build();
    }

    private static ListOffsetsResult found(ListOffsetsResult.Builder result, OffsetLookup lookup) {
        if (lookup instanceof OffsetLookup.Found found) {
            return result.setOffset(found.offset())
                    .setLeaderEpoch(found.leaderEpoch())
                    .build();
        }
        OffsetLookup.Refused refused = (OffsetLookup.Refused) lookup;
        result.setError(ErrorCodes.toWire(refused.error()));
        if (refused.leader() >= 0) {
            result.setLeader(ProduceMapper.leaderHint(refused.leader(), refused.leaderEpoch()));
        }
        return result.build();
    }
}
