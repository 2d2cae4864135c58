package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.cleaner.CleanableLog;
import io.tidemark.core.log.cleaner.CleanerTarget;
import io.tidemark.core.log.segment.SegmentSpace;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Passes that something comes in the way of: other changes of the log, damage, failures, crashes. */
final class LogCleaningRacesTest {
    private static final LogConfig CONFIG = CleanerRig.compacted(70);
    private static final int MANY_STEPS = 200;

    private static CleanerRig filled() {
        CleanerRig rig = new CleanerRig(new LogRig(CONFIG));
        fill(rig.logs.leader());
        return rig;
    }

    private static void fill(Log log) {
        for (int i = 0; i < 12; i++) {
            CleanerRig.write(log, "k" + i % 3 + "=" + i);
        }
    }

    private static void requireNoLeftovers(CleanerRig rig, String description) throws Exception {
        assertThat(rig.logs.filesWith(".cleaned")).as(description).isEmpty();
        assertThat(rig.logs.filesWith(".swap")).as(description).isEmpty();
        assertThat(rig.logs.failures).as(description).isEmpty();
        assertThat(rig.storageFailures).as(description).isEmpty();
    }

    // Scenario 21, scenario 22, DESIGN 3: a truncation that comes in between ends the pass, and nothing that was cut
    // comes back
    // Fails if: LogCleaning.isCurrent does not compare the truncations.
    @Test
    void shouldSurviveATruncationAtAnyStep() throws Exception {
        for (int steps = 0; steps < MANY_STEPS; steps++) {
            // given
            CleanerRig rig = filled();
            SegmentedLog log = rig.logs.log();
            boolean more = true;
            for (int i = 0; i < steps && more; i++) {
                more = rig.step();
            }

            // when
            log.truncateTo(4);
            log.becomeLeader(1);
            log.appendAsLeader(CleanerRig.batch("k0=new"), 1);
            log.committedBound(5);
            rig.tick();
            rig.tick();

            // then: at 4 is the new record; what is left in front of it depends on what had been cleaned
            String description = "after " + steps + " steps";
            assertThat(log.end().offset()).as(description).isEqualTo(5);
            assertThat(CleanerRig.records(log)).as(description).last().isEqualTo("4:k0=new");
            assertThat(CleanerRig.replay(log)).as(description).containsEntry("k0", "new");
            requireNoLeftovers(rig, description);
            rig.stop();
            rig.logs.crash();
            assertThat(rig.logs.log().end().offset()).as(description).isEqualTo(5);
            if (!more) {
                return;
            }
        }
        throw new AssertionError("a pass takes more than " + MANY_STEPS + " steps");
    }

