package io.tidemark.client.consumer;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.FetchLane;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one fetch under way to each leader of partitions that want one. A partition that cannot be read pauses alone: the others
 * are read on meanwhile, and their leader is asked to wait no longer than until it is that one's turn again. Runs on the
 * client's loop.
 */
final class Fetcher {
    private static final Duration OFFSET_PATIENCE = Duration.ofSeconds(10);

    private final Settings settings;
    private final ClusterClient cluster;
    private final Sink sink;
    private final OffsetFinder offsets;
    private final SortedMap<Integer, Lane> lanes = new TreeMap<>();
    private final SortedMap<Integer, Open> open = new TreeMap<>();
    private final SortedMap<TopicPartition, Trouble> troubles = new TreeMap<>();
    private final SortedMap<TopicPartition, Pause> pauses = new TreeMap<>();
    private final SortedMap<Integer, Deque<TopicPartition>> suspects = new TreeMap<>();
    private Cancellable refreshes = () -> {};
    private Cancellable nextTurn = () -> {};
    /** Whether an answer is being taken: what it says of partitions further on is not known to the reader yet. */
    private boolean taking;

    private boolean closed;
    private long lastId;

    /**
     * @param maxWait how long a broker may wait for data
     * @param request how long an answer may take beyond that
     * @param patience how long a partition may be without a leader that answers, before reading it fails
     */
    record Settings(ConsumerConfig.OnOutOfRange onOutOfRange, Duration maxWait, Duration request, Patience patience) {}

    /**
     * @param withoutTopic for brokers that say that there is no such topic
     * @param withoutLeader for everything else that may get better
     */
    record Patience(Duration withoutTopic, Duration withoutLeader) {
        static final Patience ENDLESS =
                new Patience(Duration.ofNanos(Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE));
    }

    /** Limits of one answer. */
    record Limits(int answerMaxBytes, int partitionMaxBytes) {}

    /** The reader's state. */
    interface Sink {
        SortedMap<TopicPartition, FetchBuffer.Position> wanted();

        /**
         * What each of so many leaders may answer now.
         *
         * @param underWayBytes that other leaders may answer still
         */
        Limits limits(int leaders, long underWayBytes);

        void fetched(TopicPartition partition, long version, FetchBuffer.Fetched fetched);

        /** The position is outside the log, and is to be moved to an end of it. */
        void reset(TopicPartition partition, long version, long offset);

        /** The partition cannot be read on. */
        void failed(TopicPartition partition, long version, RuntimeException failure);
    }

    /**
     * A partition that cannot be read, from the first to the last time that this was met.
     *
     * @param missingSinceNs from when on brokers have said each time that there is no such topic; null if they do not say it
     */
    private record Trouble(
            long sinceNs, long lastNs, @Nullable Long missingSinceNs) {}

    /** How often in a row a partition could not be read, and when it is asked for again. */
    private record Pause(int attempts, long untilNs) {}

    /** What a leader is to be asked for now. */
    private static final class Turn {
        private final SortedMap<TopicPartition, FetchBuffer.Position> positions = new TreeMap<>();
        private long waitNs;

        Turn(Duration maxWait) {
            waitNs = maxWait.toNanos();
        }
    }

    private record Lane(BrokerConnection connection, FetchLane fetches) {}

    private record Open(long id, Cancellable timeout, int maxBytes) {}

    Fetcher(Settings settings, ClusterClient cluster, Sink sink) {
        this.settings = settings;
        this.cluster = cluster;
        this.sink = sink;
        this.offsets = new OffsetFinder(cluster);
    }

    void start() {
        refreshes = cluster.onRefresh(this::pump);
    }

    /** Calls off what is under way. Idempotent. */
    void close() {
        closed = true;
        refreshes.cancel();
        nextTurn.cancel();
        offsets.close();
        open.values().forEach(each -> each.timeout().cancel());
        open.clear();
        List<Lane> all = new ArrayList<>(lanes.values());
        lanes.clear();
        all.forEach(lane -> lane.fetches().close());
    }

