package io.tidemark.sim.check;

import io.tidemark.core.log.LogEnd;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.replication.partition.PartitionView.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one machine has of one partition, as of the last event: its batches, and what its process makes of them. It outlives the
 * process, since the disk does, and is read anew from the log when another process starts on the disk, or the log was cut.
 * Otherwise only what was appended is read.
 */
public final class ReplicaMirror {
    /** The high watermark and the epoch of whoever is not told to hold the replica. */
    static final long NONE = -1;

    private final TopicPartition partition;
    private final int brokerId;
    private final Cleanup cleanup;
    private final List<BatchMark> batches = new ArrayList<>();

    /** Only looked up, never walked. */
    private final Map<String, Long> latestByKey = new HashMap<>();

    private @Nullable ReplicaSource source;
    private @Nullable PartitionView view;
    private @Nullable PartitionView viewBefore;
    private @Nullable LogEnd logEnd;
    private @Nullable PartitionState state;
    private @Nullable PartitionState stateBefore;
    private boolean running;
    private long processNonce;
    private long truncations;
    private long forcedInEarlierLives;
    private int generation;

    ReplicaMirror(TopicPartition partition, int brokerId, Cleanup cleanup) {
        this.partition = partition;
        this.brokerId = brokerId;
        this.cleanup = cleanup;
    }

    /**
     * Looks at what the process has now.
     *
     * @return whether the log or the view of it is another one than at the last look
     */
    // The same objects mean that nothing moved: that is what makes a look cheap.
    @SuppressWarnings("ReferenceEquality")
    boolean follow(ReplicaSource now, long nonce) {
        stateBefore = state;
        running = true;
        PartitionView newView = now.view();
        LogEnd newEnd = now.end();
        if (now == source && newView == view && newEnd == logEnd) {
            return false;
        }
        boolean sameLife = now == source;
        boolean isNews = !sameLife || view == null || !view.equals(newView) || !newEnd.equals(logEnd);
        viewBefore = sameLife ? view : null;
        view = newView;
        logEnd = newEnd;
        state = now.state();
        processNonce = nonce;
        if (!sameLife || now.truncations() != truncations) {
            readAnew(now);
        } else {
            List<BatchMark> more = now.read(end());
            add(more == null ? List.of() : more);
        }
        return isNews;
    }

    /** Nobody runs on the machine; the disk has what it had. */
    void processEnded() {
        running = false;
        view = null;
        viewBefore = null;
        stateBefore = null;
    }

    /** The log is gone. */
    void logGone() {
        if (source == null && batches.isEmpty()) {
            return;
        }
        source = null;
        logEnd = null;
        state = null;
        batches.clear();
        latestByKey.clear();
        forcedInEarlierLives = 0;
        generation++;
    }

    public TopicPartition partition() {
        return partition;
    }

    public int brokerId() {
        return brokerId;
    }

    /** Whether records of it may vanish because later ones have their key. */
    Cleanup cleanup() {
        return cleanup;
    }

    /** Whether a process has it now. */
    boolean isRunning() {
        return running;
    }

    /** Of the process that had it last. */
    long processNonce() {
        return processNonce;
    }

    /** Another number than before means that what was held may be gone. */
    int generation() {
        return generation;
    }

    /** First offset behind what the machine has. */
    public long end() {
        return batches.isEmpty()
                ? startOffset()
                : batches.get(batches.size() - 1).lastOffset() + 1;
    }

    /** First offset behind the log, which may be greater than {@link #end()} when the last batches were cut or cleaned away. */
    public long logEnd() {
        return logEnd == null ? end() : logEnd.offset();
    }

    /** First offset that may be read. */
    public long startOffset() {
        return source == null ? 0 : source.startOffset();
    }

    /** First offset that consumers may not read; {@code -1} if no process holds the replica. */
    public long highWatermark() {
        return view == null ? NONE : view.highWatermark();
    }

