package io.tidemark.sim;

import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.ReadResult;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/** What must hold after every step of a run; and what is traced about each replica when it changes. */
final class SimInvariants {
    private static final int READ_BYTES = 1 << 20;

    private final SimCluster cluster;
    private final SortedMap<Integer, String> lastSeen = new TreeMap<>();
    private final SortedMap<Integer, Integer> leaderByEpoch = new TreeMap<>();

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

    void check() {
        for (int id : cluster.brokerIds()) {
            cluster.partitionOf(id).ifPresentOrElse(partition -> check(id, partition), () -> lastSeen.remove(id));
        }
        cluster.leader().ifPresent(this::checkLeader);
    }

    private void check(int id, Partition partition) {
        PartitionView view = partition.view();
        long end = partition.log().end().offset();
        if (view.highWatermark() > end || view.highWatermark() < partition.log().startOffset()) {
            throw new Violation("I17: broker " + id + " has high watermark " + view.highWatermark()
                    + " outside its log up to " + end);
        }
        if (view.role() == PartitionView.Role.LEADER) {
            Integer other = leaderByEpoch.putIfAbsent(view.leaderEpoch(), id);
            if (other != null && other != id) {
                throw new Violation(
                        "I9: brokers " + other + " and " + id + " both lead in epoch " + view.leaderEpoch());
            }
        }
        String now = view.role().name().toLowerCase(java.util.Locale.ROOT) + " in epoch " + view.leaderEpoch()
                + ", log " + content(partition) + ", high watermark " + view.highWatermark();
        if (!now.equals(lastSeen.put(id, now))) {
            cluster.world().note("broker " + id + " is " + now);
        }
    }

    /** Whoever leads in the highest epoch holds every acknowledged record at its offset (I1, I8). */
    private void checkLeader(int id) {
        Partition leader = cluster.partitionOf(id).orElseThrow();
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
                        record.offset(), value == null ? "" : StandardCharsets.UTF_8.decode(value).toString());
            }
        });
        return records;
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
