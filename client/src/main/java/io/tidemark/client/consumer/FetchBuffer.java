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
 * Positions of the assigned partitions, and what was fetched and not yet taken: at most one answer of each partition.
 * Pure; whoever shares it guards it.
 *
 * <p>A partition has two positions: where the application reads, and where the next fetch begins, which is behind what is
 * buffered. A seek sets both, and voids answers under way.
 */
final class FetchBuffer {
    private static final long NO_END = Long.MAX_VALUE;

    private final SortedMap<TopicPartition, Assigned> assigned = new TreeMap<>();
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private long lastVersion;
    private long turns;
    private long heldBytes;

    private static final class Assigned {
        private long fetchOffset;
        private long readOffset;
        private long endOffset = NO_END;
        private int lastEpoch = -1;
        private long version;
        private long lastTurn;
        private boolean buffered;

        /** Without an end the largest offset there is is asked for too, and refused by the leader. */
        private boolean isBeforeEnd(long offset) {
            return endOffset == NO_END || offset < endOffset;
        }
    }

    /** Records that wait to be taken. */
    private static final class Chunk {
        private final TopicPartition partition;
        private final long version;
        private final Iterator<RecordBatch> batches;
        private final int sizeBytes;
        private final long highWatermark;
        private final long endOffset;
        private long fromOffset;
        private @Nullable Iterator<LogRecord> records;
        private @Nullable LogRecord pending;
        private int epoch;
        private @Nullable InvalidBatchException broken;

        Chunk(TopicPartition partition, Assigned state, Fetched fetched, long endOffset) {
            this.partition = partition;
            this.version = state.version;
            this.batches = RecordBatches.of(fetched.batches()).iterator();
            this.sizeBytes = fetched.batches().remaining();
            this.highWatermark = fetched.highWatermark();
            this.fromOffset = state.fetchOffset;
            this.endOffset = endOffset;
        }
    }

    /**
     * Where a fetch begins.
     *
     * @param version tells whether a seek came between
     * @param lastTurn when it last had records: whoever waits longest is asked for first, or one busy partition would use up
     *     every answer
     */
    record Position(long fetchOffset, int lastEpoch, long version, long lastTurn) {}

    /** What a leader answered for one partition. */
    record Fetched(ByteBuffer batches, long highWatermark) {}

    /** How much a taker takes. */
    @FunctionalInterface
    interface Budget {
        /** Whether the taker takes this record; asked in order, and once more for one that was refused. */
        boolean takes(LogRecord record);
    }

    /** Reads from {@code offset} on; what was buffered of the partition is dropped. */
    void seek(TopicPartition partition, long offset) {
        Assigned state = new Assigned();
        state.fetchOffset = offset;
        state.readOffset = offset;
        state.version = ++lastVersion;
        assigned.put(partition, state);
    }

    /** Reads an assigned partition up to that offset, which is not read any more. */
    void endAt(TopicPartition partition, long offset) {
        Assigned state = assigned.get(partition);
        if (state != null) {
            state.endOffset = offset;
        }
    }

    /** Whether all partitions are read to their ends. */
    boolean isAtEnd() {
        return assigned.values().stream().allMatch(state -> !state.isBeforeEnd(state.readOffset));
    }

    /** Where the reading of an assigned partition goes on, behind offsets that have no record too; -1 if it is none. */
    long position(TopicPartition partition) {
        Assigned state = assigned.get(partition);
        return state == null ? -1 : state.readOffset;
    }

    /** Reads only these from now on. */
    void retain(List<TopicPartition> partitions) {
        assigned.keySet().removeIf(partition -> !partitions.contains(partition));
    }