    /** What the process shows; null if none holds the replica. */
    public @Nullable PartitionView view() {
        return view;
    }

    /** What the same process showed before it last changed; null if it showed nothing. */
    @Nullable
    PartitionView viewBefore() {
        return viewBefore;
    }

    /** The state that the process adopted last. */
    @Nullable
    PartitionState state() {
        return state;
    }

    /** The state that it had adopted before this event. */
    @Nullable
    PartitionState stateBefore() {
        return stateBefore;
    }

    /** How often its process cut it below the high watermark. */
    long cutsBelowHighWatermark() {
        return source == null ? 0 : source.cutsBelowHighWatermark();
    }

    OptionalLong cleanedTo() {
        return source == null ? OptionalLong.empty() : source.cleanedTo();
    }

    /** Whether its process leads now. */
    boolean leads() {
        return view != null && view.role() == Role.LEADER;
    }

    /** End of what is durable, as far as processes said so. */
    long forcedEnd() {
        long now = source == null ? 0 : source.forcedEnd();
        return Math.min(end(), Math.max(now, forcedInEarlierLives));
    }

    /** Its batches in offset order. */
    public List<BatchMark> batches() {
        return Collections.unmodifiableList(batches);
    }

    /** The batch that holds the offset, or did before it was cleaned; null if there is none. */
    public @Nullable BatchMark at(long offset) {
        int index = indexAt(offset);
        BatchMark found = index < batches.size() ? batches.get(index) : null;
        return found != null && found.baseOffset() <= offset ? found : null;
    }

    /** Index of the first batch that ends at or behind the offset. */
    int indexAt(long offset) {
        int low = 0;
        int high = batches.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (batches.get(middle).lastOffset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Whether a record with that value is at the offset, or was and has been deleted or superseded since. */
    public boolean holds(long offset, String value) {
        if (offset < startOffset()) {
            return true;
        }
        BatchMark batch = at(offset);
        RecordMark record = batch == null ? null : batch.recordAt(offset);
        if (record == null) {
            return cleanup == Cleanup.COMPACT && offset < end();
        }
        return value.equals(record.value());
    }

    /** Whether it has the batch; what is below the log's start, or superseded in a compacted log, counts as there. */
    public boolean holds(BatchMark batch) {
        if (batch.lastOffset() < startOffset()) {
            return true;
        }
        BatchMark mine = at(batch.baseOffset());
        if (cleanup == Cleanup.DELETE) {
            return mine != null && mine.isSame(batch);
        }
        for (RecordMark record : batch.records()) {
            if (!holdsOrSupersedes(record, batch.epoch())) {
                return false;
            }
        }
        return true;
    }

    private boolean holdsOrSupersedes(RecordMark record, int epoch) {
        BatchMark batch = at(record.offset());
        RecordMark mine = batch == null ? null : batch.recordAt(record.offset());
        if (batch != null && mine != null) {
            return mine.equals(record) && batch.epoch() == epoch;
        }
        String key = record.key();
        return key != null && latestByKey.getOrDefault(key, NONE) > record.offset();
    }

    private void readAnew(ReplicaSource now) {
        List<BatchMark> all = now.read(now.startOffset());
        if (all == null) {
            return;
        }
        long forced = source == null ? 0 : source.forcedEnd();
        forcedInEarlierLives = Math.max(forcedInEarlierLives, forced);
        source = now;
        truncations = now.truncations();
        generation++;
        batches.clear();
        latestByKey.clear();
        add(all);
        forcedInEarlierLives = Math.min(forcedInEarlierLives, end());
    }

    private void add(List<BatchMark> more) {
        batches.addAll(more);
        if (cleanup == Cleanup.COMPACT) {
            more.forEach(batch -> batch.records().forEach(this::isLatest));
        }
    }

    private void isLatest(RecordMark record) {
        String key = record.key();
        if (key != null) {
            latestByKey.put(key, record.offset());
        }
    }
}
