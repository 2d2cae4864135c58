package io.tidemark.sim.check;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The committed batches of one partition in the order in which they were committed, and which machines answer for each: those
 * that the cluster may never forget all at once. Pure.
 *
 * <pre>
 *   a leader commits it                           the in-sync set that it had confirmed
 *   a state is recorded:
 *     ISR >= its min ISR, or min ISR was lowered  the ISR
 *     ISR &lt; its min ISR                           whoever answered for it before, and the ISR
 * </pre>
 *
 * without those whose copy a disaster took, until a proposal brings them back. A batch is <em>excused</em> once a disaster has
 * taken the copy of everybody who answers for it; whoever leads may then lack it. The eligible set of a state is never looked at,
 * nor who was elected and why, so that a rule of those that is not kept cannot excuse what it loses. No state has an empty ISR: only
 * a disaster can leave nobody.
 */
final class Accountable {
    private static final int MOST_BROKERS = 63;

    private final Cleanup cleanup;
    private final Taken taken;
    private final NavigableMap<Long, Entry> current = new TreeMap<>();
    private final List<Entry> inOrder = new ArrayList<>();
    private final List<BatchMark> replaced = new ArrayList<>();
    private final List<PartitionState> states = new ArrayList<>();
    private int excusedBatches;

    /** Whether a disaster took a copy that had been proved in a leader epoch. */
    @FunctionalInterface
    interface Taken {
        boolean isTaken(int brokerId, BatchMark batch, int leaderEpoch);
    }

    private static final class Entry {
        private final BatchMark batch;
        private long members;
        private long withoutCopy;
        private boolean excused;

        private Entry(BatchMark batch, long members) {
            this.batch = batch;
            this.members = members;
        }
    }

    Accountable(Cleanup cleanup, Taken taken) {
        this.cleanup = cleanup;
        this.taken = taken;
    }

    /**
     * A replica shows the batch below its high watermark.
     *
     * @param confirmed the state that the replica has adopted; states that were recorded since count, too
     * @return the committed batch that it contradicts, if it does
     */
    Optional<BatchMark> committed(BatchMark batch, PartitionState confirmed) {
        List<Entry> there = overlapping(batch);
        if (there.stream().anyMatch(entry -> agree(entry.batch, batch))) {
            return Optional.empty();
        }
        Optional<Entry> standing =
                there.stream().filter(entry -> !entry.excused).findFirst();
        if (standing.isPresent()) {
            boolean known = replaced.stream().anyMatch(old -> agree(old, batch));
            return known ? Optional.empty() : standing.map(entry -> entry.batch);
        }
        for (Entry excused : there) {
            current.remove(excused.batch.baseOffset());
            replaced.add(excused.batch);
        }
        add(batch, confirmed);
        return Optional.empty();
    }

    /** Another state stands in ZooKeeper. */
    void recorded(PartitionState state) {
        if (!states.isEmpty()) {
            PartitionState before = states.get(states.size() - 1);
            for (Entry entry : current.values()) {
                move(entry, before, state);
                settle(entry);
            }
        }
        states.add(state);
    }

    /** A disaster took what the machine had of those batches. */
    void destroyed(int brokerId, Predicate<BatchMark> isLost) {
        long bit = bit(brokerId);
        for (Entry entry : current.values()) {
            if ((entry.members & bit) != 0 && isLost.test(entry.batch)) {
                entry.withoutCopy |= bit;
                settle(entry);
            }
        }
    }

    /** How many batches were ever committed. */
    int size() {
        return inOrder.size();
    }

    /** The batch that was committed as number {@code index}, from 0. */
    BatchMark batch(int index) {
        return inOrder.get(index).batch;
    }

    /** Whether a disaster excuses whoever lacks it. */
    boolean isExcused(int index) {
        return inOrder.get(index).excused;
    }

    /** The committed batch at that offset, whether excused or not; empty if nothing was committed there. */
    Optional<BatchMark> at(long offset) {
        Map.Entry<Long, Entry> before = current.floorEntry(offset);
        return before == null || before.getValue().batch.lastOffset() < offset
                ? Optional.empty()
                : Optional.of(before.getValue().batch);
    }