    // Scenario 21, scenario 48: deleted, and made anew, with the cleaner running
    // Fails if: LogCleaning.isCurrent does not ask whether the log is closed.
    @Test
    void shouldSurviveADeletionAtAnyStep() throws Exception {
        for (int steps = 0; steps < MANY_STEPS; steps++) {
            // given
            CleanerRig rig = filled();
            boolean more = true;
            for (int i = 0; i < steps && more; i++) {
                more = rig.step();
            }

            // when
            rig.logs.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID);
            Log again = rig.logs.directories.open(LogRig.PARTITION, new TopicId(3, 4), CONFIG);
            again.becomeLeader(0);
            fill(again);
            for (int i = 0; i < 4; i++) {
                rig.tick();
            }

            // then
            String description = "after " + steps + " steps";
            assertThat(CleanerRig.records(again))
                    .as(description)
                    .containsExactly("8:k2=8", "9:k0=9", "10:k1=10", "11:k2=11");
            requireNoLeftovers(rig, description);
            if (!more) {
                return;
            }
        }
        throw new AssertionError("a pass takes more than " + MANY_STEPS + " steps");
    }

    // DESIGN 6: a clean stop does not wait for a pass
    // Fails if: CleaningPass.abandon does not abandon the recopier.
    @Test
    void shouldLeaveNothingBehindWhenStoppedAtAnyStep() throws Exception {
        for (int steps = 0; steps < MANY_STEPS; steps++) {
            // given
            CleanerRig rig = filled();
            Map<String, String> before = CleanerRig.replay(rig.logs.log());
            boolean more = true;
            for (int i = 0; i < steps && more; i++) {
                more = rig.step();
            }

            // when
            rig.stop();
            String description = "after " + steps + " steps";
            requireNoLeftovers(rig, description);
            rig.logs.restartCleanly();

            // then
            assertThat(CleanerRig.replay(rig.logs.log())).as(description).isEqualTo(before);
            if (!more) {
                return;
            }
        }
        throw new AssertionError("a pass takes more than " + MANY_STEPS + " steps");
    }

    // Scenario 7, scenario 22, issue 4 (8): every file operation of a pass fails once, or the power goes there
    // Fails if: LogCleaning.swap does not force the directory, or LogLoader does not call SegmentSwap.recover.
    @Test
    void shouldBeOldOrNewAfterAFailureOfAnyFileOperation() {
        for (int call = 0; call < 2_000; call++) {
            boolean[] spent = {false};
            for (boolean powerLoss : new boolean[] {false, true}) {
                spent[0] = failAt(call, powerLoss);
            }
            if (!spent[0]) {
                return;
            }
        }
        throw new AssertionError("a pass makes more than 2,000 calls");
    }

    private static boolean failAt(int call, boolean powerLoss) {
        // given
        SimDisk disk = new SimDisk();
        FaultPlan plan = new FaultPlan();
        LogRig logs = new LogRig(CONFIG.withSegmentBytes(200), disk, new FaultFiles(disk, plan, delay -> {}));
        CleanerRig rig = new CleanerRig(logs);
        SegmentedLog log = logs.leader();
        for (int i = 0; i < 12; i++) {
            // Something of each batch stays for ever, so that a segment which is lost is missed.
            ProducerStamp producer = new ProducerStamp(7, (short) 0, 2 * i);
            CleanerRig.write(
                    log, CleanerRig.batch(Codec.NONE, producer, 5, "k" + i % 3 + "=" + i, "only" + i + "=" + i));
        }
        log.force();
        Map<String, String> expected = CleanerRig.replay(log);

        // when
        plan.add(FaultRule.failingAny().after(call).times(1));
        rig.advance(Duration.ZERO);
        boolean spent = plan.isSpent();
        rig.stop();
        plan.clear();
        String description = "call " + call + (powerLoss ? ", power loss" : ", crash");
        if (powerLoss) {
            disk.powerLoss(new SeededRandomness(call));
        } else {
            disk.processCrash();
        }
        logs.start();
        SegmentedLog loaded = logs.log();

        // then
        assertThat(loaded.end().offset()).as(description).isEqualTo(24);
        assertThat(CleanerRig.replay(loaded)).as(description).isEqualTo(expected);
        assertThat(CleanerRig.records(loaded)).as(description).doesNotHaveDuplicates();
        rig.storageFailures.clear();
        logs.failures.clear();
        rig.start();
        loaded.becomeLeader(1);
        loaded.committedBound(24);
        rig.tick();
        rig.tick();
        assertThat(CleanerRig.replay(loaded)).as(description).isEqualTo(expected);
        assertThat(rig.storageFailures).as(description).isEmpty();
        assertThat(logs.failures).as(description).isEmpty();
        return spent;
    }

    // S14, S15, KAFKA-7215: a storage failure fences and is handed on; the thread lives
    // Fails if: CleanerThread.advance swallows a KafkaStorageException.
    @Test
    void shouldHandOnAStorageFailureAndLive() {
        // given
        SimDisk disk = new SimDisk();
        FaultPlan plan = new FaultPlan();
        CleanerRig rig = new CleanerRig(new LogRig(CONFIG, disk, new FaultFiles(disk, plan, delay -> {})));
        fill(rig.logs.leader());
        plan.add(FaultRule.failing(FileOperation.APPEND, "*.cleaned").times(1));

        // when
        rig.tick();
        rig.tick();

        // then
        assertThat(rig.storageFailures).hasSize(1);
        assertThat(rig.cleaner.deadThreads()).isZero();
        assertThat(rig.cleaner.uncleanablePartitions()).isEqualTo(1);
    }

    // KAFKA-6834, KNOWN_BUGS 16: a size field of 1 GB
    // Fails if: ChunkReader.checkedSizeOfFirst does not compare with the file's length.
    @Test
    void shouldSetALogAsideWhoseBatchClaimsAGigabyte() throws Exception {
        // given
        CleanerRig rig = filled();
        SegmentedLog log = rig.logs.log();
        Path file = rig.logs.partitionDirectory().resolve("00000000000000000003.log");
        byte[] content = FileBytes.content(rig.logs.io, file);
        ByteBuffer.wrap(content).putInt(8, 1 << 30);
        FileBytes.write(rig.logs.io, file, content);

        // when
        for (int i = 0; i < 10; i++) {
            rig.tick();
        }

        // then
        assertThat(rig.cleaner.uncleanablePartitions()).isEqualTo(1);
        assertThat(rig.cleaner.uncleanableBytes()).isEqualTo(log.sizeBytes());
        requireNoLeftovers(rig, "damaged");
    }

    // KAFKA-7215, KNOWN_BUGS 17, S74, scenario 18
    // Fails if: CleanerBoard.failed does not set the log aside.
    @Test
    void shouldCleanTheOthersWhenOneLogFails() {
        // given: three dirty logs, the second of which fails
        CleanerRig rig = new CleanerRig(new LogRig(CONFIG));
        TopicPartition bad = new TopicPartition("p", 1);
        List<Log> logs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Log log = rig.logs.directories.open(new TopicPartition("p", i), LogRig.TOPIC_ID, CONFIG);
            log.becomeLeader(0);
            fill(log);
            logs.add(log);
        }
        Map<TopicPartition, Integer> begun = new HashMap<>();
        rig.targets = targets -> targets.stream()
                .map(target -> new CleanerTarget(new FailingLog(target.log(), bad, begun), target.checkpoint()))
                .toList();

        // when
        for (int i = 0; i < 10; i++) {
            rig.tick();
        }

        // then
        assertThat(rig.cleaner.deadThreads()).isZero();
        assertThat(CleanerRig.records(logs.get(0))).hasSize(4);
        assertThat(CleanerRig.records(logs.get(1))).hasSize(12);
        assertThat(CleanerRig.records(logs.get(2))).hasSize(4);
        assertThat(rig.cleaner.uncleanablePartitions()).isEqualTo(1);
        assertThat(rig.cleaner.uncleanableBytes()).isEqualTo(logs.get(1).sizeBytes());
        assertThat(begun).containsEntry(bad, 1);
        assertThat(rig.storageFailures).isEmpty();

        // when: the topic is deleted and made anew
        rig.logs.directories.delete(bad, LogRig.TOPIC_ID);
        rig.logs.directories.open(bad, new TopicId(9, 9), CONFIG);
        rig.tick();

        // then
        assertThat(rig.cleaner.uncleanablePartitions()).isZero();
        assertThat(rig.cleaner.uncleanableBytes()).isZero();
    }

    /** A log that cannot be cleaned if it is the bad one. */
    private record FailingLog(CleanableLog log, TopicPartition bad, Map<TopicPartition, Integer> begun)
            implements CleanableLog {
        @Override
        public TopicPartition partition() {
            return log.partition();
        }

        @Override
        public TopicId topicId() {
            return log.topicId();
        }

        @Override
        public LogConfig config() {
            return log.config();
        }

        @Override
        public SegmentSpace space() {
            return log.space();
        }

        @Override
        public boolean isClosed() {
            return log.isClosed();
        }

        @Override
        public long truncations() {
            return log.truncations();
        }

        @Override
        public Optional<Snapshot> snapshot() {
            return log.snapshot();
        }

        @Override
        public Optional<Source> begin() {
            begun.merge(log.partition(), 1, Integer::sum);
            if (log.partition().equals(bad) && log.topicId().equals(LogRig.TOPIC_ID)) {
                throw new IllegalArgumentException("nobody expected this");
            }
            return log.begin();
        }

        @Override
        public Replaced replace(Replacement replacement) {
            return log.replace(replacement);
        }
    }

    // Scenario 23: random keys with deletes over many segments; the compacted log gives the last-value map, whatever
    // crashes
    // Fails if: BatchFilter.keeps looks at the tombstone's key only, or the planner's range is off by one.
    @Test
    void shouldAlwaysReplayToTheLastValueMap() {
        for (long seed = 1; seed <= 60; seed++) {
            StringBuilder trace = new StringBuilder("seed " + seed);
            try {
                runRandomly(new SeededRandomness(seed), trace);
            } catch (Throwable e) {
                throw new AssertionError(trace.toString(), e);
            }
        }
    }

    private static void runRandomly(SeededRandomness random, StringBuilder trace) {
        SimDisk disk = new SimDisk();
        LogConfig config = CleanerRig.compacted(100 + random.nextInt(600));
        LogRig logs = new LogRig(
                config.with(
                        config.compaction().withDeleteRetention(CleanerRig.BACKOFF.multipliedBy(random.nextInt(6)))),
                disk);
        CleanerRig rig = new CleanerRig(logs);
        SegmentedLog log = logs.leader();
        Map<String, String> model = new HashMap<>();
        int epoch = 0;
        for (int step = 0; step < 60; step++) {
            int choice = random.nextInt(20);
            trace.append('\n')
                    .append(step)
                    .append(": choice ")
                    .append(choice)
                    .append(" at ")
                    .append(log.end());
            if (choice < 12) {
                append(log, epoch, random, model);
            } else if (choice < 17) {
                rig.tick();
            } else if (choice == 17) {
                for (int i = random.nextInt(12); i > 0; i--) {
                    rig.step();
                }
            } else {
                log.force();
                rig.stop();
                if (choice == 18) {
                    disk.processCrash();
                } else {
                    disk.powerLoss(random);
                }
                logs.start();
                rig.start();
                log = logs.log();
                epoch++;
                log.becomeLeader(epoch);
                log.committedBound(log.end().offset());
            }
            assertThat(CleanerRig.replay(log)).isEqualTo(model);
            assertThat(logs.failures).isEmpty();
            assertThat(rig.storageFailures).isEmpty();
            assertThat(rig.cleaner.uncleanablePartitions()).isZero();
        }
    }

    private static void append(Log log, int epoch, SeededRandomness random, Map<String, String> model) {
        String[] entries = new String[1 + random.nextInt(6)];
        for (int i = 0; i < entries.length; i++) {
            String key = "k" + random.nextInt(15);
            if (random.oneIn(4)) {
                entries[i] = key;
                model.remove(key);
            } else {
                String value = Integer.toString(random.nextInt(1_000));
                entries[i] = key + "=" + value;
                model.put(key, value);
            }
        }
        Codec codec = Codec.values()[random.nextInt(Codec.values().length)];
        LogRig.append(log, epoch, CleanerRig.batch(codec, ProducerStamp.NONE, random.nextInt(10_000), entries));
        log.committedBound(log.end().offset());
    }
}
