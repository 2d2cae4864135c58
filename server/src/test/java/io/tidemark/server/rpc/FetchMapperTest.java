package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.partition.OffsetLookup;
import io.tidemark.wire.v1.FetchPartition;
import io.tidemark.wire.v1.FetchPartitionResult;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchResponse;
import io.tidemark.wire.v1.ListOffsetsPartition;
import io.tidemark.wire.v1.ListOffsetsPartition.Position;
import io.tidemark.wire.v1.ListOffsetsRequest;
import io.tidemark.wire.v1.ListOffsetsResponse;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FetchMapperTest {
    private static final int ANSWER_MAX_BYTES = 1_000;
    private final FetchMapper mapper = new FetchMapper(ANSWER_MAX_BYTES);

    private static FetchPartition.Builder part(String topic, int partition) {
        return FetchPartition.newBuilder()
                .setTopic(topic)
                .setPartition(partition)
                .setCurrentLeaderEpoch(-1)
                .setFetchOffset(10)
                .setLastFetchedEpoch(3)
                .setMaxBytes(500);
    }

    @Test
    void shouldCutWhatIsAskedForToTheLimitOfAnAnswer() {
        // given
        FetchRequest wire = FetchRequest.newBuilder()
                .setMaxBytes(Integer.MAX_VALUE)
                .setMinBytes(7)
                .setMaxWaitMs(250)
                .addPartitions(part("a", 0).setMaxBytes(5_000))
                .addPartitions(part("a", 1))
                .build();

        // when
        ConsumerFetch.Request request = mapper.fromWire(wire).request();

        // then
        assertThat(request)
                .isEqualTo(new ConsumerFetch.Request(
                        250,
                        7,
                        ANSWER_MAX_BYTES,
                        List.of(
                                new ConsumerFetch.Entry(new TopicPartition("a", 0), -1, 10, 3, ANSWER_MAX_BYTES),
                                new ConsumerFetch.Entry(new TopicPartition("a", 1), -1, 10, 3, 500))));
    }

    @Test
    void shouldRefuseNegativeBoundsOfTheRequestForEveryPart() {
        // given
        FetchRequest sound =
                FetchRequest.newBuilder().addPartitions(part("a", 0)).build();

        // then
        for (FetchRequest wire : List.of(
                sound.toBuilder().setMaxBytes(-1).build(),
                sound.toBuilder().setMinBytes(-1).build(),
                sound.toBuilder().setMaxWaitMs(-1).build())) {
            assertThat(mapper.fromWire(wire).order().allRefused()).isTrue();
        }
        assertThat(mapper.fromWire(sound).order().allRefused()).isFalse();
    }

    @Test
    void shouldRefuseMalformedPartsAloneAndKeepTheOrder() {
        // given
        FetchRequest wire = FetchRequest.newBuilder()
                .setMaxBytes(100)
                .addPartitions(part("a", 0))
                .addPartitions(part("a", 1).setFetchOffset(-1))
                .addPartitions(part("a", 2).setMaxBytes(-1))
                .addPartitions(part("", 3))
                .build();
        ConsumerFetch.Result result = new ConsumerFetch.Result(
                new TopicPartition("a", 0),
                ErrorCode.NONE,
                "",
                90,
                5,
                ByteBuffer.wrap(new byte[] {1, 2, 3}),
                new EpochEnd(2, 8),
                4,
                6);

        // when
        FetchMapper.Parsed parsed = mapper.fromWire(wire);
        FetchResponse response = FetchMapper.toWire(77, parsed.order(), List.of(result));

        // then
        assertThat(response.getCorrelationId()).isEqualTo(77);
        assertThat(response.getResultsList().stream()
                        .map(FetchPartitionResult::getError)
                        .map(ErrorCodes::fromWire))
                .containsExactly(
                        ErrorCode.NONE,
                        ErrorCode.INVALID_REQUEST,
                        ErrorCode.INVALID_REQUEST,
                        ErrorCode.INVALID_REQUEST);
        FetchPartitionResult first = response.getResults(0);
        assertThat(first.getBatches().toByteArray()).containsExactly(1, 2, 3);
        assertThat(first.getHighWatermark()).isEqualTo(90);
        assertThat(first.getLogStartOffset()).isEqualTo(5);
        assertThat(first.getDiverging().getEpoch()).isEqualTo(2);
        assertThat(first.getDiverging().getEndOffset()).isEqualTo(8);
        assertThat(first.getLeader().getLeaderId()).isEqualTo(4);
        assertThat(first.getLeader().getLeaderEpoch()).isEqualTo(6);
    }

    @Test
    void shouldAnswerQuestionsForOffsets() {
        // given
        OffsetsPort offsets = (partition, which, epoch) -> {
            if (partition.partition() == 9) {
                return new OffsetLookup.Refused(ErrorCode.NOT_LEADER_OR_FOLLOWER, 2, 8);
            }
            return new OffsetLookup.Found(which == OffsetLookup.Which.EARLIEST ? 1 : 50, epoch);
        };
        ListOffsetsRequest request = ListOffsetsRequest.newBuilder()
                .addPartitions(position("a", 0, Position.POSITION_EARLIEST))
                .addPartitions(position("a", 0, Position.POSITION_LATEST))
                .addPartitions(position("a", 9, Position.POSITION_LATEST))
                .addPartitions(position("a", 0, Position.POSITION_UNSPECIFIED))
                .addPartitions(position("a", -4, Position.POSITION_LATEST))
                .addPartitions(position("a", 0, Position.POSITION_TIMESTAMP).toBuilder()
                        .setTimestampMs(1_234))
                .addPartitions(position("a", 1, Position.POSITION_TIMESTAMP).toBuilder()
                        .setTimestampMs(-1))
                .addPartitions(position("a", 2, Position.POSITION_TIMESTAMP))
                .build();

        // when
        OffsetsMapper mapper = OffsetsMapper.of(request, offsets);
        ListOffsetsResponse response = mapper.complete(
                List.of(new OffsetLookup.Found(31, 7), new OffsetLookup.Refused(ErrorCode.THROTTLED, -1, -1)));

        // then
        assertThat(response.getResults(0).getOffset()).isEqualTo(1);
        assertThat(response.getResults(1).getOffset()).isEqualTo(50);
        assertThat(response.getResults(1).getLeaderEpoch()).isEqualTo(7);
        assertThat(ErrorCodes.fromWire(response.getResults(2).getError())).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(response.getResults(2).getLeader().getLeaderId()).isEqualTo(2);
        assertThat(response.getResults(2).getOffset()).isEqualTo(-1);
        assertThat(ErrorCodes.fromWire(response.getResults(3).getError())).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(ErrorCodes.fromWire(response.getResults(4).getError())).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(mapper.questions())
                .containsExactly(
                        new TimeOffsetsPort.Question(new TopicPartition("a", 0), 1_234, 7),
                        new TimeOffsetsPort.Question(new TopicPartition("a", 2), 0, 7));
        assertThat(response.getResults(5).getOffset()).isEqualTo(31);
        assertThat(ErrorCodes.fromWire(response.getResults(6).getError())).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(ErrorCodes.fromWire(response.getResults(7).getError())).isEqualTo(ErrorCode.THROTTLED);
        assertThat(response.getResults(7).getErrorMessage()).isNotEmpty();
        assertThat(OffsetsMapper.firstError(response)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
    }

    private static ListOffsetsPartition position(String topic, int partition, Position position) {
        return ListOffsetsPartition.newBuilder()
                .setTopic(topic)
                .setPartition(partition)
                .setCurrentLeaderEpoch(7)
                .setPosition(position)
                .build();
    }
}
