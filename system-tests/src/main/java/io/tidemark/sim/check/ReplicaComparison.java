package io.tidemark.sim.check;

import io.tidemark.replication.partition.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether replicas of one partition hold the same (DESIGN section 9), from the highest log start to the lowest high watermark:
 *
 * <pre>
 *   never compacted   (base, last, epoch, crc) of each batch are equal
 *   compacted         an offset that two replicas have is equal in (epoch, key, value) on both;
 *                     the latest record of each key is equal on all
 * </pre>
 *
 * <p>Of the last line: cleaning never removes the latest record of a key, however far each replica is with it, but for tombstones, which
 * stand for nothing. A key whose latest record is a tombstone and one that is not there are therefore the same. Pure.
 */
public final class ReplicaComparison {
    private final Cleanup cleanup;

    private ReplicaComparison(Cleanup cleanup) {
        this.cleanup = cleanup;
    }

    /** The rule for topics with that cleanup. */
    public static ReplicaComparison of(Cleanup cleanup) {
        return new ReplicaComparison(cleanup);
    }

    /**
     * One replica.
     *
     * @param batches in offset order
     */
    public record Replica(int brokerId, long startOffset, long highWatermark, List<BatchMark> batches) {
        public Replica {
            batches = List.copyOf(batches);
        }

        /** All that a replica has on disk. */
        public static Replica read(int brokerId, Partition partition) {
            long start = partition.log().startOffset();
            return new Replica(
                    brokerId, start, partition.view().highWatermark(), LogContents.read(partition.log(), start));
        }
    }

    /** What is not equal, in words; empty if everything is, or there is nothing to compare. */
    public Optional<String> difference(List<Replica> replicas) {
        long from = replicas.stream().mapToLong(Replica::startOffset).max().orElse(0);
        long to = replicas.stream().mapToLong(Replica::highWatermark).min().orElse(0);
        for (int i = 1; i < replicas.size(); i++) {
            for (int j = 0; j < i; j++) {
                Optional<String> found = cleanup == Cleanup.DELETE
                        ? byBatch(replicas.get(j), replicas.get(i), from, to)
                        : byRecord(replicas.get(j), replicas.get(i), from, to);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> byBatch(Replica one, Replica other, long from, long to) {
        List<BatchMark> mine = within(one, from, to);
        List<BatchMark> theirs = within(other, from, to);
        for (int i = 0; i < Math.max(mine.size(), theirs.size()); i++) {
            BatchMark a = i < mine.size() ? mine.get(i) : null;
            BatchMark b = i < theirs.size() ? theirs.get(i) : null;
            if (a == null || b == null || !a.isSame(b)) {
                return Optional.of(text(one, a) + ", " + text(other, b));
            }
        }
        return Optional.empty();
    }

    private static List<BatchMark> within(Replica replica, long from, long to) {
        List<BatchMark> found = new ArrayList<>();
        for (BatchMark batch : replica.batches()) {
            if (batch.baseOffset() >= from && batch.lastOffset() < to) {
                found.add(batch);
            }
        }
        return found;
    }

    private static Optional<String> byRecord(Replica one, Replica other, long from, long to) {
        SortedMap<Long, Stored> mine = stored(one, from, to);
        SortedMap<Long, Stored> theirs = stored(other, from, to);
        for (Stored stored : mine.values()) {
            Stored there = theirs.get(stored.record.offset());
            if (there != null && !there.equals(stored)) {
                return Optional.of(text(one, stored) + ", " + text(other, there));
            }
        }
        SortedMap<String, Stored> latest = latest(mine);
        SortedMap<String, Stored> latestThere = latest(theirs);
        for (String key : latest.keySet()) {
            if (!Objects.equals(latest.get(key), latestThere.get(key))) {
                return Optional.of("latest of key " + key + ": " + text(one, latest.get(key)) + ", "
                        + text(other, latestThere.get(key)));
            }
        }
        for (String key : latestThere.keySet()) {
            if (!latest.containsKey(key)) {
                return Optional.of("latest of key " + key + ": " + text(one, (Stored) null) + ", "
                        + text(other, latestThere.get(key)));
            }
        }
        return Optional.empty();
    }

    private record Stored(int epoch, RecordMark record) {}

    private static SortedMap<Long, Stored> stored(Replica replica, long from, long to) {
        SortedMap<Long, Stored> found = new TreeMap<>();
        for (BatchMark batch : replica.batches()) {
            for (RecordMark record : batch.records()) {
                if (record.offset() >= from && record.offset() < to) {
                    found.put(record.offset(), new Stored(batch.epoch(), record));
                }
            }
        }
        return found;
    }

    private static SortedMap<String, Stored> latest(SortedMap<Long, Stored> stored) {
        SortedMap<String, Stored> latest = new TreeMap<>();
        for (Stored each : stored.values()) {
            String key = each.record.key();
            if (key != null && each.record.value() == null) {
                latest.remove(key);
            } else if (key != null) {
                latest.put(key, each);
            }
        }
        return latest;
    }

    private static String text(Replica replica, @Nullable BatchMark batch) {
        String what = batch == null ? "nothing" : batch.text() + " of epoch " + batch.epoch() + " crc " + batch.crc();
        return "broker " + replica.brokerId() + " has " + what;
    }

    private static String text(Replica replica, @Nullable Stored stored) {
        String what = stored == null ? "nothing" : stored.record + " of epoch " + stored.epoch;
        return "broker " + replica.brokerId() + " has " + what;
    }
}
