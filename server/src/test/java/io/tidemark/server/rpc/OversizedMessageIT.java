package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.tidemark.server.FakeBroker;
import io.tidemark.server.Received;
import io.tidemark.wire.v1.PartitionProduce;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceResponse;
import io.tidemark.wire.v1.ProduceServiceGrpc;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** KNOWN_BUGS 41: a client that sends more than is taken hears of it, and nobody else does. */
final class OversizedMessageIT {
    private static final int OVER_THE_LIMIT_BYTES = (8 << 20) + 1;

    private final Queue<String> reports = new ConcurrentLinkedQueue<>();
    private final Handler collector = new Collector();

    private FakeBroker broker;
    private ManagedChannel client;

    @BeforeEach
    void open() throws IOException {
        Logger.getLogger("").addHandler(collector);
        broker = new FakeBroker(1);
        client = NettyChannelBuilder.forAddress(
                        broker.clientEndpoint().host(), broker.clientEndpoint().port())
                .usePlaintext()
                .proxyDetector(address -> null)
                .build();
    }

    @AfterEach
    void close() {
        client.shutdownNow();
        broker.close();
        Logger.getLogger("").removeHandler(collector);
    }

    @Test
    void shouldTellTheCallerAndReportNoStack() {
        // given
        Received<ProduceResponse> answers = new Received<>();
        PartitionProduce part = PartitionProduce.newBuilder()
                .setBatches(ByteString.copyFrom(new byte[OVER_THE_LIMIT_BYTES]))
                .build();

        // when
        ProduceServiceGrpc.newStub(client)
                .produce(answers)
                .onNext(ProduceRequest.newBuilder().addPartitions(part).build());
        answers.awaitEnd();

        // then
        assertThat(answers.failure().getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(reports).isEmpty();
    }

    private final class Collector extends Handler {
        @Override
        public void publish(LogRecord event) {
            if (event.getLevel().intValue() >= Level.WARNING.intValue()) {
                reports.add(event.getLoggerName() + ": " + event.getMessage());
            }
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
