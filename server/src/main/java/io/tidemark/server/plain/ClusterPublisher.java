package io.tidemark.server.plain;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.client.producer.Producer;
import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.client.producer.ProducerRecord;
import io.tidemark.model.Acks;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.server.rpc.Plain;
import io.tidemark.server.rpc.PublishPort;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Writes records through a producer for each kind of acks, made when it is first asked for. Thread-safe. */
final class ClusterPublisher implements PublishPort, AutoCloseable {
    /** What one producer holds of records that are not answered. */
    static final long BUFFER_BYTES = 32L << 20;

    private static final int BATCH_BYTES = 64 << 10;
    /** A topic may take larger batches than the default: the leader's word counts. */
    private static final int MAX_BATCH_BYTES = 64 << 20;

    private static final int IN_FLIGHT = 5;
    /** Without idempotence a batch that is tried again would come behind those that were sent after it. */
    private static final int IN_FLIGHT_WITHOUT_IDEMPOTENCE = 1;

    private static final ProducerConfig.Times TIMES = new ProducerConfig.Times(
            Duration.ZERO, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(1));
    private static final Cancellable NOTHING = () -> {};

    private final ClientRuntime runtime;
    private final ClientTransport transport;
    private final int batchBytes;
    private final ToLongFunction<String> latestTimestampMs;
    private final Map<Acks, Producer> producers = new EnumMap<>(Acks.class);
    private @Nullable Endpoint bootstrap;
    private boolean closed;

    ClusterPublisher(ClientRuntime runtime, ClientTransport transport, PlainAccess.Limits limits) {
        this.runtime = runtime;
        this.transport = transport;
        this.batchBytes = Math.min(BATCH_BYTES, limits.maxBatchBytes());
        this.latestTimestampMs = limits.latestTimestampMs();
    }

    synchronized void bootstrap(Endpoint self) {
        bootstrap = self;
    }

    @Override
    public Cancellable publish(Plain.Publication publication, Consumer<Plain.Outcome> answer) {
        Producer producer = producer(publication.acks());
        if (producer == null) {
            answer.accept(failed(
                    publication,
                    number(publication),
                    -1,
                    new TidemarkException(ErrorCode.BROKER_NOT_AVAILABLE, "the broker is starting or stopping")));
            return NOTHING;
        }
        try {
            requireTimestamp(publication);
            return producer.trySend(
                    record(publication),
                    (partition, offset, failure) -> answer.accept(
                            failure == null
                                    ? new Plain.Outcome.Published(partition.partition(), told(publication, offset))
                                    : failed(producer, publication, partition, failure)));
        } catch (TidemarkException refused) {
            answer.accept(failed(publication, number(publication), -1, refused));
            return NOTHING;
        }
    }

    /** A leader refuses a whole batch for one record, and a batch holds records of several callers. */
    private void requireTimestamp(Plain.Publication publication) {
        Long timestampMs = publication.timestampMs();
        long latestMs = timestampMs == null ? Long.MAX_VALUE : latestTimestampMs.applyAsLong(publication.topic());
        if (timestampMs != null && timestampMs > latestMs) {
            throw new TidemarkException(
                    ErrorCode.INVALID_TIMESTAMP,
                    "the record is dated " + timestampMs + ", beyond the limit of " + latestMs
                            + ", which is the broker's clock plus message.timestamp.after.max.ms");
        }
    }

    /** With acks=0 a leader says more than it has to, and more than holds after its death. */
    private static long told(Plain.Publication publication, long offset) {
        return publication.acks() == Acks.NONE ? -1 : offset;
    }

    private static ProducerRecord record(Plain.Publication publication) {
        return new ProducerRecord(
                publication.topic(),
                publication.partition(),
                publication.timestampMs(),
                publication.key(),
                publication.value(),
                publication.headers());
    }

    private static Plain.Outcome failed(
            Producer producer, Plain.Publication publication, TopicPartition partition, TidemarkException failure) {
        boolean noPlace = failure.error() == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        int number = noPlace ? number(publication) : partition.partition();
        return failed(publication, number, noPlace ? -1 : producer.leaderOf(partition), failure);
    }

    private static Plain.Outcome failed(
            Plain.Publication publication, int partition, int leader, TidemarkException failure) {
        return new Plain.Outcome.Refused(new Plain.Failure(
                Plain.Failure.Kind.WRITE,
                failure.error(),
                failure.outcome(),
                String.valueOf(failure.getMessage()),
                Plain.About.partition(publication.topic(), partition, leader)));
    }

    /** The partition that the caller names, or -1. */
    private static int number(Plain.Publication publication) {
        Integer wanted = publication.partition();
        return wanted == null ? -1 : wanted;
    }

    private synchronized @Nullable Producer producer(Acks acks) {
        Endpoint self = bootstrap;
        if (self == null || closed) {
            return null;
        }
        return producers.computeIfAbsent(acks, kind -> new Producer(config(self, kind), runtime, transport, () -> {}));
    }

    private ProducerConfig config(Endpoint self, Acks acks) {
        int inFlight = acks == Acks.ALL ? IN_FLIGHT : IN_FLIGHT_WITHOUT_IDEMPOTENCE;
        return ProducerConfig.of(List.of(self))
                .withAcks(acks)
                .withLimits(new ProducerConfig.Limits(batchBytes, MAX_BATCH_BYTES, BUFFER_BYTES, inFlight))
                .withTimes(TIMES);
    }

    synchronized long bufferedBytes() {
        return producers.values().stream().mapToLong(Producer::bufferedBytes).sum();
    }

    @Override
    public void close() {
        List<Producer> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(producers.values());
            producers.clear();
        }
        left.forEach(producer -> producer.close(Duration.ZERO));
    }
}
