package io.tidemark.sim;

import io.tidemark.coordination.cluster.Notice;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.log.LogEnd;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.ReadResult;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must hold after every step of a run; and what is traced about each replica when it changes. */
final class SimInvariants {
    private static final int READ_BYTES = 1 << 20;

    private final SimCluster cluster;
    private final SortedMap<Integer, Seen> lastSeen = new TreeMap<>();
    private final SortedMap<Integer, Integer> leaderByEpoch = new TreeMap<>();
    private boolean electionsClean = true;
    private int lastAcked;

    /** What a replica's content follows from: as long as these are the same objects there is nothing new to look at. */
    private record Seen(PartitionView view, LogEnd end) {
        // They are made anew when something moves, and to compare what is in them after each event would cost more than
        // to look again.
        @SuppressWarnings("ReferenceEquality")
        boolean isStill(Partition partition) {
            return view == partition.view() && end == partition.log().end();
        }
    }

    /** What the check of a leader depends on. */
    private record LeaderSeen(int id, PartitionView view, LogEnd end, int acked) {}

    private @Nullable LeaderSeen lastLeader;

    /** A rule does not hold. */
    static final class Violation extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    SimInvariants(SimCluster cluster) {
        this.cluster = cluster;
    }

    /** A controller decided something. */
    void noticed(Notice notice) {
        electionsClean &=
                notice.kind() != Notice.Kind.RECOVERY_ELECTION && notice.kind() != Notice.Kind.UNCLEAN_ELECTION;
    }

    void check() {
        boolean changed = cluster.acked().all().size() != lastAcked;
        lastAcked = cluster.acked().all().size();
        for (SimHost host : cluster.hosts().values()) {
            changed |= look(host.id());
        }
        if (!changed) {
            return;
        }
        if (electionsClean && cluster.settings().replica().truncation() == TruncationMode.LEADER_EPOCH) {
            checkCuts();
        }
        cluster.leader().ifPresent(this::checkLeader);
    }

    /** True if a replica is not what it was. */
    private boolean look(int id) {
        Partition partition = cluster.partitionOf(id).orElse(null);
        Seen seen = lastSeen.get(id);
        if (partition == null) {
            lastSeen.remove(id);
            return seen != null;
        }
        if (seen != null && seen.isStill(partition)) {
            return false;
        }
        check(id, partition);
        return true;
    }

    /** After clean elections alone nothing that was committed is ever cut (I1, DESIGN section 5). */
    private void checkCuts() {
        cluster.cutsBelowHighWatermark().forEach((id, cuts) -> {
            if (cuts > 0) {
                throw new Violation("I1: broker " + id + " cut its log below its high watermark after clean elections");
            }
        });
    }

    private void check(int id, Partition partition) {
        PartitionView view = partition.view();
        LogEnd end = partition.log().end();
        Seen now = new Seen(view, end);
        if (now.equals(lastSeen.put(id, now))) {
            return;
        }
        if (view.highWatermark() > end.offset()
                || view.highWatermark() < partition.log().startOffset()) {
            throw new Violation("I17: broker " + id + " has high watermark " + view.highWatermark()
                    + " outside its log up to " + end.offset());
        }
        if (view.role() == PartitionView.Role.LEADER) {
            Integer other = leaderByEpoch.putIfAbsent(view.leaderEpoch(), id);
            if (other != null && other != id) {
                throw new Violation(
                        "I9: brokers " + other + " and " + id + " both lead in epoch " + view.leaderEpoch());
            }
        }
        cluster.world().mark(id);
        cluster.world().mark(view.leaderEpoch());
        cluster.world().mark(view.highWatermark());
        cluster.world().mark(end.offset());
        String role = view.role().name().toLowerCase(Locale.ROOT);
        cluster.world()
                .note(() -> "broker " + id + " is " + role + " in epoch " + view.leaderEpoch() + ", log "
                        + content(partition) + ", high watermark " + view.highWatermark());
    }

    /** Whoever leads in the highest epoch there ever was holds every acknowledged record at its offset (I1, I8). */
    private void checkLeader(int id) {
        Partition leader = cluster.partitionOf(id).orElseThrow();
        if (leader.view().leaderEpoch() < leaderByEpoch.lastKey()) {
            return;
        }
        LeaderSeen now = new LeaderSeen(
                id, leader.view(), leader.log().end(), cluster.acked().all().size());
        if (now.equals(lastLeader)) {
            return;
        }
        lastLeader = now;
        SortedMap<Long, String> held = records(leader);
        cluster.acked().all().forEach((offset, value) -> {
            if (!value.equals(held.get(offset))) {
                throw new Violation("I1: broker " + id + " leads in epoch "
                        + leader.view().leaderEpoch() + " without the acknowledged record " + value + "@" + offset
                        + ", its log is " + content(leader));
            }
        });
    }

    static SortedMap<Long, String> records(Partition partition) {
        SortedMap<Long, String> records = new TreeMap<>();
        batches(partition, batch -> {
            for (LogRecord record : batch.records()) {
                ByteBuffer value = record.value();
                records.put(
                        record.offset(),
                        value == null
                                ? ""
                                : StandardCharsets.UTF_8.decode(value).toString());
            }
        });
        return records;
    }

    /** Replicas that have all caught up hold the same batches (I2). */
    void checkEqual() {
        SortedMap<Integer, String> contents = new TreeMap<>();
        cluster.brokerIds()
                .forEach(id -> cluster.partitionOf(id).ifPresent(partition -> contents.put(id, content(partition))));
        if (contents.values().stream().distinct().count() > 1) {
            throw new Violation("I2: replicas differ: " + contents);
        }
    }

    private static String content(Partition partition) {
        StringBuilder text = new StringBuilder("[");
        batches(partition, batch -> {
            for (LogRecord record : batch.records()) {
                ByteBuffer value = record.value();
                text.append(text.length() > 1 ? " " : "")
                        .append(value == null ? "" : StandardCharsets.UTF_8.decode(value))
                        .append('/')
                        .append(batch.partitionLeaderEpoch());
            }
        });
        return text.append(']').toString();
    }

    private static void batches(Partition partition, java.util.function.Consumer<RecordBatch> consumer) {
        long next = partition.log().startOffset();
        while (next < partition.log().end().offset()) {
            ReadResult read = partition
                    .log()
                    .read(new ReadRequest(next, READ_BYTES, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH));
            if (!(read instanceof ReadResult.Data data) || !data.batches().hasRemaining()) {
                return;
            }
            for (RecordBatch batch : RecordBatches.of(data.batches())) {
                consumer.accept(batch);
                next = batch.nextOffset();
            }
        }
    }
}
