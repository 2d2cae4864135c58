package io.tidemark.server.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.tidemark.wire.v1.AdminServiceGrpc;
import io.tidemark.wire.v1.DeleteRecordsRequest;
import io.tidemark.wire.v1.DeleteRecordsResponse;
import io.tidemark.wire.v1.ErrorCode;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.ListOffsetsPartition;
import io.tidemark.wire.v1.ListOffsetsRequest;
import io.tidemark.wire.v1.PartitionMetadata;
import io.tidemark.wire.v1.PlainServiceGrpc;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.TopicPartition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deleting records of three brokers over real gRPC. */
final class DeleteRecordsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CALL_LIMIT_S = 20;
    private static final String TOPIC = "orders";
    private static final int RECORDS = 20;

    @TempDir
    private Path directory;

    private ThreeBrokers brokers;

    @BeforeEach
    void start() throws Exception {
        brokers = new ThreeBrokers(directory);
        await().atMost(PATIENCE).until(() -> brokers.createTopic(TOPIC, 1) == ErrorCode.ERROR_CODE_NONE);
        awaitInSync();
        for (int i = 0; i < RECORDS; i++) {
            publish("record " + i);
        }
    }

    @AfterEach
    void stop() {
        brokers.close();
    }

    // Issue 5 (delayed delete-records); fails if: a broker that does not lead refuses the call, or the answer does not
    // wait for the other replicas, of which each leads in turn afterwards.
    @Test
    void shouldDeleteAtEveryReplicaWhoeverIsAsked() {
        // when
        DeleteRecordsResponse first = delete(1, 5);
        DeleteRecordsResponse second = delete(2, 8);
        DeleteRecordsResponse third = delete(3, 11);

        // then
        assertThat(first.getError()).as(first.getErrorMessage()).isEqualTo(ErrorCode.ERROR_CODE_NONE);
        assertThat(first.getLogStartOffset()).isEqualTo(5);
        assertThat(second.getLogStartOffset()).isEqualTo(8);
        assertThat(third.getLogStartOffset()).isEqualTo(11);
        for (int move = 0; move < 3; move++) {
            int next = awaitInSync().getLeader() % 3 + 1;
            assertThat(brokers.transfer(TOPIC, 0, next)).isEqualTo(ErrorCode.ERROR_CODE_NONE);
            await().atMost(PATIENCE).until(() -> brokers.partition(TOPIC, 0).getLeader() == next);
            await().atMost(PATIENCE).until(() -> earliest(next), offset -> offset >= 0);
            assertThat(earliest(next)).as("as broker %d says", next).isEqualTo(11);
        }
    }

    // KAFKA-5634, I18. Fails if: the log start may pass the high watermark.
    @Test
    void shouldNameTheRangeThatMayBeAskedFor() {
        // when
        DeleteRecordsResponse refused = delete(1, RECORDS + 1);

        // then
        assertThat(refused.getError()).isEqualTo(ErrorCode.ERROR_CODE_OFFSET_OUT_OF_RANGE);
        assertThat(refused.getLogStartOffset()).isZero();
        assertThat(refused.getHighWatermark()).isEqualTo(RECORDS);
        assertThat(delete(2, -1).getLogStartOffset()).isEqualTo(RECORDS);
    }

    // Issue 5 (every live replica is waited for, and no other); fails if: a broker that is gone is waited for.
    @Test
    void shouldNotWaitForABrokerThatIsGone() {
        // given
        int victim = awaitInSync().getLeader() % 3 + 1;
        brokers.stop(victim);

        // when
        int asked = brokers.otherThan(victim);
        await().atMost(PATIENCE).until(() -> delete(asked, 7).getError() == ErrorCode.ERROR_CODE_NONE);

        // then
        assertThat(delete(asked, 7).getLogStartOffset()).isEqualTo(7);
    }

    private PartitionMetadata awaitInSync() {
        await().atMost(PATIENCE)
                .until(() -> brokers.partition(TOPIC, 0).getIsrCount() == 3
                        && brokers.partition(TOPIC, 0).getLeader() >= 0);
        return brokers.partition(TOPIC, 0);
    }

    private void publish(String value) {
        PublishRequest request = PublishRequest.newBuilder()
                .setTopic(TOPIC)
                .setValue(ByteString.copyFromUtf8(value))
                .build();
        assertThat(PlainServiceGrpc.newBlockingStub(brokers.channel(1))
                        .withDeadlineAfter(CALL_LIMIT_S, TimeUnit.SECONDS)
                        .publish(request)
                        .getOffset())
                .isNotNegative();
    }

    private DeleteRecordsResponse delete(int broker, long before) {
        return AdminServiceGrpc.newBlockingStub(brokers.channel(broker))
                .withDeadlineAfter(CALL_LIMIT_S, TimeUnit.SECONDS)
                .deleteRecords(DeleteRecordsRequest.newBuilder()
                        .setPartition(TopicPartition.newBuilder().setTopic(TOPIC))
                        .setBeforeOffset(before)
                        .build());
    }

    /** The log start, or -1 while that broker does not lead. */
    private long earliest(int broker) {
        ManagedChannel channel = brokers.channel(broker);
        return FetchServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(CALL_LIMIT_S, TimeUnit.SECONDS)
                .listOffsets(ListOffsetsRequest.newBuilder()
                        .addPartitions(ListOffsetsPartition.newBuilder()
                                .setTopic(TOPIC)
                                .setCurrentLeaderEpoch(-1)
                                .setPosition(ListOffsetsPartition.Position.POSITION_EARLIEST))
                        .build())
                .getResults(0)
                .getOffset();
    }
}
