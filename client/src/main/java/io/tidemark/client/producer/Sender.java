package io.tidemark.client.producer;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.RetryRules;
import io.tidemark.client.net.Wire;
import io.tidemark.client.net.Wire.ProducerIdentity;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches to leaders and takes their answers, on the client's loop. One pass sends, to each leader, requests that
 * each hold at most one batch of a partition, until no partition has one that may go.
 */
final class Sender {
    private static final Duration CHECK_PERIOD = Duration.ofMillis(100);
    private static final long SLOW_ANSWER_NS = Duration.ofMillis(500).toNanos();
    private static final long MAX_REQUEST_BYTES = 32 << 20;

    private final ProducerConfig config;
    private final ClusterClient cluster;
    private final Buffer buffer;
    private final PartitionWriter.Policy policy;
    private final SortedMap<TopicPartition, PartitionWriter> writers = new TreeMap<>();
    private final Map<PendingBatch, Attempt> attempts = new LinkedHashMap<>();

    private @Nullable ProducerIdentity identity;
    private boolean askingIdentity;
    private int identityFailures;
    private boolean metadataWanted;
    private Cancellable lingerTimer = () -> {};
    private Cancellable checkTimer = () -> {};
    private boolean closed;
    private long requestMaxBytes = MAX_REQUEST_BYTES;

    /** The accumulator as the sender sees it: shared with the application's threads. */
    interface Buffer {
        List<TopicPartition> partitions();

        @Nullable
        PendingBatch takeReady(TopicPartition partition, long nowNs);

        List<PendingBatch> takeExpired(long createdBeforeNs);

        List<PendingBatch> takeAll();

        long nextReadyInNs(long nowNs);

        /** The batch is answered: its room is free. */
        void release(PendingBatch batch);
    }

    /** One try of one batch: an answer to an earlier one is void. */
    private record Attempt(int number, int leader, int leaderEpoch, long sentNs) {}

    Sender(ProducerConfig config, ClusterClient cluster, Buffer buffer) {
        this.config = config;
        this.cluster = cluster;
        this.buffer = buffer;
        this.policy = config.idempotence() == ProducerConfig.Idempotence.ON
                ? PartitionWriter.Policy.IDEMPOTENT
                : PartitionWriter.Policy.PLAIN;
    }

    void start() {
        cluster.onRefresh(this::onRefresh);
        checkTimer = cluster.loop().scheduleEvery(CHECK_PERIOD, this::check);
    }

    /** Sends what may go. */
    void pump() {
        if (closed || !haveIdentity()) {
            return;
        }
        long nowNs = nowNs();
        SortedSet<TopicPartition> candidates = new TreeSet<>(buffer.partitions());
        writers.forEach((partition, writer) -> {
            if (!writer.isIdle()) {
                candidates.add(partition);
            }
        });
        boolean more = true;
        while (more) {
            more = sendRound(candidates, nowNs);
        }
        if (metadataWanted) {
            metadataWanted = false;
            cluster.refresh();
        }
        armLinger(nowNs);
    }

    /** Fails everything that is left, and sends nothing any more. */
    void close(String why) {
        closed = true;
        lingerTimer.cancel();
        checkTimer.cancel();
        List<PendingBatch> left = new ArrayList<>();
        writers.values().forEach(writer -> left.addAll(writer.takeAll()));
        left.addAll(buffer.takeAll());
        left.forEach(batch -> fail(batch, unresolved(batch, why)));
        attempts.clear();
    }

    private long nowNs() {
        return cluster.clock().monotonicNs();
    }

    private boolean sendRound(SortedSet<TopicPartition> candidates, long nowNs) {
        SortedMap<Integer, List<PendingBatch>> byLeader = new TreeMap<>();
        SortedMap<Integer, Long> bytes = new TreeMap<>();
        for (TopicPartition partition : candidates) {
            Metadata.Partition target = cluster.metadata().partition(partition);
            if (target == null || cluster.broker(target.leader()) == null) {
                metadataWanted = true;
                continue;
            }
            if (bytes.getOrDefault(target.leader(), 0L) >= requestMaxBytes) {
                continue;
            }
            PendingBatch batch = next(partition, nowNs);
            if (batch != null) {
                byLeader.computeIfAbsent(target.leader(), id -> new ArrayList<>())
                        .add(batch);
                bytes.merge(target.leader(), batch.reservedBytes(), Long::sum);
            }
        }
        byLeader.forEach((leader, batches) -> send(leader, batches, nowNs));
        return !byLeader.isEmpty();
    }

    private @Nullable PendingBatch next(TopicPartition partition, long nowNs) {
        PartitionWriter writer = writers.computeIfAbsent(
                partition, key -> new PartitionWriter(config.limits().inFlight()));
        if (!writer.maySend(nowNs)) {
            return null;
        }
        if (policy == PartitionWriter.Policy.PLAIN) {
            return nextOf(writer, partition, nowNs);
        }
        ProducerIdentity current = identity;
        if (current == null) {
            return null;
        }
        if (writer.needsOtherThan(current)) {
            identity = null;
            askIdentity();
            return null;
        }
        PendingBatch batch = nextOf(writer, partition, nowNs);
        if (batch != null) {
            writer.assign(batch, current);
        }
        return batch;
    }

