package io.tidemark.system.threebrokers;

import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.GrpcTransport;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.Wire;
import io.tidemark.model.Acks;
import io.tidemark.model.Endpoint;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Calls to one broker that go nowhere else, whatever it answers. */
final class DirectCalls implements AutoCloseable {
    /** The answer to a produce that was done. */
    static final String DONE = "NONE";

    private static final int WAIT_MS = 2_000;
    private static final int BATCH_BYTES = 10_000;

    private final GrpcTransport transport = new GrpcTransport(GrpcTransport.Settings.DEFAULT);
    private final BrokerConnection broker;

    DirectCalls(Endpoint broker) {
        this.broker = transport.connect(broker);
    }

    /** Answers the error's name: of the partition, or of the call. */
    String produce(TopicPartition partition, Acks acks, String value) throws Exception {
        RecordBatchBuilder batch = new RecordBatchBuilder(Codec.NONE, BATCH_BYTES, BATCH_BYTES);
        batch.tryAppend(1, null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)), List.of());
        CompletableFuture<Reply<List<Wire.ProduceResult>>> reply = new CompletableFuture<>();
        broker.produce(
                new Wire.ProduceCall(
                        acks, WAIT_MS, List.of(new Wire.ProducePart(partition, -1, batch.build(ProducerStamp.NONE)))),
                reply::complete);
        Reply<List<Wire.ProduceResult>> told = reply.get(2 * WAIT_MS, TimeUnit.MILLISECONDS);
        return told instanceof Reply.Failure<List<Wire.ProduceResult>> failure
                ? failure.error().name()
                : told.orNull().get(0).error().name();
    }

    @Override
    public void close() {
        broker.close();
        transport.close();
    }
}