    /** Asks for what is wanted and not asked for yet. */
    void pump() {
        if (closed || taking) {
            return;
        }
        SortedMap<Integer, Turn> byLeader = new TreeMap<>();
        boolean leaderMissing = false;
        long nowNs = cluster.clock().monotonicNs();
        for (var entry : sink.wanted().entrySet()) {
            TopicPartition partition = entry.getKey();
            cluster.track(partition.topic());
            Metadata.Partition target = cluster.metadata().partition(partition);
            if (target == null || cluster.broker(target.leader()) == null) {
                leaderMissing = true;
                troubled(partition, entry.getValue(), ErrorCode.LEADER_NOT_AVAILABLE, "no leader is known");
            } else if (!open.containsKey(target.leader())) {
                Turn turn = byLeader.computeIfAbsent(target.leader(), id -> new Turn(settings.maxWait()));
                long pauseNs = pauseNs(partition, nowNs);
                if (pauseNs > 0) {
                    turn.waitNs = Math.min(turn.waitNs, pauseNs);
                } else {
                    turn.positions.put(partition, entry.getValue());
                }
            }
        }
        byLeader.values().removeIf(turn -> turn.positions.isEmpty());
        if (closed) {
            return;
        }
        long underWayBytes = open.values().stream().mapToLong(Open::maxBytes).sum();
        Limits limits = sink.limits(byLeader.size(), underWayBytes);
        if (limits.answerMaxBytes() > 0) {
            byLeader.forEach((leader, turn) -> fetch(leader, turn, limits));
        }
        if (leaderMissing) {
            cluster.refresh();
        }
    }

    /** How much longer the partition pauses; 0 if it does not. */
    private long pauseNs(TopicPartition partition, long nowNs) {
        Pause pause = pauses.get(partition);
        return pause == null ? 0 : Math.max(0, pause.untilNs() - nowNs);
    }

    private void fetch(int leader, Turn turn, Limits limits) {
        BrokerConnection connection = cluster.broker(leader);
        if (connection == null) {
            return;
        }
        SortedMap<TopicPartition, FetchBuffer.Position> positions = nextSuspect(leader, turn.positions);
        List<Map.Entry<TopicPartition, FetchBuffer.Position>> inTurn = new ArrayList<>(positions.entrySet());
        inTurn.sort(Comparator.comparingLong(entry -> entry.getValue().lastTurn()));
        List<Wire.FetchPart> parts = new ArrayList<>();
        for (var entry : inTurn) {
            Metadata.Partition target = cluster.metadata().partition(entry.getKey());
            parts.add(new Wire.FetchPart(
                    entry.getKey(),
                    target == null ? -1 : target.leaderEpoch(),
                    entry.getValue().fetchOffset(),
                    entry.getValue().lastEpoch(),
                    limits.partitionMaxBytes()));
        }
        int waitMs = suspects.containsKey(leader)
                ? 0
                : (int) Duration.ofNanos(turn.waitNs).toMillis();
        long id = ++lastId;
        Cancellable timeout = cluster.loop()
                .schedule(
                        settings.maxWait().plus(settings.request()),
                        () -> onReply(leader, id, positions, Reply.failed(ErrorCode.REQUEST_TIMED_OUT, "no answer")));
        open.put(leader, new Open(id, timeout, limits.answerMaxBytes()));
        lane(leader, connection)
                .fetch(
                        new Wire.FetchCall(waitMs, 1, limits.answerMaxBytes(), parts),
                        reply -> cluster.loop().execute(() -> onReply(leader, id, positions, reply)));
    }

    /** One of the partitions that made an answer too large, if there is one left to be asked for by itself; else all. */
    private SortedMap<TopicPartition, FetchBuffer.Position> nextSuspect(
            int leader, SortedMap<TopicPartition, FetchBuffer.Position> wanted) {
        Deque<TopicPartition> queue = suspects.get(leader);
        while (queue != null && !queue.isEmpty()) {
            TopicPartition partition = queue.remove();
            FetchBuffer.Position position = wanted.get(partition);
            if (position != null) {
                return new TreeMap<>(Map.of(partition, position));
            }
        }
        suspects.remove(leader);
        return wanted;
    }

