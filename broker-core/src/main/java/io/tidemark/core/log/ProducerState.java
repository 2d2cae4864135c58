package io.tidemark.core.log;

import io.tidemark.record.RecordBatch;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One producer's epoch and last batches in a log. Guarded by the log's lock. */
final class ProducerState {
    /** Batches that are remembered: as many as a producer may have in flight. */
    static final int WINDOW = 5;

    private static final long NOT_SILENT = Long.MIN_VALUE;

    private final long producerId;
    private final Deque<Written> window = new ArrayDeque<>(WINDOW + 1);
    private short epoch;
    private boolean hadMore;
    private long silentSinceMs = NOT_SILENT;

    /** A batch in the log, by its sequence numbers and its offsets. */
    record Written(int firstSequence, int lastSequence, long firstOffset, long lastOffset) {}

    ProducerState(long producerId, short epoch) {
        this.producerId = producerId;
        this.epoch = epoch;
    }

    /** As it was stored. */
    ProducerState(long producerId, short epoch, boolean hadMore, Collection<Written> window) {
        this(producerId, epoch);
        this.hadMore = hadMore;
        this.window.addAll(window);
    }

    long producerId() {
        return producerId;
    }

    short epoch() {
        return epoch;
    }

    /** Sequence of the last record; -1 if nothing is remembered. */
    int lastSequence() {
        Written last = window.peekLast();
        return last == null ? -1 : last.lastSequence();
    }

    /** Offset of the last record of the last batch that is remembered; empty if none is. */
    OptionalLong lastOffset() {
        Written last = window.peekLast();
        return last == null ? OptionalLong.empty() : OptionalLong.of(last.lastOffset());
    }

    /** Whether the log had more batches of this producer before those in the window. */
    boolean hadMore() {
        return hadMore;
    }

    Collection<Written> window() {
        return window;
    }

    /** The remembered batch of the same epoch and sequences. */
    @Nullable
    Written find(RecordBatch batch) {
        if (batch.producerEpoch() != epoch) {
            return null;
        }
        Iterator<Written> latestFirst = window.descendingIterator();
        while (latestFirst.hasNext()) {
            Written written = latestFirst.next();
            if (written.firstSequence() == batch.baseSequence() && written.lastSequence() == batch.lastSequence()) {
                return written;
            }
        }
        return null;
    }

    /**
     * Whether nothing was added for {@code limitMs}, as far as calls of this method can tell: silence begins with the first call
     * after a batch, or after the state was loaded.
     */
    boolean hasBeenSilent(long nowMs, long limitMs) {
        if (silentSinceMs == NOT_SILENT) {
            silentSinceMs = nowMs;
            return false;
        }
        return nowMs - silentSinceMs >= limitMs;
    }

    void add(RecordBatch batch) {
        silentSinceMs = NOT_SILENT;
        if (batch.producerEpoch() != epoch) {
            epoch = batch.producerEpoch();
            hadMore |= !window.isEmpty();
            window.clear();
        }
        window.addLast(new Written(batch.baseSequence(), batch.lastSequence(), batch.baseOffset(), batch.lastOffset()));
        if (window.size() > WINDOW) {
            window.removeFirst();
            hadMore = true;
        }
    }

    /** Forgets batches at or above {@code offset}; false if none is left. */
    boolean truncateTo(long offset) {
        Written last = window.peekLast();
        while (last != null && last.lastOffset() >= offset) {
            window.removeLast();
            last = window.peekLast();
        }
        return last != null;
    }
}
