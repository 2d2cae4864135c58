package io.tidemark.client.consumer;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.RetryRules;
import io.tidemark.client.net.Wire;
import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Keeps one fetch under way to each leader of partitions that want one. Runs on the client's loop. */
final class Fetcher {
    private final ConsumerConfig config;
    private final ClusterClient cluster;
    private final Sink sink;
    private final SortedMap<Integer, Open> open = new TreeMap<>();
    private int failures;
    private boolean paused;
    private boolean closed;

    /** The consumer's shared state. */
    interface Sink {
        SortedMap<TopicPartition, FetchBuffer.Position> wanted();

        void fetched(TopicPartition partition, long version, Wire.FetchResult result);

        /** The position is outside the log, and is to be moved to an end of it. */
        void reset(TopicPartition partition, long version, long offset);

        /** The next poll fails with this. */
        void failed(TopicPartition partition, long version, RuntimeException failure);
    }

    private record Open(long id, Cancellable timeout) {}

    private long lastId;

    Fetcher(ConsumerConfig config, ClusterClient cluster, Sink sink) {
        this.config = config;
        this.cluster = cluster;
        this.sink = sink;
    }

    void start() {
        cluster.onRefresh(this::pump);
    }

    void close() {
        closed = true;
        open.values().forEach(each -> each.timeout().cancel());
        open.clear();
    }

    /** Asks for what is wanted and not asked for yet. */
    void pump() {
        if (closed || paused) {
            return;
        }
        SortedMap<Integer, SortedMap<TopicPartition, FetchBuffer.Position>> byLeader = new TreeMap<>();
        boolean leaderMissing = false;
        for (var entry : sink.wanted().entrySet()) {
            cluster.track(entry.getKey().topic());
            Metadata.Partition target = cluster.metadata().partition(entry.getKey());
            if (target == null || cluster.broker(target.leader()) == null) {
                leaderMissing = true;
            } else if (!open.containsKey(target.leader())) {
                byLeader.computeIfAbsent(target.leader(), id -> new TreeMap<>()).put(entry.getKey(), entry.getValue());
            }
        }
        byLeader.forEach(this::fetch);
        if (leaderMissing) {
            cluster.refresh();
        }
    }

    private void fetch(int leader, SortedMap<TopicPartition, FetchBuffer.Position> positions) {
        BrokerConnection connection = cluster.broker(leader);
        if (connection == null) {
            return;
        }
        List<Wire.FetchPart> parts = new ArrayList<>();
        positions.forEach((partition, position) -> {
            Metadata.Partition target = cluster.metadata().partition(partition);
            parts.add(new Wire.FetchPart(
                    partition,
                    target == null ? -1 : target.leaderEpoch(),
                    position.fetchOffset(),
                    position.lastEpoch(),
                    config.partitionMaxBytes()));
        });
        int waitMs = (int) config.fetchMaxWait().toMillis();
        long id = ++lastId;
        Duration patience = config.fetchMaxWait().plus(config.request());
        Cancellable timeout = cluster.loop()
                .schedule(
                        patience,
                        () -> onReply(leader, id, positions, Reply.failed(ErrorCode.REQUEST_TIMED_OUT, "no answer")));
        open.put(leader, new Open(id, timeout));
        connection.fetch(
                new Wire.FetchCall(waitMs, 1, config.fetchMaxBytes(), parts),
                reply -> cluster.loop().execute(() -> onReply(leader, id, positions, reply)));
    }

    private void onReply(
            int leader,
            long id,
            SortedMap<TopicPartition, FetchBuffer.Position> positions,
            Reply<List<Wire.FetchResult>> reply) {
        Open current = open.get(leader);
        if (closed || current == null || current.id() != id) {
            return;
        }
        open.remove(leader);
        current.timeout().cancel();
        List<Wire.FetchResult> results = reply.orNull();
        boolean trouble = results == null;
        if (results != null) {
            for (Wire.FetchResult result : results) {
                FetchBuffer.Position asked = positions.get(result.partition());
                if (asked != null) {
                    trouble |= take(result, asked);
                }
            }
        }
        if (trouble) {
            failures++;
            cluster.refresh();
            pauseThenPump();
        } else {
            failures = 0;
            pump();
        }
    }

    private void pauseThenPump() {
        paused = true;
        cluster.loop().schedule(cluster.retries().pause(failures, cluster.randomness()), () -> {
            paused = false;
            pump();
        });
    }

    /** Whether something has to be tried again, after a pause: also what the application has yet to hear of. */
    private boolean take(Wire.FetchResult result, FetchBuffer.Position asked) {
        Long divergingEnd = result.divergingEnd();
        if (divergingEnd != null) {
            sink.failed(
                    result.partition(), asked.version(), new LogTruncatedException(result.partition(), divergingEnd));
            return true;
        }
        if (result.error() == ErrorCode.NONE) {
            return takeBatches(result, asked);
        }
        if (result.error() == ErrorCode.OFFSET_OUT_OF_RANGE) {
            outOfRange(result, asked);
            return true;
        }
        if (result.error().isRetriable() || RetryRules.wantsMetadata(result.error())) {
            return true;
        }
        sink.failed(result.partition(), asked.version(), new TidemarkException(result.error(), result.message()));
        return true;
    }

    private boolean takeBatches(Wire.FetchResult result, FetchBuffer.Position asked) {
        try {
            sink.fetched(result.partition(), asked.version(), result);
            return false;
        } catch (InvalidBatchException e) {
            sink.failed(result.partition(), asked.version(), e);
            return true;
        }
    }

    private void outOfRange(Wire.FetchResult result, FetchBuffer.Position asked) {
        if (config.onOutOfRange() == ConsumerConfig.OnOutOfRange.FAIL) {
            sink.failed(
                    result.partition(),
                    asked.version(),
                    new TidemarkException(
                            result.error(),
                            "offset " + asked.fetchOffset() + " of " + result.partition() + " is not in the log, "
                                    + "which starts at " + result.logStartOffset()));
            return;
        }
        LogPosition end = config.onOutOfRange() == ConsumerConfig.OnOutOfRange.EARLIEST
                ? LogPosition.EARLIEST
                : LogPosition.LATEST;
        BrokerConnection connection = cluster.leaderOf(result.partition());
        if (connection != null) {
            connection.listOffsets(
                    List.of(new Wire.OffsetQuery(result.partition(), -1, end)),
                    reply -> cluster.loop().execute(() -> {
                        List<Wire.OffsetResult> found = reply.orNull();
                        if (found != null && !found.isEmpty() && found.get(0).error() == ErrorCode.NONE) {
                            sink.reset(
                                    result.partition(),
                                    asked.version(),
                                    found.get(0).offset());
                        }
                    }));
        }
    }
}
