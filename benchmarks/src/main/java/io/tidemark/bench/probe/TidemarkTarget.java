package io.tidemark.bench.probe;

import io.tidemark.client.Tidemark;
import io.tidemark.client.TidemarkException;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Wire;
import io.tidemark.client.producer.Producer;
import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.client.producer.ProducerRecord;
import io.tidemark.model.Endpoint;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Tidemark through its client. */
final class TidemarkTarget implements ProbeTarget {
    private final List<Endpoint> bootstrap;
    private final Admin admin;

    TidemarkTarget(String bootstrap) {
        this.bootstrap =
                Arrays.stream(bootstrap.split(",", -1)).map(Endpoint::parse).toList();
        this.admin = Tidemark.admin(new Admin.Settings(this.bootstrap, PATIENCE));
    }

    @Override
    public RecordSink open(SinkSettings settings) {
        ProducerConfig.Idempotence idempotence = settings.idempotence() == Idempotence.ON
                ? ProducerConfig.Idempotence.ON
                : ProducerConfig.Idempotence.OFF;
        ProducerConfig base = ProducerConfig.of(bootstrap);
        Duration maxBlock = settings.delivery();
        return new Sink(Tidemark.producer(new ProducerConfig(
                bootstrap,
                base.acks(),
                idempotence,
                base.codec(),
                base.limits(),
                new ProducerConfig.Times(
                        Duration.ofMillis(settings.lingerMs()), settings.request(), settings.delivery(), maxBlock))));
    }

    @Override
    public void createTopic(String topic, int partitions, int replicationFactor)
            throws ExecutionException, InterruptedException, TimeoutException {
        SortedMap<String, String> configs = new TreeMap<>();
        configs.put("min.insync.replicas", Integer.toString(Math.min(2, replicationFactor)));
        await(admin.createTopic(new Wire.TopicCreation(topic, partitions, replicationFactor, configs)));
    }

    @Override
    public void deleteTopic(String topic) throws ExecutionException, InterruptedException, TimeoutException {
        await(admin.deleteTopic(topic));
    }

    @Override
    public int liveBrokers() throws ExecutionException, InterruptedException, TimeoutException {
        return await(admin.describeCluster()).brokers().size();
    }

    @Override
    public int controller() throws ExecutionException, InterruptedException, TimeoutException {
        return await(admin.describeCluster()).controllerId();
    }

    @Override
    public List<PartitionView> partitions(String topic)
            throws ExecutionException, InterruptedException, TimeoutException {
        Metadata.Topic found = await(admin.describeTopic(topic)).topics().get(topic);
        return found == null
                ? List.of()
                : found.partitions().values().stream()
                        .map(partition -> new PartitionView(
                                partition.partition(),
                                partition.leader() < 0 ? null : partition.leader(),
                                partition.isr()))
                        .toList();
    }

    @Override
    public void close() {
        admin.close();
    }

    private static <T> T await(CompletableFuture<T> future)
            throws ExecutionException, InterruptedException, TimeoutException {
        return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Its producer. */
    private record Sink(Producer producer) implements RecordSink {
        @Override
        public void send(String topic, int partition, byte[] value, Answer answer) {
            ProducerRecord entry = new ProducerRecord(topic, partition, null, null, ByteBuffer.wrap(value), List.of());
            try {
                producer.send(entry, (written, offset, failure) -> answer.done(failure));
            } catch (TidemarkException refused) {
                answer.done(refused);
            }
        }

        @Override
        public void close() {
            producer.close(PATIENCE);
        }
    }
}
