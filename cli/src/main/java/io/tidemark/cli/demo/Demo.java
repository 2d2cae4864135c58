package io.tidemark.cli.demo;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Progress;
import io.tidemark.cli.dev.LocalCluster;
import io.tidemark.client.Tidemark;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.consumer.Consumer;
import io.tidemark.client.consumer.ConsumerConfig;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Wire;
import io.tidemark.client.producer.Producer;
import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.client.producer.ProducerRecord;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Produces records with acks=all, kills the partition's leader when about half are acknowledged, goes on, consumes
 * everything and compares. Nothing removes duplicates but the leader.
 */
final class Demo {
    static final String TOPIC = "demo";

    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int KILL_PERCENT = 45;
    private static final int HOLD_PERCENT = 55;

    private final LocalCluster cluster;
    private final int records;
    private final DemoProgress counts;
    private final Progress progress;
    private final Clock clock = new SystemClock();

    Demo(LocalCluster cluster, DemoProgress counts, Progress progress) {
        this.cluster = cluster;
        this.records = counts.records();
        this.counts = counts;
        this.progress = progress;
    }

    DemoReport run() throws InterruptedException {
        createTopic();
        AckLedger ledger = new AckLedger(clock, records, Math.max(1, records * (long) KILL_PERCENT / 100));
        counts.producing(ledger::count);
        CompletableFuture<Long> killed = new CompletableFuture<>();
        Thread killer = new Thread(() -> killLeader(ledger, killed), "tidemark-demo-killer");
        killer.setDaemon(true);
        killer.start();
        int sent = produce(ledger, killed);
        progress.step(ledger.count() + " of " + sent + " records are acknowledged; consuming");
        if (ledger.failures() > 0) {
            progress.note(ledger.failures() + " sends failed, the last with: " + ledger.lastFailure());
        }
        return consume(ledger, sent, killed.join());
    }

    private void createTopic() {
        SortedMap<String, String> configs = new TreeMap<>();
        configs.put("min.insync.replicas", "2");
        try (Admin admin = admin()) {
            admin.createTopic(new Wire.TopicCreation(TOPIC, 1, 3, configs)).join();
            leader(admin);
        } catch (CompletionException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot create topic " + TOPIC + ": " + e.getCause());
        }
        progress.step("created topic " + TOPIC + " with 3 replicas, min.insync.replicas=2");
    }

    private int leader(Admin admin) {
        Metadata.Partition partition = admin.describeTopic(TOPIC).join().partition(PARTITION);
        return partition == null ? -1 : partition.leader();
    }

    private Admin admin() {
        return Tidemark.admin(new Admin.Settings(cluster.bootstrapEndpoints(), PATIENCE));
    }

    /** Holds back at a little above half until the leader is dead, so that the kill comes in the middle. */
    private int produce(AckLedger ledger, CompletableFuture<Long> killed) throws InterruptedException {
        ProducerConfig config = ProducerConfig.of(cluster.bootstrapEndpoints());
        int holdAt = (int) (records * (long) HOLD_PERCENT / 100);
        try (Producer producer = Tidemark.producer(config)) {
            for (int i = 0; i < records; i++) {
                if (i == holdAt) {
                    producer.flush();
                    killed.join();
                }
                int index = i;
                producer.send(record(i), (partition, offset, failure) -> ledger.answered(index, failure));
            }
            producer.flush();
        }
        return records;
    }

    private static ProducerRecord record(int index) {
        ByteBuffer value = ByteBuffer.allocate(100).putInt(0, index);
        return new ProducerRecord(TOPIC, 0, null, null, value, List.of());
    }

    private void killLeader(AckLedger ledger, CompletableFuture<Long> killed) {
        try (Admin admin = admin()) {
            ledger.awaitKillPoint();
            int leader = leader(admin);
            long acked = ledger.count();
            cluster.kill(Integer.toString(leader));
            progress.step(
                    "killed broker " + leader + ", the leader, with SIGKILL after " + acked + " acknowledgements");
            killed.complete(acked);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            killed.completeExceptionally(e);
        } catch (RuntimeException e) {
            killed.completeExceptionally(e);
        }
    }

    private DemoReport consume(AckLedger ledger, int sent, long killedAtAcked) {
        BitSet seen = new BitSet(records);
        AtomicLong consumed = new AtomicLong();
        counts.consuming(consumed::get);
        long duplicated = 0;
        long outOfOrder = 0;
        int highest = -1;
        SortedMap<TopicPartition, Long> start = new TreeMap<>();
        start.put(PARTITION, 0L);
        try (Consumer consumer = Tidemark.consumer(ConsumerConfig.of(cluster.bootstrapEndpoints()))) {
            long end = consumer.endOf(PARTITION, Wire.LogPosition.LATEST, PATIENCE);
            consumer.assign(start);
            long next = 0;
            while (next < end) {
                List<ConsumerRecord> polled = consumer.poll(PATIENCE);
                if (polled.isEmpty()) {
                    break;
                }
                for (ConsumerRecord record : polled) {
                    int index = index(record);
                    consumed.incrementAndGet();
                    duplicated += seen.get(index) ? 1 : 0;
                    outOfOrder += !seen.get(index) && index < highest ? 1 : 0;
                    seen.set(index);
                    highest = Math.max(highest, index);
                    next = record.offset() + 1;
                }
            }
        }
        BitSet lost = ledger.acked();
        lost.andNot(seen);
        return new DemoReport(
                sent,
                ledger.count(),
                killedAtAcked,
                consumed.get(),
                lost.cardinality(),
                duplicated,
                outOfOrder,
                ledger.longestSilenceMs());
    }

    private static int index(ConsumerRecord record) {
        ByteBuffer value = record.record().value();
        if (value == null || value.remaining() < Integer.BYTES) {
            throw new CommandFailure(
                    ExitCode.FAILED, "a record came back that was never sent: offset " + record.offset());
        }
        return value.getInt(value.position());
    }
}