    private @Nullable PendingBatch nextOf(PartitionWriter writer, TopicPartition partition, long nowNs) {
        PendingBatch again = writer.takeAgain();
        return again == null ? buffer.takeReady(partition, nowNs) : again;
    }

    private void send(int leader, List<PendingBatch> batches, long nowNs) {
        List<Wire.ProducePart> parts = new ArrayList<>(batches.size());
        Map<TopicPartition, PendingBatch> byPartition = new LinkedHashMap<>();
        SortedMap<TopicPartition, Integer> numbers = new TreeMap<>();
        for (PendingBatch batch : batches) {
            TopicPartition partition = batch.partition();
            Metadata.Partition target = cluster.metadata().partition(partition);
            int epoch = target == null ? -1 : target.leaderEpoch();
            ByteBuffer bytes = batch.attempt();
            parts.add(new Wire.ProducePart(partition, epoch, bytes));
            byPartition.put(partition, batch);
            numbers.put(partition, batch.attempts());
            attempts.put(batch, new Attempt(batch.attempts(), leader, epoch, nowNs));
            writer(partition).sent(batch);
        }
        BrokerConnection connection = cluster.broker(leader);
        int timeoutMs =
                (int) Math.min(Integer.MAX_VALUE, config.times().request().toMillis());
        Wire.ProduceCall call = new Wire.ProduceCall(config.acks(), timeoutMs, parts);
        if (connection == null) {
            onReply(
                    byPartition,
                    numbers,
                    Reply.failed(ErrorCode.BROKER_NOT_AVAILABLE, "broker " + leader + " is gone"));
            return;
        }
        connection.produce(call, reply -> cluster.loop().execute(() -> onReply(byPartition, numbers, reply)));
    }

    private void onReply(
            Map<TopicPartition, PendingBatch> batches,
            SortedMap<TopicPartition, Integer> numbers,
            Reply<List<Wire.ProduceResult>> reply) {
        Map<TopicPartition, PendingBatch> unanswered = new LinkedHashMap<>(batches);
        if (reply instanceof Reply.Value<List<Wire.ProduceResult>> answered) {
            for (Wire.ProduceResult result : answered.value()) {
                PendingBatch batch = unanswered.remove(result.partition());
                if (batch != null) {
                    onResult(batch, numbers.getOrDefault(result.partition(), 0), result);
                }
            }
        }
        String why = reply instanceof Reply.Failure<List<Wire.ProduceResult>> failure
                ? failure.error() + ": " + failure.message()
                : "the broker left the partition out of its answer";
        ErrorCode error = reply instanceof Reply.Failure<List<Wire.ProduceResult>> failure
                ? wholeRequest(failure.error(), batches.values())
                : ErrorCode.REQUEST_TIMED_OUT;
        unanswered.forEach((partition, batch) -> onResult(
                batch, numbers.getOrDefault(partition, 0), new Wire.ProduceResult(partition, error, why, -1, -1, -1)));
        pump();
    }

    /**
     * A request of several batches may be too large as a whole, or for one of them: from now on requests hold half as much,
     * until one with a single batch is refused, which then is at fault (KNOWN_BUGS 41). Nothing of it was written.
     */
    private ErrorCode wholeRequest(ErrorCode error, Collection<PendingBatch> batches) {
        if (error != ErrorCode.MESSAGE_TOO_LARGE || batches.size() == 1) {
            return error;
        }
        long sizeBytes = batches.stream().mapToLong(PendingBatch::reservedBytes).sum();
        requestMaxBytes = Math.min(requestMaxBytes, sizeBytes) / 2;
        return ErrorCode.THROTTLED;
    }

    private void onResult(PendingBatch batch, int number, Wire.ProduceResult result) {
        Attempt current = attempts.get(batch);
        if (current == null || current.number() != number) {
            return;
        }
        attempts.remove(batch);
        PartitionWriter writer = writer(batch.partition());
        PartitionWriter.Verdict verdict = writer.answered(batch, result.error(), policy);
        switch (verdict) {
            case DONE -> {
                buffer.release(batch);
                batch.succeed(result.baseOffset());
            }
            case FAILED -> fail(batch, refused(batch, result));
            case AGAIN -> pauseBefore(batch, writer, current.leaderEpoch(), result.error());
            case BEHIND, SPLIT -> {
                // Goes on with the writer's next turn.
            }
        }
        metadataWanted |= RetryRules.wantsMetadata(result.error());
        settle(writer);
    }

    private void pauseBefore(PendingBatch batch, PartitionWriter writer, int leaderEpoch, ErrorCode error) {
        if (error.outcome() == ErrorCode.Outcome.FAILED_RETRY) {
            batch.refused(error);
        }
        Duration pause = cluster.retries().pause(writer.failures(), cluster.randomness());
        writer.backOffUntil(nowNs() + pause.toNanos(), leaderEpoch);
        cluster.loop().schedule(pause, this::pump);
    }

