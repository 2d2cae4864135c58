package io.tidemark.checker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is known about one key: its values, who sent them, and its log, which is the union of what polls returned and what
 * proved sends were acknowledged at. Values have dense numbers here, <em>ids</em>; offsets that hold something have
 * <em>ranks</em>, counted from 0 without the holes. An order is told by ranks. Immutable once
 * judged.
 */
final class KeyLog {
    /** No rank: the value is nowhere in the log. No operation: nobody sent the value. */
    static final int NONE = -1;

    private final int key;
    private final Values values;
    private final long[] offsets;
    /** Where the ids of each rank begin in {@link #ids}. */
    private final int[] starts;
    /** How many different ids each rank has. */
    private final int[] counts;

    private final int[] ids;
    private final int[] firstRank;
    private final int[] lastRank;
    private RankCounts firm = RankCounts.NONE;
    private RankCounts owed = RankCounts.NONE;

    /** Everything by id but the places. */
    record Values(LongIntMap ids, LongList numbers, IntList writers, LongList recordKeys, IntList readers) {}

    /**
     * A log of places, each an offset and the id that was found there.
     *
     * @param placeOffsets as many as ids, in any order, with repetitions
     */
    KeyLog(int key, Values values, LongList placeOffsets, IntList placeIds) {
        this.key = key;
        this.values = values;
        this.offsets = distinct(placeOffsets.toArray());
        int[] ranks = new int[placeIds.size()];
        this.starts = new int[offsets.length + 1];
        for (int i = 0; i < ranks.length; i++) {
            // Polls return runs, so that the next place is mostly behind the last.
            ranks[i] = rankOf(placeOffsets.get(i), i == 0 ? 0 : ranks[i - 1] + 1);
            starts[ranks[i] + 1]++;
        }
        for (int rank = 0; rank < offsets.length; rank++) {
            starts[rank + 1] += starts[rank];
        }
        this.ids = new int[ranks.length];
        int[] filled = starts.clone();
        for (int i = 0; i < ranks.length; i++) {
            ids[filled[ranks[i]]++] = placeIds.get(i);
        }
        this.counts = new int[offsets.length];
        this.firstRank = new int[valueCount()];
        this.lastRank = new int[valueCount()];
        Arrays.fill(firstRank, NONE);
        Arrays.fill(lastRank, NONE);
        for (int rank = 0; rank < offsets.length; rank++) {
            counts[rank] = distinct(starts[rank], starts[rank + 1]);
            rankValues(rank);
        }
    }

    int key() {
        return key;
    }

    /** How many values were sent or polled; ids are below it. */
    int valueCount() {
        return values.numbers().size();
    }

    long value(int id) {
        return values.numbers().get(id);
    }

    /** The id of a value that was sent or polled, or {@link LongIntMap#ABSENT}. */
    int id(long value) {
        return values.ids().get(value);
    }

    /** The number of the operation that sent the value, or {@link #NONE}. */
    int writer(int id) {
        return values.writers().get(id);
    }

    /** The number of the first operation that ended ok and polled the value, or {@link #NONE}. */
    int reader(int id) {
        return values.readers().get(id);
    }

    long recordKey(int id) {
        return values.recordKeys().get(id);
    }

    /** The rank of the first place of a value, or {@link #NONE}. */
    int firstRank(int id) {
        return firstRank[id];
    }

    /** The rank of the last place of a value, which is the one that order is told by, or {@link #NONE}. */
    int lastRank(int id) {
        return lastRank[id];
    }

    boolean isDuplicated(int id) {
        return firstRank[id] != lastRank[id];
    }

    /** How many offsets hold something. */
    int rankCount() {
        return offsets.length;
    }

    long offset(int rank) {
        return offsets[rank];
    }

    /** The rank of an offset that holds something; {@code hint} is tried first. */
    int rankOf(long offset, int hint) {
        return hint < offsets.length && offsets[hint] == offset ? hint : Arrays.binarySearch(offsets, offset);
    }

    /** How many values an offset held. */
    int idCount(int rank) {
        return counts[rank];
    }

    /** The {@code i}-th id at a rank. */
    int id(int rank, int i) {
        return ids[starts[rank] + i];
    }

    /** The values at the ranks from {@code from} on and below {@code to}, at most {@code limit} of them. */
    List<Long> valuesBetween(int from, int to, int limit) {
        List<Long> between = new ArrayList<>();
        for (int rank = from; rank < to && between.size() < limit; rank++) {
            long[] here = new long[counts[rank]];
            for (int i = 0; i < here.length; i++) {
                here[i] = value(id(rank, i));
            }
            Arrays.sort(here);
            Arrays.stream(here).forEach(between::add);
        }
        return between;
    }

    /**
     * Takes, once, what the log is judged by.
     *
     * @param firmRanks ranks whose records may not go
     * @param owedRanks ranks of which a reader that passes is owed a record
     */
    void judge(RankCounts firmRanks, RankCounts owedRanks) {
        firm = firmRanks;
        owed = owedRanks;
    }

    RankCounts firm() {
        return firm;
    }

    RankCounts owed() {
        return owed;
    }

    private static long[] distinct(long[] numbers) {
        Arrays.sort(numbers);
        int kept = 0;
        for (int i = 0; i < numbers.length; i++) {
            if (i == 0 || numbers[i] != numbers[i - 1]) {
                numbers[kept++] = numbers[i];
            }
        }
        return Arrays.copyOf(numbers, kept);
    }

    private int distinct(int from, int to) {
        Arrays.sort(ids, from, to);
        int kept = 0;
        for (int i = from; i < to; i++) {
            if (i == from || ids[i] != ids[from + kept - 1]) {
                ids[from + kept++] = ids[i];
            }
        }
        return kept;
    }

    private void rankValues(int rank) {
        for (int i = 0; i < counts[rank]; i++) {
            int id = id(rank, i);
            if (firstRank[id] == NONE) {
                firstRank[id] = rank;
            }
            lastRank[id] = rank;
        }
    }
}