    /** A broker that came back elsewhere has another connection, and the lane over the last one is of no use. */
    private FetchLane lane(int leader, BrokerConnection connection) {
        Lane known = lanes.get(leader);
        if (known != null && known.connection().equals(connection)) {
            return known.fetches();
        }
        if (known != null) {
            known.fetches().close();
        }
        FetchLane opened = connection.openFetches();
        lanes.put(leader, new Lane(connection, opened));
        return opened;
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
        Set<TopicPartition> troubled;
        taking = true;
        try {
            troubled = reply instanceof Reply.Failure<List<Wire.FetchResult>> failure
                    ? refused(leader, positions, failure)
                    : take(positions, reply.orNull());
        } finally {
            taking = false;
        }
        if (closed) {
            return;
        }
        pauses.keySet().removeIf(partition -> positions.containsKey(partition) && !troubled.contains(partition));
        if (!troubled.isEmpty()) {
            pause(troubled);
            cluster.refresh();
        }
        pump();
    }

    /** All of them as long as the one that failed most often, so that they are asked for together again. */
    private void pause(Set<TopicPartition> troubled) {
        int attempts = 1 + troubled.stream().mapToInt(this::attempts).max().orElse(0);
        Duration pause = cluster.retries().pause(attempts, cluster.randomness());
        long nowNs = cluster.clock().monotonicNs();
        troubled.forEach(partition -> pauses.put(partition, new Pause(attempts, nowNs + pause.toNanos())));
        armNextTurn(nowNs);
    }

    private int attempts(TopicPartition partition) {
        Pause before = pauses.get(partition);
        return before == null ? 0 : before.attempts();
    }

    /** One timer for all pauses: the first that is over sets the next. */
    private void armNextTurn(long nowNs) {
        nextTurn.cancel();
        pauses.values().stream()
                .mapToLong(pause -> pause.untilNs() - nowNs)
                .filter(leftNs -> leftNs > 0)
                .min()
                .ifPresent(leftNs -> nextTurn = cluster.loop().schedule(Duration.ofNanos(leftNs), this::takeNextTurn));
    }

    private void takeNextTurn() {
        pump();
        armNextTurn(cluster.clock().monotonicNs());
    }

    /**
     * No answer, or none that can be read. Of several partitions one holds a batch that is larger than an answer may be:
     * they are asked for one by one, and reading fails where that is too much too (KNOWN_BUGS 41).
     */
    private Set<TopicPartition> refused(
            int leader,
            SortedMap<TopicPartition, FetchBuffer.Position> positions,
            Reply.Failure<List<Wire.FetchResult>> failure) {
        if (failure.error() == ErrorCode.MESSAGE_TOO_LARGE && positions.size() > 1) {
            suspects.put(leader, new ArrayDeque<>(positions.keySet()));
        } else if (failure.error().outcome() == ErrorCode.Outcome.FAILED) {
            positions.forEach((partition, position) -> sink.failed(
                    partition,
                    position.version(),
                    new TidemarkException(
                            failure.error(),
                            partition + " cannot be read at offset " + position.fetchOffset() + ": "
                                    + failure.message())));
        } else {
            positions.forEach(
                    (partition, position) -> troubled(partition, position, failure.error(), failure.message()));
        }
        return new LinkedHashSet<>(positions.keySet());
    }

    /** Those that have to be asked for again after a pause: what a broker leaves out of its answer among them. */
    private Set<TopicPartition> take(
            SortedMap<TopicPartition, FetchBuffer.Position> positions, @Nullable List<Wire.FetchResult> results) {
        Set<TopicPartition> troubled = new LinkedHashSet<>(positions.keySet());
        for (Wire.FetchResult result : results == null ? List.<Wire.FetchResult>of() : results) {
            FetchBuffer.Position asked = positions.get(result.partition());
            if (asked != null && !take(result, asked)) {
                troubled.remove(result.partition());
            }
        }
        return troubled;
    }

