package io.tidemark.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.model.ErrorCode;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import io.tidemark.replication.LeaderChannel;
import io.tidemark.replication.LeaderChannels;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.produce.Produce;
import io.tidemark.server.rpc.FetchPort;
import io.tidemark.server.rpc.ProducePort;
import io.tidemark.server.rpc.ReplicaFetchPort;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What goes in and out by topic, counted where requests pass. Thread-safe; takes no lock on the way of a record.
 *
 * <p>Bounded: the first {@link #MAX_TOPICS} topics have series of their own, and all others, with names that the cluster does not
 * know, share {@code __other__}. Series of a deleted topic go with it, at the next {@link #retain}.
 */
public final class TopicMeters {
    /** Topics with series of their own. */
    static final int MAX_TOPICS = 1_000;

    static final String OTHER = "__other__";

    private final MeterRegistry registry;
    private final Predicate<String> isKnown;
    private final Map<String, Meters> byTopic = new ConcurrentHashMap<>();
    private final Meters other;
    private final Map<ErrorCode, Counter> invalid = new EnumMap<>(ErrorCode.class);

    /** @param isKnown whether the cluster has a topic of that name; thread-safe, fast */
    public TopicMeters(MeterRegistry registry, Predicate<String> isKnown) {
        this.registry = registry;
        this.isKnown = isKnown;
        this.other = new Meters(registry, OTHER);
        for (ErrorCode reason :
                List.of(ErrorCode.CORRUPT_MESSAGE, ErrorCode.INVALID_RECORD, ErrorCode.INVALID_TIMESTAMP)) {
            invalid.put(
                    reason,
                    Counter.builder("tidemark.log.invalid.batches")
                            .description("parts of requests that were refused for their batches")
                            .tag("origin", "produce")
                            .tag("reason", reason.name())
                            .register(registry));
        }
    }

    private static final class Meters {
        private final Counter bytesIn;
        private final Counter recordsIn;
        private final Counter bytesOut;
        private final Counter replicationBytesIn;
        private final Counter replicationBytesOut;
        private final Counter rejected;

        Meters(MeterRegistry registry, String topic) {
            bytesIn = counter(registry, "bytes.in", topic, "bytes of batches that producers wrote");
            recordsIn = counter(registry, "records.in", topic, "records that producers wrote");
            bytesOut = counter(registry, "bytes.out", topic, "bytes of batches that consumers were given");
            replicationBytesIn =
                    counter(registry, "replication.bytes.in", topic, "bytes of batches fetched from leaders");
            replicationBytesOut =
                    counter(registry, "replication.bytes.out", topic, "bytes of batches that followers were given");
            rejected = counter(registry, "rejected", topic, "parts of produces that were answered with an error");
        }

        private static Counter counter(MeterRegistry registry, String name, String topic, String description) {
            return Counter.builder("tidemark.topic." + name)
                    .description(description)
                    .tag("topic", topic)
                    .register(registry);
        }

        private List<Counter> all() {
            return List.of(bytesIn, recordsIn, bytesOut, replicationBytesIn, replicationBytesOut, rejected);
        }
    }

    /** How much one part of a produce brings. */
    private record Size(long bytes, long records) {}

    /** Counts what is written, and what is refused. */
    public ProducePort produces(ProducePort port) {
        return (request, answer) -> {
            // Before the call: from then on the batches are the broker's.
            List<Size> sizes = new ArrayList<>(request.parts().size());
            request.parts().forEach(part -> sizes.add(sizeOf(part.batches())));
            return port.produce(request, results -> {
                for (int i = 0; i < results.size() && i < sizes.size(); i++) {
                    count(results.get(i), sizes.get(i));
                }
                answer.accept(results);
            });
        };
    }

    /** Counts what consumers are given. */
    public FetchPort fetches(FetchPort port) {
        return (request, answer) -> port.fetch(request, results -> {
            for (ConsumerFetch.Result result : results) {
                if (result.batches().hasRemaining()) {
                    of(result.partition().topic())
                            .bytesOut
                            .increment(result.batches().remaining());
                }
            }
            answer.accept(results);
        });
    }

    /** Counts what followers are given. */
    public ReplicaFetchPort replicaFetches(ReplicaFetchPort port) {
        return (request, answer) -> port.fetch(request, given -> {
            for (ReplicaFetch.Result result : given.results()) {
                if (result.batches().hasRemaining()) {
                    of(result.partition().topic())
                            .replicationBytesOut
                            .increment(result.batches().remaining());
                }
            }
            answer.accept(given);
        });
    }

    /** Counts what this broker's followers get from leaders. */
    public LeaderChannels leaders(LeaderChannels channels) {
        return (leaderId, peer) -> new MeteredChannel(channels.open(leaderId, peer));
    }

    /** Drops the series of topics that are no more. */
    public void retain(Set<String> topics) {
        byTopic.keySet().forEach(topic -> {
            if (!topics.contains(topic)) {
                Meters gone = byTopic.remove(topic);
                if (gone != null) {
                    gone.all().forEach(registry::remove);
                }
            }
        });
    }

    private void count(Produce.Result result, Size size) {
        Meters meters = of(result.partition().topic());
        if (result.error() == ErrorCode.NONE) {
            meters.bytesIn.increment((double) size.bytes());
            meters.recordsIn.increment((double) size.records());
        } else {
            meters.rejected.increment();
            Counter malformed = invalid.get(result.error());
            if (malformed != null) {
                malformed.increment();
            }
        }
    }

    private Meters of(String topic) {
        Meters known = byTopic.get(topic);
        if (known != null) {
            return known;
        }
        if (byTopic.size() >= MAX_TOPICS || !isKnown.test(topic)) {
            return other;
        }
        return byTopic.computeIfAbsent(topic, name -> new Meters(registry, name));
    }

    private static Size sizeOf(ByteBuffer batches) {
        long records = 0;
        try {
            for (RecordBatch batch : RecordBatches.of(batches)) {
                records += Math.max(0, batch.recordCount());
            }
        } catch (InvalidBatchException e) {
            // It will be refused, and is then counted as such.
            return new Size(batches.remaining(), 0);
        }
        return new Size(batches.remaining(), records);
    }

    /** Counts what its answers bring. */
    private final class MeteredChannel implements LeaderChannel {
        private final LeaderChannel channel;

        MeteredChannel(LeaderChannel channel) {
            this.channel = channel;
        }

        @Override
        public void fetch(ReplicaFetch.Request request, Consumer<ReplicaFetch.Answer> answer) {
            channel.fetch(request, given -> {
                for (ReplicaFetch.Result result : given.results()) {
                    if (result.batches().hasRemaining()) {
                        of(result.partition().topic())
                                .replicationBytesIn
                                .increment(result.batches().remaining());
                    }
                }
                answer.accept(given);
            });
        }

        @Override
        public void close() {
            channel.close();
        }
    }
}
