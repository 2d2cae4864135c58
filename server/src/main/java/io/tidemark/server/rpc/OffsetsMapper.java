package io.tidemark.server.rpc;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.OffsetLookup;
import io.tidemark.wire.v1.ListOffsetsPartition;
import io.tidemark.wire.v1.ListOffsetsRequest;
import io.tidemark.wire.v1.ListOffsetsResponse;
import io.tidemark.wire.v1.ListOffsetsResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Questions for offsets between values and messages. A malformed part is answered by itself and harms no other; ends of
 * logs are answered at once, and what is left are the {@link #questions()} for times.
 */
final class OffsetsMapper {
    private final ListOffsetsResponse.Builder response = ListOffsetsResponse.newBuilder();
    private final List<TimeOffsetsPort.Question> questions = new ArrayList<>();
    private final List<Integer> questionAt = new ArrayList<>();

    private OffsetsMapper() {}

    /** Reads a request, and answers what can be answered without a search. */
    static OffsetsMapper of(ListOffsetsRequest request, OffsetsPort offsets) {
        OffsetsMapper mapper = new OffsetsMapper();
        request.getPartitionsList().forEach(part -> mapper.response.addResults(mapper.answer(part, offsets)));
        return mapper;
    }

    /** What is to be searched for; perhaps nothing. */
    List<TimeOffsetsPort.Question> questions() {
        return questions;
    }

    /** @param lookups one for each question, in their order */
    ListOffsetsResponse complete(List<OffsetLookup> lookups) {
        for (int i = 0; i < lookups.size(); i++) {
            int at = questionAt.get(i);
            response.setResults(at, found(response.getResults(at).toBuilder(), lookups.get(i)));
        }
        return response.build();
    }

    /** The first error in a response, or NONE. */
    static ErrorCode firstError(ListOffsetsResponse response) {
        return response.getResultsList().stream()
                .map(result -> ErrorCodes.fromWire(result.getError()))
                .filter(error -> error != ErrorCode.NONE)
                .findFirst()
                .orElse(ErrorCode.NONE);
    }

    private ListOffsetsResult answer(ListOffsetsPartition part, OffsetsPort offsets) {
        ListOffsetsResult.Builder result = ListOffsetsResult.newBuilder()
                .setTopic(part.getTopic())
                .setPartition(part.getPartition())
                .setOffset(-1)
                .setLeaderEpoch(-1);
        if (part.getTopic().isEmpty() || part.getPartition() < 0) {
            return refused(result, "a topic's name and a partition from 0 are needed");
        }
        if (part.getCurrentLeaderEpoch() < ProduceMapper.ANY_EPOCH) {
            return refused(result, "current_leader_epoch must not be below -1");
        }
        TopicPartition partition = new TopicPartition(part.getTopic(), part.getPartition());
        int epoch = part.getCurrentLeaderEpoch();
        return switch (part.getPosition()) {
            case POSITION_EARLIEST -> found(result, offsets.lookup(partition, OffsetLookup.Which.EARLIEST, epoch));
            case POSITION_LATEST -> found(result, offsets.lookup(partition, OffsetLookup.Which.LATEST, epoch));
            case POSITION_TIMESTAMP -> ask(result, partition, part);
            case POSITION_UNSPECIFIED, UNRECOGNIZED ->
                refused(result, "position must be EARLIEST, LATEST or TIMESTAMP");
        };
    }

    private ListOffsetsResult ask(
            ListOffsetsResult.Builder result, TopicPartition partition, ListOffsetsPartition part) {
        if (part.getTimestampMs() < 0) {
            return refused(result, "timestamp_ms is milliseconds since 1970, not " + part.getTimestampMs());
        }
        questionAt.add(response.getResultsCount());
        questions.add(new TimeOffsetsPort.Question(partition, part.getTimestampMs(), part.getCurrentLeaderEpoch()));
        return result.build();
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
        result.setError(ErrorCodes.toWire(refused.error())).setErrorMessage(message(refused.error()));
        if (refused.leader() >= 0) {
            result.setLeader(ProduceMapper.leaderHint(refused.leader(), refused.leaderEpoch()));
        }
        return result.build();
    }

    private static String message(ErrorCode error) {
        return switch (error) {
            case THROTTLED -> "too many searches by time are under way; try again";
            case REQUEST_TIMED_OUT -> "the search by time took too long";
            case CORRUPT_MESSAGE -> "the search by time met a damaged batch";
            default -> "";
        };
    }
}