    /** Whether something has to be tried again, after a pause: also what the application has yet to hear of. */
    private boolean take(Wire.FetchResult result, FetchBuffer.Position asked) {
        TopicPartition partition = result.partition();
        Long divergingEnd = result.divergingEnd();
        if (divergingEnd != null) {
            sink.failed(partition, asked.version(), new LogTruncatedException(partition, divergingEnd));
            return true;
        }
        if (result.error() == ErrorCode.NONE) {
            troubles.remove(partition);
            return takeBatches(result, asked);
        }
        if (result.error() == ErrorCode.OFFSET_OUT_OF_RANGE) {
            outOfRange(result, asked);
            return true;
        }
        if (result.error().isRetriable() || RetryRules.wantsMetadata(result.error())) {
            troubled(partition, asked, result.error(), result.message());
            return true;
        }
        sink.failed(partition, asked.version(), new TidemarkException(result.error(), result.message()));
        return true;
    }

    /** Notes that the partition could not be read this time, and gives it up when that has lasted too long. */
    private void troubled(TopicPartition partition, FetchBuffer.Position position, ErrorCode error, String why) {
        ErrorCode topicError = cluster.topicError(partition.topic());
        Trouble trouble = note(partition, topicError);
        Long missingSinceNs = trouble.missingSinceNs();
        if (topicError != null
                && missingSinceNs != null
                && trouble.lastNs() - missingSinceNs
                        >= settings.patience().withoutTopic().toNanos()) {
            sink.failed(
                    partition,
                    position.version(),
                    new TidemarkException(topicError, "there is no topic " + partition.topic()));
        } else if (trouble.lastNs() - trouble.sinceNs()
                >= settings.patience().withoutLeader().toNanos()) {
            sink.failed(
                    partition,
                    position.version(),
                    new TidemarkException(error, partition + " cannot be read now: " + why));
        }
    }

    /** While nobody wants the partition nobody knows how it fares: that time is not counted. */
    private Trouble note(TopicPartition partition, @Nullable ErrorCode topicError) {
        long nowNs = cluster.clock().monotonicNs();
        Trouble known = troubles.get(partition);
        Trouble before = known == null || nowNs - known.lastNs() > oneTry().toNanos() ? null : known;
        Long missingSinceNs = before == null || before.missingSinceNs() == null ? nowNs : before.missingSinceNs();
        Trouble now = new Trouble(
                before == null ? nowNs : before.sinceNs(), nowNs, topicError == null ? null : missingSinceNs);
        troubles.put(partition, now);
        return now;
    }

    /** The longest that a partition which is wanted may go without news. */
    private Duration oneTry() {
        return settings.maxWait()
                .plus(settings.request())
                .plus(cluster.retries().longest().multipliedBy(2));
    }

    private boolean takeBatches(Wire.FetchResult result, FetchBuffer.Position asked) {
        try {
            sink.fetched(
                    result.partition(),
                    asked.version(),
                    new FetchBuffer.Fetched(result.batches(), result.highWatermark()));
            return false;
        } catch (InvalidBatchException e) {
            sink.failed(result.partition(), asked.version(), e);
            return true;
        }
    }

    private void outOfRange(Wire.FetchResult result, FetchBuffer.Position asked) {
        if (settings.onOutOfRange() == ConsumerConfig.OnOutOfRange.FAIL) {
            sink.failed(
                    result.partition(),
                    asked.version(),
                    new OffsetOutOfRangeException(
                            result.partition(), asked.fetchOffset(), result.logStartOffset(), -1));
            return;
        }
        LogPosition end = settings.onOutOfRange() == ConsumerConfig.OnOutOfRange.EARLIEST
                ? LogPosition.EARLIEST
                : LogPosition.LATEST;
        offsets.find(result.partition(), end, OFFSET_PATIENCE, reply -> {
            Long found = reply.orNull();
            if (found != null && !closed) {
                sink.reset(result.partition(), asked.version(), found);
            }
        });
    }
}