    /** Partitions to fetch: those with a position and nothing buffered, and not at their end. */
    SortedMap<TopicPartition, Position> wanted() {
        SortedMap<TopicPartition, Position> wanted = new TreeMap<>();
        assigned.forEach((partition, state) -> {
            if (!state.buffered && state.isBeforeEnd(state.fetchOffset)) {
                wanted.put(partition, new Position(state.fetchOffset, state.lastEpoch, state.version, state.lastTurn));
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
    void fetched(TopicPartition partition, long version, Fetched fetched) {
        Assigned state = assigned.get(partition);
        if (state == null || state.version != version || !fetched.batches().hasRemaining()) {
            return;
        }
        long end = state.fetchOffset;
        int epoch = state.lastEpoch;
        for (RecordBatch batch : RecordBatches.of(fetched.batches())) {
            if (batch.nextOffset() > end) {
                end = batch.nextOffset();
                epoch = batch.partitionLeaderEpoch();
            }
        }
        if (end > state.fetchOffset) {
            Chunk chunk = new Chunk(partition, state, fetched, end);
            chunks.add(chunk);
            heldBytes += chunk.sizeBytes;
            state.fetchOffset = end;
            state.lastEpoch = epoch;
            state.lastTurn = ++turns;
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
        int[] left = {max};
        while (left[0] > 0 && (polled.isEmpty() || !isNextBroken())) {
            RecordSlice slice = next(record -> left[0]-- > 0);
            if (slice == null) {
                break;
            }
            polled.addAll(slice.records());
        }
        return polled;
    }

    /**
     * Takes records of one partition, as far as the budget goes; null if nothing is buffered. A slice without records passes
     * offsets that have none, or met a record that the budget refused.
     *
     * @throws InvalidBatchException as {@link #poll}
     */
    @Nullable
    RecordSlice next(Budget budget) {
        dropVoid();
        Chunk chunk = chunks.peekFirst();
        Assigned state = chunk == null ? null : assigned.get(chunk.partition);
        if (chunk == null || state == null) {
            return null;
        }
        InvalidBatchException broken = chunk.broken;
        if (broken != null) {
            throw broken;
        }
        List<ConsumerRecord> records = new ArrayList<>();
        boolean more = tryDrain(chunk, records, budget, state.endOffset);
        state.readOffset = more ? chunk.fromOffset : chunk.endOffset;
        if (!more) {
            remove(chunk);
            state.buffered = false;
        }
        return new RecordSlice(chunk.partition, records, state.readOffset, chunk.highWatermark);
    }

    /** The partition whose records {@link #next} gives, or null if nothing is buffered. */
    @Nullable
    TopicPartition nextPartition() {
        dropVoid();
        Chunk chunk = chunks.peekFirst();
        return chunk == null ? null : chunk.partition;
    }

    /** A seek voids what was fetched before it. */
    private void dropVoid() {
        Chunk chunk = chunks.peekFirst();
        while (chunk != null && !isCurrent(chunk.partition, chunk.version)) {
            remove(chunk);
            chunk = chunks.peekFirst();
        }
    }

    private void remove(Chunk first) {
        chunks.removeFirst();
        heldBytes -= first.sizeBytes;
    }

    private boolean isNextBroken() {
        Chunk chunk = chunks.peekFirst();
        return chunk != null && chunk.broken != null && isCurrent(chunk.partition, chunk.version);
    }

    /** Whether the chunk may have more; one that is found broken stays so. */
    private static boolean tryDrain(Chunk chunk, List<ConsumerRecord> target, Budget budget, long endOffset) {
        try {
            return drain(chunk, target, budget, endOffset);
        } catch (InvalidBatchException e) {
            chunk.broken = e;
            return true;
        }
    }

    /** Whether the chunk has more. */
    private static boolean drain(Chunk chunk, List<ConsumerRecord> target, Budget budget, long endOffset) {
        while (true) {
            LogRecord record = chunk.pending == null ? advance(chunk) : chunk.pending;
            chunk.pending = record;
            if (record == null || record.offset() >= endOffset) {
                return false;
            }
            if (record.offset() >= chunk.fromOffset) {
                if (!budget.takes(record)) {
                    return true;
                }
                chunk.fromOffset = record.offset() + 1;
                target.add(new ConsumerRecord(chunk.partition, record, chunk.epoch));
            }
            chunk.pending = null;
        }
    }

    private static @Nullable LogRecord advance(Chunk chunk) {
        Iterator<LogRecord> records = chunk.records;
        while (records == null || !records.hasNext()) {
            if (!chunk.batches.hasNext()) {
                return null;
            }
            RecordBatch batch = chunk.batches.next();
            if (!batch.isCrcValid()) {
                throw new InvalidBatchException("the CRC of " + batch + " does not match its bytes");
            }
            chunk.epoch = batch.partitionLeaderEpoch();
            records = batch.isControl() ? null : batch.records().iterator();
            chunk.records = records;
        }
        return records.next();
    }

    boolean isEmpty() {
        return chunks.isEmpty();
    }

    /** Bytes of the answers that are not all taken yet. */
    long heldBytes() {
        return heldBytes;
    }
}
