package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.tidemark.model.Endpoint;
import io.tidemark.server.FakeBroker;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.ListOffsetsPartition;
import io.tidemark.wire.v1.ListOffsetsRequest;
import io.tidemark.wire.v1.ListOffsetsResponse;
import io.tidemark.wire.v1.ListOffsetsResult;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ListOffsetsIT {
    private FakeBroker broker;
    private ManagedChannel client;

    @BeforeEach
    void start() throws IOException {
        broker = new FakeBroker(1);
        Endpoint endpoint = broker.clientEndpoint();
        client = NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .usePlaintext()
                .proxyDetector(address -> null)
                .build();
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        broker.close();
    }

    @Test
    void shouldAnswerOffsetsByTimeBesideOthers() {
        // given: the broker's searches find a tenth of the time
        ListOffsetsPartition.Builder part =
                ListOffsetsPartition.newBuilder().setTopic("a").setCurrentLeaderEpoch(-1);
        ListOffsetsRequest request = ListOffsetsRequest.newBuilder()
                .addPartitions(part.clone()
                        .setPosition(ListOffsetsPartition.Position.POSITION_TIMESTAMP)
                        .setTimestampMs(700))
                .addPartitions(part.clone().setPosition(ListOffsetsPartition.Position.POSITION_LATEST))
                .build();

        // when
        ListOffsetsResponse response = FetchServiceGrpc.newBlockingStub(client).listOffsets(request);

        // then
        assertThat(response.getResultsList())
                .extracting(ListOffsetsResult::getOffset)
                .containsExactly(70L, 12L);
    }
}
