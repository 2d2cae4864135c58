package io.tidemark.core.log;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.LeaderEpochs.EpochStart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which leader epoch starts where (I2, I3). Entries rise strictly in epoch and in start offset. Immutable: every change is a
 * new history, so that an answer never mixes two states of a log.
 */
final class LeaderEpochHistory {
    /** Epoch of an offset that no entry covers. */
    static final int NO_EPOCH = -1;

    static final LeaderEpochHistory EMPTY = new LeaderEpochHistory(List.of());

    private final List<EpochStart> entries;

    private LeaderEpochHistory(List<EpochStart> entries) {
        this.entries = entries;
    }

    /** A history of entries as they were assigned, in that order. */
    static LeaderEpochHistory of(List<EpochStart> assigned) {
        LeaderEpochHistory history = EMPTY;
        for (EpochStart entry : assigned) {
            history = history.assign(entry.epoch(), entry.startOffset());
        }
        return history;
    }

    List<EpochStart> entries() {
        return entries;
    }

    int latest() {
        return entries.isEmpty() ? NO_EPOCH : last().epoch();
    }

    /** This history, with {@code epoch} starting at {@code startOffset} unless it is the latest already; evicts what conflicts. */
    LeaderEpochHistory assign(int epoch, long startOffset) {
        if (!entries.isEmpty() && last().epoch() == epoch && last().startOffset() <= startOffset) {
            return this;
        }
        List<EpochStart> changed = new ArrayList<>(entries.size() + 1);
        EpochStart added = new EpochStart(epoch, startOffset);
        for (EpochStart entry : entries) {
            if (entry.epoch() < epoch && entry.startOffset() < startOffset) {
                changed.add(entry);
            } else if (entry.epoch() == epoch && entry.startOffset() < startOffset) {
                // An epoch goes on behind a later one that never got a record: it starts where it did.
                added = entry;
            }
        }
        changed.add(added);
        return new LeaderEpochHistory(List.copyOf(changed));
    }

    /** Without the epochs that start at or above {@code endOffset}. */
    LeaderEpochHistory truncatedFromEnd(long endOffset) {
        if (entries.isEmpty() || last().startOffset() < endOffset) {
            return this;
        }
        return new LeaderEpochHistory(entries.stream()
                .filter(entry -> entry.startOffset() < endOffset)
                .toList());
    }

    /** Without the epochs that end at or below {@code startOffset}; the one that holds it starts there. */
    LeaderEpochHistory truncatedFromStart(long startOffset) {
        if (entries.isEmpty() || entries.get(0).startOffset() >= startOffset) {
            return this;
        }
        List<EpochStart> changed = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            EpochStart entry = entries.get(i);
            boolean endsBelow = i + 1 < entries.size() && entries.get(i + 1).startOffset() <= startOffset;
            if (!endsBelow) {
                changed.add(new EpochStart(entry.epoch(), Math.max(entry.startOffset(), startOffset)));
            }
        }
        return new LeaderEpochHistory(List.copyOf(changed));
    }

    /** Epoch of the batch at {@code offset}, or {@link #NO_EPOCH}. */
    int epochAt(long offset) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).startOffset() <= offset) {
                return entries.get(i).epoch();
            }
        }
        return NO_EPOCH;
    }

    /** As {@link LeaderEpochs#endOf} says, for a log that ends at {@code logEndOffset}. */
    Optional<EpochEnd> endOf(int epoch, long logEndOffset) {
        if (epoch < 0 || entries.isEmpty()) {
            return Optional.empty();
        }
        long endOffset = logEndOffset;
        for (int i = entries.size() - 1; i >= 0; i--) {
            EpochStart entry = entries.get(i);
            if (entry.epoch() <= epoch) {
                return Optional.of(new EpochEnd(entry.epoch(), endOffset));
            }
            endOffset = entry.startOffset();
        }
        return Optional.of(new EpochEnd(epoch, endOffset));
    }

    private EpochStart last() {
        return entries.get(entries.size() - 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LeaderEpochHistory history && entries.equals(history.entries);
    }

    @Override
    public int hashCode() {
        return entries.hashCode();
    }

    @Override
    public String toString() {
        return entries.toString();
    }
}