    private void settle(PartitionWriter writer) {
        writer.settle()
                .forEach(batch -> fail(batch, unresolved(batch, "an earlier batch of the partition was given up")));
    }

    /** Metadata may say that somebody else leads: what went to the old leader will not be acknowledged by it. */
    private void onRefresh() {
        writers.forEach((partition, writer) -> {
            Metadata.Partition now = cluster.metadata().partition(partition);
            if (now != null && now.leader() >= 0) {
                writer.ledIn(now.leaderEpoch());
            }
        });
        if (policy == PartitionWriter.Policy.IDEMPOTENT) {
            List<PendingBatch> moved = new ArrayList<>();
            attempts.forEach((batch, attempt) -> {
                Metadata.Partition now = cluster.metadata().partition(batch.partition());
                if (now != null && now.leader() >= 0 && now.leaderEpoch() > attempt.leaderEpoch()) {
                    moved.add(batch);
                }
            });
            moved.forEach(batch -> onResult(
                    batch,
                    batch.attempts(),
                    new Wire.ProduceResult(
                            batch.partition(),
                            ErrorCode.NOT_LEADER_OR_FOLLOWER,
                            "the partition has another leader now",
                            -1,
                            -1,
                            -1)));
        }
        pump();
    }

    /**
     * Looks after what takes long: deliveries whose time is over, answers that a dead leader will not give, and partitions whose
     * leader refuses: pauses grow, but who leads next is asked at each look.
     */
    private void check() {
        if (closed) {
            return;
        }
        long nowNs = nowNs();
        long bornBeforeNs = nowNs - config.times().delivery().toNanos();
        String late = "not delivered within " + config.times().delivery().toMillis() + " ms; last problem: "
                + cluster.lastProblem();
        buffer.takeExpired(bornBeforeNs).forEach(batch -> fail(batch, unresolved(batch, late)));
        for (PartitionWriter writer : writers.values()) {
            writer.takeExpired(bornBeforeNs).forEach(batch -> fail(batch, unresolved(batch, late)));
            settle(writer);
        }
        long requestNs = config.times().request().toNanos();
        boolean slow = writers.values().stream().anyMatch(writer -> writer.isHeldBack(nowNs));
        for (Map.Entry<PendingBatch, Attempt> entry : List.copyOf(attempts.entrySet())) {
            long sinceNs = nowNs - entry.getValue().sentNs();
            slow |= sinceNs > SLOW_ANSWER_NS;
            if (sinceNs > requestNs + SLOW_ANSWER_NS) {
                PendingBatch batch = entry.getKey();
                onResult(
                        batch,
                        batch.attempts(),
                        new Wire.ProduceResult(
                                batch.partition(), ErrorCode.REQUEST_TIMED_OUT, "no answer", -1, -1, -1));
            }
        }
        if (slow) {
            cluster.refresh();
        }
        pump();
    }

    private boolean haveIdentity() {
        if (policy == PartitionWriter.Policy.PLAIN || identity != null) {
            return true;
        }
        askIdentity();
        return false;
    }

    private void askIdentity() {
        if (askingIdentity || closed) {
            return;
        }
        askingIdentity = true;
        cluster.any().initProducerId(reply -> cluster.loop().execute(() -> onIdentity(reply)));
    }

    private void onIdentity(Reply<ProducerIdentity> reply) {
        ProducerIdentity given = reply.orNull();
        if (given != null) {
            askingIdentity = false;
            identityFailures = 0;
            identity = given;
            pump();
            return;
        }
        identityFailures++;
        cluster.loop().schedule(cluster.retries().pause(identityFailures, cluster.randomness()), () -> {
            askingIdentity = false;
            pump();
        });
    }

    private void armLinger(long nowNs) {
        lingerTimer.cancel();
        long inNs = buffer.nextReadyInNs(nowNs);
        if (inNs > 0 && inNs != Long.MAX_VALUE) {
            lingerTimer = cluster.loop().schedule(Duration.ofNanos(inNs), this::pump);
        }
    }

    private PartitionWriter writer(TopicPartition partition) {
        return writers.computeIfAbsent(
                partition, key -> new PartitionWriter(config.limits().inFlight()));
    }

    private void fail(PendingBatch batch, TidemarkException failure) {
        attempts.remove(batch);
        buffer.release(batch);
        batch.fail(failure);
    }

    private static TidemarkException refused(PendingBatch batch, Wire.ProduceResult result) {
        ErrorCode.Outcome outcome =
                batch.isDoubtful() ? ErrorCode.Outcome.UNKNOWN : result.error().outcome();
        return new TidemarkException(result.error(), outcome, result.message());
    }

    /** What was never sent, or was refused by every broker that had it, is certainly not written. */
    private TidemarkException unresolved(PendingBatch batch, String why) {
        boolean unknown = batch.wasSent() && (batch.isDoubtful() || attempts.containsKey(batch));
        return unknown
                ? new TidemarkException(ErrorCode.REQUEST_TIMED_OUT, ErrorCode.Outcome.UNKNOWN, why)
                : new TidemarkException(batch.lastRefusal(), ErrorCode.Outcome.FAILED, why);
    }
}
