package io.tidemark.bench.probe;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka through its client. */
final class KafkaTarget implements ProbeTarget {
    private final String bootstrap;
    private final Admin admin;

    KafkaTarget(String bootstrap) {
        this.bootstrap = bootstrap;
        this.admin = Admin.create(Map.of(
                "bootstrap.servers", bootstrap, "request.timeout.ms", "10000", "default.api.timeout.ms", "25000"));
    }

    /** What is quick to find the next leader here is quick in Tidemark's client by default. */
    @Override
    public RecordSink open(SinkSettings settings) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", bootstrap);
        config.put("acks", "all");
        config.put("linger.ms", Integer.toString(settings.lingerMs()));
        if (settings.idempotence() == Idempotence.OFF) {
            config.put("enable.idempotence", "false");
            config.put("request.timeout.ms", millis(settings.request()));
            config.put("delivery.timeout.ms", millis(settings.delivery()));
            config.put("max.block.ms", millis(settings.delivery()));
            config.put("retry.backoff.ms", "20");
            config.put("retry.backoff.max.ms", "50");
            config.put("reconnect.backoff.ms", "20");
            config.put("reconnect.backoff.max.ms", "100");
            config.put("socket.connection.setup.timeout.ms", "300");
            config.put("metadata.max.age.ms", "500");
        }
        return new Sink(new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    @Override
    public void createTopic(String topic, int partitions, int replicationFactor)
            throws ExecutionException, InterruptedException, TimeoutException {
        NewTopic creation = new NewTopic(topic, partitions, (short) replicationFactor)
                .configs(Map.of("min.insync.replicas", Integer.toString(Math.min(2, replicationFactor))));
        await(admin.createTopics(List.of(creation)).all());
    }

    @Override
    public void deleteTopic(String topic) throws ExecutionException, InterruptedException, TimeoutException {
        await(admin.deleteTopics(List.of(topic)).all());
    }

    @Override
    public int liveBrokers() throws ExecutionException, InterruptedException, TimeoutException {
        return await(admin.describeCluster().nodes()).size();
    }

    /** {@code describeCluster} names any broker as controller; the quorum knows. */
    @Override
    public int controller() throws ExecutionException, InterruptedException, TimeoutException {
        return await(admin.describeMetadataQuorum().quorumInfo()).leaderId();
    }

    @Override
    public List<PartitionView> partitions(String topic)
            throws ExecutionException, InterruptedException, TimeoutException {
        TopicDescription description =
                await(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
        return description == null
                ? List.of()
                : description.partitions().stream().map(KafkaTarget::view).toList();
    }

    private static PartitionView view(TopicPartitionInfo info) {
        Integer leader = Optional.ofNullable(info.leader())
                .filter(node -> !node.isEmpty())
                .map(Node::id)
                .orElse(null);
        return new PartitionView(
                info.partition(), leader, info.isr().stream().map(Node::id).toList());
    }

    @Override
    public void close() {
        admin.close(PATIENCE);
    }

    private static <T> T await(KafkaFuture<T> future)
            throws ExecutionException, InterruptedException, TimeoutException {
        return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }

    /** Its producer. */
    private record Sink(KafkaProducer<byte[], byte[]> producer) implements RecordSink {
        @Override
        public void send(String topic, int partition, byte[] value, Answer answer) {
            try {
                var ignored = producer.send(
                        new ProducerRecord<>(topic, partition, null, value),
                        (written, failure) -> answer.done(failure));
            } catch (KafkaException refused) {
                answer.done(refused);
            }
        }

        @Override
        public void close() {
            producer.close(PATIENCE);
        }
    }
}
