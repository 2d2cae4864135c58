package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.CompactionConfig;
import io.tidemark.core.config.FlushConfig;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.RetentionConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LogModel.Written;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A log on a disk that fails where a {@link FaultPlan} says, and what is known about the log: what was acknowledged, and up to
 * where it was forced. The scenarios of {@link FaultSweep} are written against it.
 */
final class SweptLog {
    static final LogConfig CONFIG =
            LogRig.CONFIG.withSegmentBytes(300).withIndex(1, 1 << 20).withDeleteDelay(Duration.ofSeconds(1));

    private static final int BATCH_BYTES = 120;
    private static final long PRODUCER = 7;
    private static final int KEYS = 3;
    private static final int STEP_MS = 10;
    private static final List<String> UNFINISHED = List.of(".deleted", ".tmp", ".cleaned", ".swap");

    private final SimDisk disk = new SimDisk();
    private final FaultPlan plan;
    private final List<Throwable> failures = new ArrayList<>();
    private final Set<Written> ever = new HashSet<>();
    private final Map<Written, Long> timesMs = new HashMap<>();
    private final Map<Written, String> keys = new HashMap<>();

    /** Batches that the cleaner may have taken: something later of their keys was forced and committed. */
    private final Set<Written> replaced = new HashSet<>();

    private List<Written> acknowledged = new ArrayList<>();
    private LogRig rig;
    private SegmentedLog log;
    private Doing doing = Doing.DIRECTORIES;
    private int epoch;
    private int batches;
    private long forcedEnd;
    private long highestStart;
    private long lowestStart;

    /** What was going on when something failed. */
    enum Doing {
        /** The broker's directories: a failure ends the broker. */
        DIRECTORIES,
        /** A change of the log: a failure fences it. */
        LOG,
        /** A look-up in the log, which takes no lock and fences nothing. */
        READING
    }

    /** How the broker ends after the failure. */
    enum Ending {
        KILL,
        POWER_LOSS
    }

    SweptLog(FaultPlan plan) {
        this.plan = plan;
    }

    /** Starts the broker and its log; leads. */
    void open() {
        doing = Doing.DIRECTORIES;
        rig = new LogRig(CONFIG, disk, new FaultFiles(disk, plan, delay -> {}), failures);
        log = rig.log();
        lead();
    }

    Doing doing() {
        return doing;
    }

    /** What tasks of the scheduler failed with. */
    List<Throwable> failures() {
        return failures;
    }

    void lead() {
        doing = Doing.LOG;
        epoch++;
        log.becomeLeader(epoch);
    }

    /** Appends so many batches, one by one. */
    void append(int count) {
        for (int i = 0; i < count; i++) {
            appendTogether(1);
        }
    }

    /** Appends so many batches in one call. */
    void appendTogether(int count) {
        append(batches(count, log.end().offset()));
    }

    /** Appends so many batches of one idempotent producer, one by one. */
    void appendOfProducer(int count) {
        for (int i = 0; i < count; i++) {
            append(batch(log.end().offset(), new ProducerStamp(PRODUCER, (short) 0, nextSequence())));
        }
    }

    /** Appends so many batches of one record with a key, of which there are few. */
    void appendKeyed(int count) {
        for (int i = 0; i < count; i++) {
            String key = "key " + batches % KEYS;
            ByteBuffer batch = CleanerRig.batch(
                    Codec.NONE, ProducerStamp.NONE, timeOfNextMs(), key + "=batch " + batches++ + "-".repeat(30));
            Written written =
                    append(Batches.at(log.end().offset(), epoch, batch)).get(0);
            keys.put(written, key);
        }
    }

    private List<Written> append(ByteBuffer bytes) {
        doing = Doing.LOG;
        List<Written> written = take(bytes);
        assertThat(log.appendAsLeader(bytes, epoch)).isInstanceOf(AppendResult.Appended.class);
        acknowledged.addAll(written);
        return written;
    }

