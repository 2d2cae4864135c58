package io.tidemark.client.producer;

import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.Header;
import io.tidemark.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Collects records into batches, by partition and in order, within a bound of memory. Pure: time is an argument, and
 * whoever shares it among threads guards it.
 *
 * <p>A batch counts against the bound from its creation until {@link #release}, with the larger of its target and its first
 * record's size.
 */
final class BatchAccumulator {
    private final Codec codec;
    private final ToIntFunction<String> topicMaxBytes;
    private final ProducerConfig.Limits limits;
    private final long lingerNs;
    private final SortedMap<TopicPartition, Deque<PendingBatch>> queues = new TreeMap<>();
    private long usedBytes;
    private boolean flushing;

    /** @param topicMaxBytes the largest batch that a topic takes; asked for each new batch */
    BatchAccumulator(Codec codec, ProducerConfig.Limits limits, long lingerNs, ToIntFunction<String> topicMaxBytes) {
        this.topicMaxBytes = topicMaxBytes;
        this.codec = codec;
        this.limits = limits;
        this.lingerNs = lingerNs;
    }

    /** What became of an append. */
    enum Appended {
        /** In a batch that waits for more. */
        WAITING,
        /** The record opened a batch (the linger begins), or left a full one behind: the sender has something to do. */
        WAKE_SENDER,
        /** No room: wait for {@link #release}. */
        NO_ROOM,
        /** Larger than any batch may be. */
        TOO_LARGE
    }

    /** A record on its way in. */
    record Entry(
            long timestampMs,
            @Nullable ByteBuffer key,
            @Nullable ByteBuffer value,
            List<Header> headers,
            SendCallback callback) {}

    Appended append(TopicPartition partition, Entry entry, long nowNs) {
        Deque<PendingBatch> queue = queues.get(partition);
        PendingBatch last = queue == null ? null : queue.peekLast();
        if (last != null && offer(last, entry) == RecordBatchBuilder.Outcome.APPENDED) {
            return Appended.WAITING;
        }
        int maxBytes = maxBatchBytes(partition.topic());
        long needed = RecordBatchBuilder.sizeBytesUpperBound(entry.key(), entry.value(), entry.headers());
        if (needed > maxBytes) {
            return Appended.TOO_LARGE;
        }
        long reserve = Math.max(limits.batchBytes(), needed);
        if (usedBytes > 0 && usedBytes + reserve > limits.bufferBytes()) {
            return Appended.NO_ROOM;
        }
        RecordBatchBuilder builder = new RecordBatchBuilder(codec, Math.min(limits.batchBytes(), maxBytes), maxBytes);
        PendingBatch batch = new PendingBatch(partition, builder, reserve, nowNs);
        if (offer(batch, entry) != RecordBatchBuilder.Outcome.APPENDED) {
            return Appended.TOO_LARGE;
        }
        usedBytes += reserve;
        queues.computeIfAbsent(partition, key -> new ArrayDeque<>()).add(batch);
        return Appended.WAKE_SENDER;
    }

    /** The largest batch that the limits and the topic allow. */
    int maxBatchBytes(String topic) {
        return Math.min(topicMaxBytes.applyAsInt(topic), limits.maxBatchBytes());
    }

    private static RecordBatchBuilder.Outcome offer(PendingBatch batch, Entry entry) {
        RecordBatchBuilder.Outcome outcome =
                batch.builder().tryAppend(entry.timestampMs(), entry.key(), entry.value(), entry.headers());
        if (outcome == RecordBatchBuilder.Outcome.APPENDED) {
            batch.add(entry.callback());
        }
        return outcome;
    }

    /** Partitions with batches. */
    List<TopicPartition> partitions() {
        return new ArrayList<>(queues.keySet());
    }

    /** Takes the partition's oldest batch if it is full, old enough, or to be flushed; else null. */
    @Nullable
    PendingBatch takeReady(TopicPartition partition, long nowNs) {
        Deque<PendingBatch> queue = queues.get(partition);
        PendingBatch oldest = queue == null ? null : queue.peekFirst();
        if (queue == null || oldest == null || !isReady(queue, oldest, nowNs)) {
            return null;
        }
        queue.removeFirst();
        if (queue.isEmpty()) {
            queues.remove(partition);
        }
        return oldest;
    }

    private boolean isReady(Deque<PendingBatch> queue, PendingBatch oldest, long nowNs) {
        return flushing
                || queue.size() > 1
                || nowNs - oldest.createdNs() >= lingerNs
                || oldest.builder().sizeBytes() >= limits.batchBytes()
                || usedBytes + limits.batchBytes() > limits.bufferBytes();
    }

    /**
     * Nanoseconds until the next batch becomes old enough; {@link Long#MAX_VALUE} if none will. Those that are old enough
     * already wait for something else than time, and do not hide the others.
     */
    long nextReadyInNs(long nowNs) {
        long next = Long.MAX_VALUE;
        for (Deque<PendingBatch> queue : queues.values()) {
            PendingBatch oldest = queue.peekFirst();
            long leftNs = oldest == null ? 0 : lingerNs - (nowNs - oldest.createdNs());
            if (leftNs > 0) {
                next = Math.min(next, leftNs);
            }
        }
        return next;
    }

    /** Takes batches that were created before {@code beforeNs} and never taken: their time is over. */
    List<PendingBatch> takeExpired(long beforeNs) {
        List<PendingBatch> expired = new ArrayList<>();
        for (TopicPartition partition : partitions()) {
            Deque<PendingBatch> queue = queues.getOrDefault(partition, new ArrayDeque<>());
            while (!queue.isEmpty() && queue.getFirst().createdNs() - beforeNs < 0) {
                expired.add(queue.removeFirst());
            }
            if (queue.isEmpty()) {
                queues.remove(partition);
            }
        }
        return expired;
    }

    /** Everything, at once. */
    List<PendingBatch> takeAll() {
        List<PendingBatch> all = new ArrayList<>();
        queues.values().forEach(all::addAll);
        queues.clear();
        return all;
    }

    /** The batch that the partition's last record went to, while that waits here. */
    @Nullable
    PendingBatch last(TopicPartition partition) {
        Deque<PendingBatch> queue = queues.get(partition);
        return queue == null ? null : queue.peekLast();
    }

    /** Takes this batch out, if it was not taken yet, and gives back its room. */
    boolean drop(PendingBatch batch) {
        Deque<PendingBatch> queue = queues.get(batch.partition());
        if (queue == null || !queue.remove(batch)) {
            return false;
        }
        release(batch);
        if (queue.isEmpty()) {
            queues.remove(batch.partition());
        }
        return true;
    }

    /** Takes room for something that is in no batch yet, if there is any. */
    boolean tryReserve(long bytes) {
        boolean room = usedBytes == 0 || usedBytes + bytes <= limits.bufferBytes();
        if (room) {
            usedBytes += bytes;
        }
        return room;
    }

    /** Gives that room back. */
    void unreserve(long bytes) {
        usedBytes -= bytes;
    }

    /** Gives back the room of a batch that has been answered. */
    void release(PendingBatch batch) {
        usedBytes -= batch.reservedBytes();
    }

    /** While on, every batch is ready. */
    void flushing(boolean on) {
        flushing = on;
    }

    boolean isEmpty() {
        return queues.isEmpty();
    }

    long usedBytes() {
        return usedBytes;
    }
}