    /** Who answers for the record at that offset and has a copy; empty if it is excused, or not committed. */
    SortedSet<Integer> answerable(long offset) {
        SortedSet<Integer> ids = new TreeSet<>();
        Map.Entry<Long, Entry> before = current.floorEntry(offset);
        if (before == null || before.getValue().batch.lastOffset() < offset || before.getValue().excused) {
            return ids;
        }
        long left = before.getValue().members & ~before.getValue().withoutCopy;
        for (int id = 0; id <= MOST_BROKERS; id++) {
            if ((left & bit(id)) != 0) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** Offsets of the records that disasters have excused. */
    SortedSet<Long> excused() {
        SortedSet<Long> offsets = new TreeSet<>();
        for (Entry entry : inOrder) {
            if (entry.excused) {
                entry.batch.records().forEach(record -> offsets.add(record.offset()));
            }
        }
        return offsets;
    }

    /** Whether disasters have excused the record with that value. */
    boolean isExcused(long offset, String value) {
        return inOrder.stream().filter(entry -> entry.excused).anyMatch(entry -> entry.batch.holds(offset, value));
    }

    /** How many batches disasters have excused. */
    int excusedBatches() {
        return excusedBatches;
    }

    private void add(BatchMark batch, PartitionState confirmed) {
        Entry entry = new Entry(batch, ids(confirmed.isr()));
        entry.withoutCopy = taken(entry.members, batch, confirmed.leaderEpoch());
        PartitionState before = confirmed;
        for (PartitionState state : states) {
            if (state.partitionEpoch() > confirmed.partitionEpoch()) {
                move(entry, before, state);
                before = state;
            }
        }
        current.put(batch.baseOffset(), entry);
        inOrder.add(entry);
        settle(entry);
    }

    private void move(Entry entry, PartitionState before, PartitionState after) {
        long isr = ids(after.isr());
        boolean forgetsOthers = after.isr().size() >= after.effectiveMinIsr()
                || after.effectiveMinIsr() < before.effectiveMinIsr();
        entry.members = forgetsOthers ? isr : entry.members | isr;
        if (before.leaderEpoch() == after.leaderEpoch()) {
            // In one leader epoch only proposals add, and who is proposed has shown the leader a copy.
            long joined = isr & ~ids(before.isr());
            entry.withoutCopy &= ~joined;
            entry.withoutCopy |= taken(joined, entry.batch, after.leaderEpoch());
        }
    }

    /** Those of {@code brokers} whose copy a disaster took since they showed it in that leader epoch. */
    private long taken(long brokers, BatchMark batch, int leaderEpoch) {
        long found = 0;
        for (int id = 0; id <= MOST_BROKERS && brokers >>> id != 0; id++) {
            if ((brokers & bit(id)) != 0 && taken.isTaken(id, batch, leaderEpoch)) {
                found |= bit(id);
            }
        }
        return found;
    }

    private void settle(Entry entry) {
        if (!entry.excused && (entry.members & ~entry.withoutCopy) == 0) {
            entry.excused = true;
            excusedBatches++;
        }
    }

    private List<Entry> overlapping(BatchMark batch) {
        List<Entry> found = new ArrayList<>();
        NavigableMap<Long, Entry> upTo = current.headMap(batch.lastOffset(), true);
        for (Entry entry : upTo.descendingMap().values()) {
            if (entry.batch.lastOffset() < batch.baseOffset()) {
                break;
            }
            found.add(entry);
        }
        return found;
    }

    private boolean agree(BatchMark one, BatchMark other) {
        return cleanup == Cleanup.DELETE ? one.isSame(other) : one.agreesOnRecords(other);
    }

    private static long ids(List<Member> members) {
        long ids = 0;
        for (Member member : members) {
            ids |= bit(member.brokerId());
        }
        return ids;
    }

    private static long bit(int brokerId) {
        if (brokerId < 0 || brokerId > MOST_BROKERS) {
            throw new IllegalArgumentException("broker id " + brokerId + " is not within 0 to " + MOST_BROKERS);
        }
        return 1L << brokerId;
    }
}