    /** Takes note of what is about to be written. */
    private List<Written> take(ByteBuffer bytes) {
        List<Written> written = new ArrayList<>();
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            written.add(Written.of(batch));
            timesMs.put(Written.of(batch), batch.maxTimestampMs());
        }
        ever.addAll(written);
        return written;
    }

    /** The producer sends its last batch again; it hears where that is. */
    void repeat() {
        doing = Doing.LOG;
        HeldBatches.requireKnown(PRODUCER, log, acknowledged, epoch);
    }

    /** Appends a batch as a follower, at an offset of the leader's; leads again. */
    void copy(long baseOffset) {
        doing = Doing.LOG;
        log.becomeFollower(epoch);
        ByteBuffer bytes = batches(1, baseOffset);
        List<Written> written = take(bytes);
        assertThat(log.appendAsFollower(bytes, epoch)).isInstanceOf(AppendResult.Appended.class);
        acknowledged.addAll(written);
        lead();
    }

    void force() {
        doing = Doing.LOG;
        forcedEnd = log.force().offset();
    }

    void truncate(long offset) {
        doing = Doing.LOG;
        forget(offset);
        boolean startsLower = offset < log.startOffset();
        log.truncateTo(offset);
        highestStart = startsLower ? offset : highestStart;
        lead();
    }

    void startAgain(long offset) {
        doing = Doing.LOG;
        forget(0);
        highestStart = Math.max(highestStart, offset);
        log.truncateFullyAndStartAt(offset);
        highestStart = offset;
        lead();
    }

    /** Deletes records below the offset. */
    void advanceStart(long offset) {
        doing = Doing.LOG;
        log.committedBound(log.end().offset());
        highestStart = Math.max(highestStart, offset);
        assertThat(log.advanceStartOffset(offset)).isTrue();
    }

    /** From now on the log is flushed like this. */
    void flush(FlushConfig flush) {
        configure(CONFIG.with(flush));
    }

    /** Lets so much time pass that everything is forced; nothing else is due. */
    void flushed(Duration time) {
        doing = Doing.LOG;
        rig.scheduler.advance(time);
        requireNoFailure();
        assertThat(log.forcedEnd()).isEqualTo(log.end());
        forcedEnd = log.end().offset();
    }

    /** From now on the log is compacted, into segments of that size. */
    void compact(int segmentBytes) {
        CompactionConfig compaction =
                CONFIG.compaction().withPolicy(CleanupPolicy.COMPACT).withMinDirtyRatio(0);
        configure(CONFIG.withSegmentBytes(segmentBytes).with(compaction));
    }

    private void configure(LogConfig config) {
        doing = Doing.LOG;
        rig.config = config;
        log.reconfigure(config);
    }

    /** Commits everything and lets a cleaner work on it; a broker ends when that fails. */
    void clean() {
        force();
        log.committedBound(log.end().offset());
        Set<String> later = new HashSet<>();
        for (int i = acknowledged.size() - 1; i >= 0; i--) {
            String key = keys.get(acknowledged.get(i));
            if (key != null && !later.add(key)) {
                replaced.add(acknowledged.get(i));
            }
        }
        doing = Doing.DIRECTORIES;
        CleanerRig cleaner = new CleanerRig(rig);
        cleaner.advance(Duration.ZERO);
        cleaner.stop();
        failures.addAll(cleaner.storageFailures);
        requireNoFailure();
        if (cleaner.cleaner.uncleanablePartitions() > 0) {
            throw new InvalidBatchException("the log was set aside, it seems to be damaged");
        }
        cleaner.requireHealthy();
        assertThat(cleaner.cleaner.passes()).isPositive();
    }

    /** Deletes by size; a broker ends when that fails. */
    void retain(long limitBytes) {
        doing = Doing.DIRECTORIES;
        log.committedBound(log.end().offset());
        highestStart = Math.max(highestStart, log.end().offset());
        log.reconfigure(rig.config.with(rig.config.retention().withLimits(RetentionConfig.UNLIMITED, limitBytes)));
        assertThat(log.applyRetention(0).isNothing()).isFalse();
        highestStart = log.startOffset();
        lowestStart = log.startOffset();
    }

    /**
     * Lets time pass: what is scheduled runs, the record of recovery points too if it is long enough. A broker ends when one of
     * those fails.
     */
    void pass(Duration time) {
        doing = Doing.DIRECTORIES;
        rig.scheduler.advance(time);
        requireNoFailure();
    }

    private void requireNoFailure() {
        if (!failures.isEmpty()) {
            throw new KafkaStorageException("a task failed: " + failures.get(0));
        }
    }

    void restartCleanly() {
        doing = Doing.DIRECTORIES;
        rig.directories.closeCleanly();
        forcedEnd = log.end().offset();
        rig.start();
        log = rig.log();
        lead();
    }

    void restartAfterKill() {
        doing = Doing.DIRECTORIES;
        rig.crash();
        log = rig.log();
        lead();
    }

    /** A file of that name in the partition's directory, as an earlier process left it. */
    void leave(String name) throws IOException {
        disk.openForAppend(rig.partitionDirectory().resolve(name)).close();
    }

    /** Something else stands in that checkpoint, durably. */
    void damage(OffsetCheckpointFile.Kind kind) throws IOException {
        try (FileHandle file = disk.openForAppend(LogRig.DIRECTORY.resolve(kind.fileName()))) {
            file.truncate(0);
            file.append(ByteBuffer.wrap(new byte[] {0, 0, 0, 1, 0, 3}));
            file.force();
        }
        disk.forceDirectory(LogRig.DIRECTORY);
    }

    /** Deletes the partition and creates it anew. */
    void recreate() {
        doing = Doing.DIRECTORIES;
        forget(0);
        rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID);
        log = rig.log();
        highestStart = 0;
        lead();
    }

    /** Creates another partition beside. */
    void createAnother() {
        doing = Doing.DIRECTORIES;
        rig.directories.open(new TopicPartition("payments", 1), LogRig.TOPIC_ID, CONFIG);
    }

    /** Reads everything: it is exactly what was acknowledged, but for what may have been cleaned away. */
    void read() {
        doing = Doing.READING;
        List<Written> found = HeldBatches.of(log);
        List<Written> expected = visible(log.startOffset()).stream()
                .filter(batch -> found.contains(batch) || !replaced.contains(batch))
                .toList();
        assertThat(found).as("read from %d", log.startOffset()).isEqualTo(expected);
        for (Written batch : visible(log.startOffset())) {
            assertThat(log.positionOf(batch.last())).isLessThan(log.end().position());
        }
    }

    /** Looks up the time of each batch that was acknowledged, and a later one: times rise. */
    void search() {
        doing = Doing.READING;
        for (Written batch : visible(log.startOffset())) {
            assertThat(log.search(new TimeSearch(timesMs.get(batch), Long.MAX_VALUE, () -> true)))
                    .isEqualTo(new TimeSearch.Found(Math.max(log.startOffset(), batch.base())));
        }
        assertThat(log.search(new TimeSearch(timeOfNextMs(), Long.MAX_VALUE, () -> true)))
                .isEqualTo(new TimeSearch.None());
    }

    /** Batches from {@code offset} on may be gone from now on, or not. */
    private void forget(long offset) {
        lowestStart = Math.min(lowestStart, offset);
        acknowledged.removeIf(batch -> batch.last() >= offset);
        forcedEnd = Math.min(forcedEnd, offset);
    }

    /** After a failure in the log itself nothing works any more (KAFKA-10778). */
    void assertFenced() {
        assertThatThrownBy(() -> log.appendAsLeader(batches(1, log.end().offset()), epoch))
                .isInstanceOf(KafkaStorageException.class);
        assertThatThrownBy(log::force).isInstanceOf(KafkaStorageException.class);
        assertThatThrownBy(() -> log.truncateTo(0)).isInstanceOf(KafkaStorageException.class);
        assertThatThrownBy(() -> log.becomeLeader(epoch + 1)).isInstanceOf(KafkaStorageException.class);
        assertThatThrownBy(() -> LogRig.read(log, log.startOffset())).isInstanceOf(KafkaStorageException.class);
    }

    /** The disk is healthy again: a broker that starts on it has what was forced, or written if only the process died. */
    void assertComesBackAfter(Ending ending, long seed) throws Exception {
        plan.clear();
        if (ending == Ending.KILL) {
            disk.processCrash();
        } else {
            disk.powerLoss(new SeededRandomness(seed));
        }
        LogRig healed = new LogRig(CONFIG, disk);
        SegmentedLog found = healed.log();
        List<Written> batchesFound = HeldBatches.of(found);
        assertThat(found.startOffset()).as("start").isBetween(lowestStart, highestStart);
        assertThat(ever).as("nothing that was never written").containsAll(batchesFound);
        for (int i = 1; i < batchesFound.size(); i++) {
            assertThat(batchesFound.get(i).base())
                    .isGreaterThan(batchesFound.get(i - 1).last());
        }
        long sure = ending == Ending.KILL ? Long.MAX_VALUE : forcedEnd;
        List<Written> expected = visible(found.startOffset()).stream()
                .filter(batch -> batch.last() < sure && !replaced.contains(batch))
                .toList();
        assertThat(batchesFound).as("what is sure after " + ending).containsAll(expected);
        assertWorks(healed, batchesFound);
    }

    private void assertWorks(LogRig healed, List<Written> batchesFound) throws Exception {
        SegmentedLog found = healed.log();
        found.becomeLeader(epoch + 10);
        HeldBatches.requireKnown(PRODUCER, found, batchesFound, epoch + 10);
        ByteBuffer bytes = batches(1, found.end().offset());
        assertThat(found.appendAsLeader(bytes, epoch + 10)).isInstanceOf(AppendResult.Appended.class);
        List<Written> expected = new ArrayList<>(batchesFound);
        expected.addAll(take(bytes));
        healed.scheduler.advance(LogRig.RECORDING_PERIOD);
        healed.restartCleanly();
        healed.scheduler.advance(CONFIG.retention().deleteDelay().plusMillis(1));
        assertThat(healed.failures).isEmpty();
        assertThat(HeldBatches.of(healed.log())).isEqualTo(expected);
        healed.log().becomeLeader(epoch + 11);
        HeldBatches.requireKnown(PRODUCER, healed.log(), expected, epoch + 11);
        assertThat(healed.io.list(healed.partitionDirectory()))
                .as("leftovers")
                .noneMatch(name -> UNFINISHED.stream().anyMatch(name::endsWith));
        assertThat(healed.io.list(LogRig.DIRECTORY)).as("leftovers").noneMatch(name -> name.contains("-delete"));
    }

    private List<Written> visible(long startOffset) {
        return acknowledged.stream()
                .filter(batch -> batch.last() >= startOffset)
                .toList();
    }

    private ByteBuffer batches(int count, long firstOffset) {
        ByteBuffer[] parts = new ByteBuffer[count];
        long next = firstOffset;
        for (int i = 0; i < count; i++) {
            parts[i] = batch(next, ProducerStamp.NONE);
            next = RecordBatch.at(parts[i], 0).nextOffset();
        }
        return Batches.join(parts);
    }

    private ByteBuffer batch(long baseOffset, ProducerStamp producer) {
        long timestampMs = timeOfNextMs();
        String value = "batch " + batches++;
        String rest = "-".repeat(BATCH_BYTES - 80);
        return Batches.at(baseOffset, epoch, Batches.of(producer, () -> timestampMs, value, rest));
    }

    private long timeOfNextMs() {
        return 1_000 + (long) STEP_MS * batches;
    }

    private int nextSequence() {
        Written last = HeldBatches.lastOf(PRODUCER, acknowledged);
        return last == null ? 0 : last.producer().baseSequence() + HeldBatches.sizeOf(last);
    }
}
