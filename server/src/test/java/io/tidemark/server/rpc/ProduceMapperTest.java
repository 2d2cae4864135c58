package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.produce.Produce;
import io.tidemark.wire.v1.Acks;
import io.tidemark.wire.v1.PartitionProduce;
import io.tidemark.wire.v1.PartitionProduceResult;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProduceMapperTest {
    private static PartitionProduce part(String topic, int partition) {
        return PartitionProduce.newBuilder()
                .setTopic(topic)
                .setPartition(partition)
                .setLeaderEpoch(4)
                .setBatches(ByteString.copyFromUtf8(topic + partition))
                .build();
    }

    private static Produce.Result done(String topic, int partition, long baseOffset) {
        return new Produce.Result(new TopicPartition(topic, partition), ErrorCode.NONE, "", baseOffset, 0, -1, -1);
    }

    @Test
    void shouldReadWhatIsAskedFor() {
        // given
        ProduceRequest wire = ProduceRequest.newBuilder()
                .setAcks(Acks.ACKS_ALL)
                .setTimeoutMs(1_500)
                .addPartitions(part("a", 0))
                .build();

        // when
        ProduceMapper.Parsed parsed = ProduceMapper.fromWire(wire);

        // then
        assertThat(parsed.request().acks()).isEqualTo(io.tidemark.model.Acks.ALL);
        assertThat(parsed.request().timeoutMs()).isEqualTo(1_500);
        Produce.Part only = parsed.request().parts().get(0);
        assertThat(only.partition()).isEqualTo(new TopicPartition("a", 0));
        assertThat(only.leaderEpoch()).isEqualTo(4);
        assertThat(ByteString.copyFrom(only.batches().duplicate()).toStringUtf8())
                .isEqualTo("a0");
        assertThat(only.batches().isReadOnly()).isFalse();
    }

    @Test
    void shouldRefuseMalformedPartsAloneAndKeepTheOrder() {
        // given
        ProduceRequest wire = ProduceRequest.newBuilder()
                .setAcks(Acks.ACKS_LEADER)
                .addPartitions(part("", 0))
                .addPartitions(part("a", 0))
                .addPartitions(part("a", -1))
                .addPartitions(part("b", 7))
                .build();

        // when
        ProduceMapper.Parsed parsed = ProduceMapper.fromWire(wire);
        ProduceResponse response =
                ProduceMapper.toWire(9, parsed.order(), List.of(done("a", 0, 100), done("b", 7, 200)));

        // then
        assertThat(parsed.request().parts()).hasSize(2);
        assertThat(response.getCorrelationId()).isEqualTo(9);
        assertThat(response.getResultsList().stream().map(PartitionProduceResult::getError))
                .containsExactly(
                        io.tidemark.wire.v1.ErrorCode.ERROR_CODE_INVALID_REQUEST,
                        io.tidemark.wire.v1.ErrorCode.ERROR_CODE_NONE,
                        io.tidemark.wire.v1.ErrorCode.ERROR_CODE_INVALID_REQUEST,
                        io.tidemark.wire.v1.ErrorCode.ERROR_CODE_NONE);
        assertThat(response.getResultsList().stream().map(PartitionProduceResult::getBaseOffset))
                .containsExactly(-1L, 100L, -1L, 200L);
        assertThat(response.getResults(2).getTopic()).isEqualTo("a");
        assertThat(response.getResults(2).getPartition()).isEqualTo(-1);
        assertThat(ProduceMapper.firstError(response)).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void shouldRefuseEveryPartWhenAcksAreNoneOfTheThree() {
        // given
        ProduceRequest unset =
                ProduceRequest.newBuilder().addPartitions(part("a", 0)).build();
        ProduceRequest unknown = unset.toBuilder().setAcksValue(17).build();

        // then
        for (ProduceRequest wire : List.of(unset, unknown)) {
            ProduceMapper.Parsed parsed = ProduceMapper.fromWire(wire);
            assertThat(parsed.order().allRefused()).isTrue();
            assertThat(ProduceMapper.toWire(1, parsed.order(), List.of())
                            .getResults(0)
                            .getError())
                    .isEqualTo(io.tidemark.wire.v1.ErrorCode.ERROR_CODE_INVALID_REQUIRED_ACKS);
        }
    }

    @Test
    void shouldBoundTheTimeout() {
        ProduceRequest.Builder wire =
                ProduceRequest.newBuilder().setAcks(Acks.ACKS_ALL).addPartitions(part("a", 0));
        assertThat(ProduceMapper.fromWire(wire.setTimeoutMs(-5).build()).order().allRefused())
                .isTrue();
        assertThat(ProduceMapper.fromWire(wire.setTimeoutMs(Integer.MAX_VALUE).build())
                        .request()
                        .timeoutMs())
                .isEqualTo(600_000);
    }

    @Test
    void shouldNameABetterLeaderOnlyWhenThereIsOne() {
        // given
        ProduceMapper.Parsed parsed = ProduceMapper.fromWire(ProduceRequest.newBuilder()
                .setAcks(Acks.ACKS_ALL)
                .addPartitions(part("a", 0))
                .addPartitions(part("a", 1))
                .build());
        Produce.Result moved = new Produce.Result(
                new TopicPartition("a", 0), ErrorCode.NOT_LEADER_OR_FOLLOWER, "moved", -1, -1, 0, 12);

        // when
        ProduceResponse response = ProduceMapper.toWire(1, parsed.order(), List.of(moved, done("a", 1, 5)));

        // then
        assertThat(response.getResults(0).hasLeader()).isTrue();
        assertThat(response.getResults(0).getLeader().getLeaderId()).isZero();
        assertThat(response.getResults(0).getLeader().getLeaderEpoch()).isEqualTo(12);
        assertThat(response.getResults(0).getErrorMessage()).isEqualTo("moved");
        assertThat(response.getResults(1).hasLeader()).isFalse();
    }
}
