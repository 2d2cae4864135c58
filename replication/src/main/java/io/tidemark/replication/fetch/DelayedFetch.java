package io.tidemark.replication.fetch;

import io.tidemark.core.purgatory.Completion;
import io.tidemark.core.purgatory.Completion.Ending;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.replication.partition.PartitionView;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A consumer's fetch that waits until enough is readable: the sum of high watermark position - fetch position reaches the
 * minimum (S31, S33). It ends at once when a partition's role ends, its log is truncated (S38), or the offset is deleted
 * (S36). Holds numbers and compares them with what is published; never counts by itself (S40).
 */
final class DelayedFetch extends DelayedOperation {
    private final List<Wait> waits;
    private final long minBytes;
    private final Runnable done;

    /**
     * Where one entry stands.
     *
     * @param view the partition's; one volatile read
     * @param logStartOffset the log's; one volatile read
     * @param leaderEpoch of the read that found too little
     * @param truncations of the log before that read
     */
    record Wait(
            Supplier<PartitionView> view,
            LongSupplier logStartOffset,
            int leaderEpoch,
            long truncations,
            long fetchOffset,
            long fetchPosition) {
        /** Whether the numbers are no longer of this log, so that only a new read can tell. */
        private boolean isOver(PartitionView now) {
            return !now.leadsIn(leaderEpoch)
                    || now.truncations() != truncations
                    || logStartOffset.getAsLong() > fetchOffset;
        }
    }

    /** @param done reads again and answers; called once, never after a cancellation */
    DelayedFetch(List<Wait> waits, long minBytes, Duration timeout, Runnable done) {
        super(timeout);
        this.waits = List.copyOf(waits);
        this.minBytes = minBytes;
        this.done = done;
    }

    @Override
    protected boolean isSatisfied() {
        long availableBytes = 0;
        for (Wait wait : waits) {
            PartitionView now = wait.view.get();
            if (wait.isOver(now)) {
                return true;
            }
            // Beyond the high watermark of a new leader there is nothing to read yet (I16).
            availableBytes += Math.max(0, now.highWatermarkPosition() - wait.fetchPosition);
        }
        return availableBytes >= minBytes;
    }

    @Override
    protected void onComplete(Completion completion) {
        if (completion.ending() != Ending.CANCELLED) {
            done.run();
        }
    }
}
