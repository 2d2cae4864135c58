package io.tidemark.client.consumer;

import io.tidemark.model.TopicPartition;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Positions of the assigned partitions, and what was fetched and not yet polled: at most one answer of each partition.
 * Pure; whoever shares it guards it.
 *
 * <p>A partition has two positions: where the application reads, and where the next fetch begins, which is behind what is
 * buffered. A seek sets both, and voids answers under way.
 */
final class FetchBuffer {
    private final SortedMap<TopicPartition, Assigned> assigned = new TreeMap<>();
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private long lastVersion;

    private static final class Assigned {
        private long fetchOffset;
        private int lastEpoch = -1;
        private long version;
        private boolean buffered;
    }

    /** Records that wait to be polled. */
    private static final class Chunk {
        private final TopicPartition partition;
        private final long version;
        private final Iterator<RecordBatch> batches;
        private long fromOffset;
        private @Nullable Iterator<LogRecord> records;
        private int epoch;
        private @Nullable InvalidBatchException broken;

        Chunk(TopicPartition partition, long version, ByteBuffer bytes, long fromOffset) {
            this.partition = partition;
            this.version = version;
            this.batches = RecordBatches.of(bytes).iterator();
            this.fromOffset = fromOffset;
        }
    }

    /** Where a fetch begins; {@code version} tells whether a seek came between. */
    record Position(long fetchOffset, int lastEpoch, long version) {}

    /** Reads from {@code offset} on; what was buffered of the partition is dropped. */
    void seek(TopicPartition partition, long offset) {
        Assigned state = new Assigned();
        state.fetchOffset = offset;
        state.version = ++lastVersion;
        assigned.put(partition, state);
    }

    /** Reads only these from now on. */
    void retain(List<TopicPartition> partitions) {
        assigned.keySet().removeIf(partition -> !partitions.contains(partition));
    }

    /** Partitions to fetch: those with a position and nothing buffered. */
    SortedMap<TopicPartition, Position> wanted() {
        SortedMap<TopicPartition, Position> wanted = new TreeMap<>();
        assigned.forEach((partition, state) -> {
            if (!state.buffered) {
                wanted.put(partition, new Position(state.fetchOffset, state.lastEpoch, state.version));
            }
        });
        return wanted;
    }

    /** Whether an answer to a fetch from that position still means something. */
    boolean isCurrent(TopicPartition partition, long version) {
        Assigned state = assigned.get(partition);
        return state != null && state.version == version;
    }

    /**
     * Takes an answer's batches, as far as they are ahead: after a leader change, two leaders may answer for one position.
     *
     * @throws InvalidBatchException if a batch's header is malformed; then the position stays
     */
    void fetched(TopicPartition partition, long version, ByteBuffer batches) {
        Assigned state = assigned.get(partition);
        if (state == null || state.version != version || !batches.hasRemaining()) {
            return;
        }
        long end = state.fetchOffset;
        int epoch = state.lastEpoch;
        for (RecordBatch batch : RecordBatches.of(batches)) {
            if (batch.nextOffset() > end) {
                end = batch.nextOffset();
                epoch = batch.partitionLeaderEpoch();
            }
        }
        if (end > state.fetchOffset) {
            chunks.add(new Chunk(partition, version, batches, state.fetchOffset));
            state.fetchOffset = end;
            state.lastEpoch = epoch;
            state.buffered = true;
        }
    }

    /**
     * Takes up to {@code max} records in order.
     *
     * @throws InvalidBatchException if the next batch is damaged or does not decode; thrown again by each poll until a seek, so that
     *     nothing is skipped
     */
    List<ConsumerRecord> poll(int max) {
        List<ConsumerRecord> polled = new ArrayList<>();
        while (polled.size() < max && !chunks.isEmpty()) {
            Chunk chunk = chunks.getFirst();
            boolean current = isCurrent(chunk.partition, chunk.version);
            boolean more = current && tryDrain(chunk, polled, max);
            InvalidBatchException broken = chunk.broken;
            if (current && broken != null) {
                return orThrow(polled, broken);
            }
            if (!more) {
                chunks.removeFirst();
                Assigned state = assigned.get(chunk.partition);
                if (state != null && state.version == chunk.version) {
                    state.buffered = false;
                }
            }
        }
        return polled;
    }

    private static List<ConsumerRecord> orThrow(List<ConsumerRecord> polled, InvalidBatchException broken) {
        if (polled.isEmpty()) {
            throw broken;
        }
        return polled;
    }

    /** Whether the chunk may have more; one that is found broken stays so. */
    private static boolean tryDrain(Chunk chunk, List<ConsumerRecord> target, int max) {
        if (chunk.broken != null) {
            return true;
        }
        try {
            return drain(chunk, target, max);
        } catch (InvalidBatchException e) {
            chunk.broken = e;
            return true;
        }
    }

    /** Whether the chunk may have more. */
    private static boolean drain(Chunk chunk, List<ConsumerRecord> target, int max) {
        while (target.size() < max) {
            Iterator<LogRecord> records = chunk.records;
            if (records == null || !records.hasNext()) {
                if (!chunk.batches.hasNext()) {
                    return false;
                }
                RecordBatch batch = chunk.batches.next();
                if (!batch.isCrcValid()) {
                    throw new InvalidBatchException("the CRC of " + batch + " does not match its bytes");
                }
                chunk.epoch = batch.partitionLeaderEpoch();
                chunk.records = batch.isControl() ? null : batch.records().iterator();
                continue;
            }
            LogRecord record = records.next();
            if (record.offset() >= chunk.fromOffset) {
                chunk.fromOffset = record.offset() + 1;
                target.add(new ConsumerRecord(chunk.partition, record, chunk.epoch));
            }
        }
        return true;
    }

    boolean isEmpty() {
        return chunks.isEmpty();
    }
}
