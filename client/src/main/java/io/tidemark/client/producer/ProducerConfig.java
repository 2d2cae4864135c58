package io.tidemark.client.producer;

import io.tidemark.model.Acks;
import io.tidemark.model.Endpoint;
import io.tidemark.record.Codec;
import java.time.Duration;
import java.util.List;

/**
 * How a producer works. Change single settings with the {@code with...} methods.
 *
 * @param bootstrap addresses to begin with
 * @param acks who must have a batch before its sender hears of success
 * @param idempotence whether brokers drop repeated batches; without it a retry after an unknown outcome is not made
 * @param codec compression of batches
 * @param limits sizes
 * @param times waits
 */
public record ProducerConfig(
        List<Endpoint> bootstrap, Acks acks, Idempotence idempotence, Codec codec, Limits limits, Times times) {
    public ProducerConfig {
        bootstrap = List.copyOf(bootstrap);
        if (idempotence == Idempotence.ON && acks != Acks.ALL) {
            throw new IllegalArgumentException("idempotence needs acks=all");
        }
    }

    /** Whether retries are recognised by the broker. */
    public enum Idempotence {
        ON,
        OFF
    }

    /**
     * @param batchBytes target size of a batch ({@code batch.size})
     * @param maxBatchBytes largest batch, at most the topic's {@code max.message.bytes} ({@code max.request.size})
     * @param bufferBytes records that wait or are under way; a send waits at this bound ({@code buffer.memory})
     * @param inFlight batches under way per partition, 1 to 5 ({@code max.in.flight.requests.per.connection})
     */
    public record Limits(int batchBytes, int maxBatchBytes, long bufferBytes, int inFlight) {
        public static final Limits DEFAULT = new Limits(16 << 10, 1 << 20, 32L << 20, 5);

        public Limits {
            if (inFlight < 1 || inFlight > 5 || batchBytes < 1 || bufferBytes < batchBytes) {
                throw new IllegalArgumentException(
                        "needs 1 to 5 batches in flight and room for at least one batch in the buffer");
            }
        }
    }

    /**
     * @param linger how long a batch that is not full waits for more records
     * @param request how long one attempt may take, given to the broker as its wait for replicas
     * @param delivery from send to the final answer, retries included
     * @param maxBlock how long a send waits for metadata or room in the buffer
     */
    public record Times(Duration linger, Duration request, Duration delivery, Duration maxBlock) {
        public static final Times DEFAULT = new Times(
                Duration.ofMillis(5), Duration.ofSeconds(30), Duration.ofSeconds(120), Duration.ofSeconds(60));
    }

    /** acks=all, idempotent, no compression. */
    public static ProducerConfig of(List<Endpoint> bootstrap) {
        return new ProducerConfig(bootstrap, Acks.ALL, Idempotence.ON, Codec.NONE, Limits.DEFAULT, Times.DEFAULT);
    }

    /** The same with other acks; idempotence goes on with {@link Acks#ALL} and off with others. */
    public ProducerConfig withAcks(Acks other) {
        Idempotence fitting = other == Acks.ALL ? Idempotence.ON : Idempotence.OFF;
        return new ProducerConfig(bootstrap, other, fitting, codec, limits, times);
    }

    public ProducerConfig withCodec(Codec other) {
        return new ProducerConfig(bootstrap, acks, idempotence, other, limits, times);
    }

    public ProducerConfig withLimits(Limits other) {
        return new ProducerConfig(bootstrap, acks, idempotence, codec, other, times);
    }

    public ProducerConfig withTimes(Times other) {
        return new ProducerConfig(bootstrap, acks, idempotence, codec, limits, other);
    }
}
