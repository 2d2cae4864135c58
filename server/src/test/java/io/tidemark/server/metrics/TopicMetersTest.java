package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.model.Acks;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.replication.LeaderChannel;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.produce.Produce;
import io.tidemark.server.rpc.FetchPort;
import io.tidemark.server.rpc.ProducePort;
import io.tidemark.server.rpc.ReplicaFetchPort;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class TopicMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Set<String> known = new TreeSet<>(Set.of("orders"));
    private final TopicMeters meters = new TopicMeters(registry, known::contains);

    private double count(String name, String topic) {
        return registry.get("tidemark.topic." + name)
                .tag("topic", topic)
                .counter()
                .count();
    }

    private static ByteBuffer batch(int records) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 16, 1 << 16);
        for (int i = 0; i < records; i++) {
            builder.tryAppend(0, null, ByteBuffer.allocate(4), List.of());
        }
        return builder.build(ProducerStamp.NONE);
    }

    private void produce(String topic, ErrorCode error, ByteBuffer batches) {
        ProducePort port = meters.produces((request, answer) -> {
            answer.accept(request.parts().stream()
                    .map(part -> new Produce.Result(part.partition(), error, "", 0, 0, -1, -1))
                    .toList());
            return () -> {};
        });
        List<Produce.Result> results = new ArrayList<>();
        port.produce(
                new Produce.Request(Acks.ALL, 1, List.of(new Produce.Part(new TopicPartition(topic, 0), -1, batches))),
                results::addAll);
        assertThat(results).hasSize(1);
    }

    @Test
    void shouldCountWhatProducersWrite() {
        // given
        ByteBuffer batches = batch(3);
        int sizeBytes = batches.remaining();

        // when
        produce("orders", ErrorCode.NONE, batches);

        // then
        assertThat(batches.remaining()).isEqualTo(sizeBytes);
        assertThat(count("bytes.in", "orders")).isEqualTo(sizeBytes);
        assertThat(count("records.in", "orders")).isEqualTo(3);
        assertThat(count("rejected", "orders")).isZero();
    }

    @Test
    void shouldCountWhatIsRefusedAsSuch() {
        produce("orders", ErrorCode.NOT_ENOUGH_REPLICAS, batch(3));
        produce("orders", ErrorCode.CORRUPT_MESSAGE, ByteBuffer.allocate(100));
        assertThat(count("rejected", "orders")).isEqualTo(2);
        assertThat(registry.get("tidemark.log.invalid.batches")
                        .tags("origin", "produce", "reason", "CORRUPT_MESSAGE")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(count("bytes.in", "orders")).isZero();
    }

    @Test
    void shouldCountWhatConsumersAndFollowersAreGiven() {
        // given
        TopicPartition partition = new TopicPartition("orders", 1);
        ReplicaFetch.Answer copied = new ReplicaFetch.Answer(
                ErrorCode.NONE,
                1,
                List.of(new ReplicaFetch.Result(partition, ErrorCode.NONE, 0, 0, ByteBuffer.allocate(70), null)));
        FetchPort fetch = meters.fetches((request, answer) -> {
            answer.accept(List.of(new ConsumerFetch.Result(
                    partition, ErrorCode.NONE, "", 0, 0, ByteBuffer.allocate(50), null, -1, -1)));
            return () -> {};
        });
        ReplicaFetchPort replicaFetch = meters.replicaFetches((request, answer) -> {
            answer.accept(copied);
            return () -> {};
        });
        boolean[] closed = {false};
        LeaderChannel channel = meters.leaders((leaderId, peer) -> new LeaderChannel() {
                    @Override
                    public void fetch(ReplicaFetch.Request request, Consumer<ReplicaFetch.Answer> answer) {
                        answer.accept(copied);
                    }

                    @Override
                    public void close() {
                        closed[0] = true;
                    }
                })
                .open(2, new Endpoint("peer", 1));
        List<Object> answers = new ArrayList<>();

        // when
        fetch.fetch(new ConsumerFetch.Request(0, 0, 0, List.of()), answers::add);
        replicaFetch.fetch(null, answers::add);
        replicaFetch.fetch(null, answers::add);
        channel.fetch(null, answers::add);
        channel.close();

        // then
        assertThat(answers).hasSize(4);
        assertThat(count("bytes.out", "orders")).isEqualTo(50);
        assertThat(count("replication.bytes.out", "orders")).isEqualTo(140);
        assertThat(count("replication.bytes.in", "orders")).isEqualTo(70);
        assertThat(closed[0]).isTrue();
    }

    @Test
    void shouldLetTopicsBeyondTheCapAndUnknownNamesShareOneSeries() {
        // given
        for (int i = 0; i < TopicMeters.MAX_TOPICS + 10; i++) {
            known.add("t" + i);
            produce("t" + i, ErrorCode.NONE, batch(1));
        }

        // when
        produce("made-up", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, batch(1));

        // then
        assertThat(count("records.in", TopicMeters.OTHER)).isEqualTo(10);
        assertThat(count("rejected", TopicMeters.OTHER)).isEqualTo(1);
        assertThat(registry.get("tidemark.topic.records.in").counters()).hasSize(TopicMeters.MAX_TOPICS + 1);
    }

    @Test
    void shouldForgetDeletedTopics() {
        // given
        produce("orders", ErrorCode.NONE, batch(1));

        // when
        meters.retain(Set.of());

        // then
        assertThat(registry.get("tidemark.topic.records.in").counters())
                .extracting(counter -> counter.getId().getTag("topic"))
                .containsExactly(TopicMeters.OTHER);
        produce("orders", ErrorCode.NONE, batch(1));
        assertThat(count("records.in", "orders")).isEqualTo(1);
    }
}
