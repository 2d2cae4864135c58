package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LogModel.Written;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A log on a disk that fails where a {@link FaultPlan} says, and what is known about the log: what was acknowledged, and up to
 * where it was forced. The scenarios of {@link FaultSweep} are written against it.
 */
final class SweptLog {
    static final LogConfig CONFIG =
            LogRig.CONFIG.withSegmentBytes(300).withIndex(1, 1 << 20).withDeleteDelay(Duration.ofSeconds(1));

    private static final int BATCH_BYTES = 120;
    private static final List<String> UNFINISHED = List.of(".deleted", ".tmp", ".cleaned", ".swap");

    private final SimDisk disk = new SimDisk();
    private final FaultPlan plan;
    private final List<Throwable> failures = new ArrayList<>();
    private final Set<Written> ever = new HashSet<>();
    private List<Written> acknowledged = new ArrayList<>();
    private LogRig rig;
    private SegmentedLog log;
    private Doing doing = Doing.DIRECTORIES;
    private int epoch;
    private int batches;
    private long forcedEnd;
    private long highestStart;

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

    /** For scenarios that do more than is here. */
    LogRig rig() {
        return rig;
    }

    /** For scenarios that do more than is here; they say what is being done first. */
    SegmentedLog log() {
        return log;
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
        doing = Doing.LOG;
        ByteBuffer bytes = batches(count, log.end().offset());
        List<Written> written = parse(bytes);
        ever.addAll(written);
        assertThat(log.appendAsLeader(bytes, epoch)).isInstanceOf(AppendResult.Appended.class);
        acknowledged.addAll(written);
    }

    /** Appends a batch as a follower, at an offset of the leader's; leads again. */
    void copy(long baseOffset) {
        doing = Doing.LOG;
        log.becomeFollower(epoch);
        ByteBuffer bytes = batches(1, baseOffset);
        List<Written> written = parse(bytes);
        ever.addAll(written);
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

    /**
     * Lets time pass: what is scheduled runs, the record of recovery points too if it is long enough. A broker ends when one of
     * those fails.
     */
    void pass(Duration time) {
        doing = Doing.DIRECTORIES;
        rig.scheduler.advance(time);
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

    /** Reads everything: it is exactly what was acknowledged. */
    void read() {
        doing = Doing.READING;
        assertThat(readAll(log)).as("read from %d", log.startOffset()).isEqualTo(visible(log.startOffset()));
        for (Written batch : visible(log.startOffset())) {
            assertThat(log.positionOf(batch.last())).isLessThan(log.end().position());
        }
    }

    /** Batches from {@code offset} on may be gone from now on, or not. */
    private void forget(long offset) {
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
        List<Written> batchesFound = readAll(found);
        assertThat(found.startOffset()).as("start").isLessThanOrEqualTo(highestStart);
        assertThat(ever).as("nothing that was never written").containsAll(batchesFound);
        for (int i = 1; i < batchesFound.size(); i++) {
            assertThat(batchesFound.get(i).base())
                    .isGreaterThan(batchesFound.get(i - 1).last());
        }
        long sure = ending == Ending.KILL ? Long.MAX_VALUE : forcedEnd;
        List<Written> expected = visible(found.startOffset()).stream()
                .filter(batch -> batch.last() < sure)
                .toList();
        assertThat(batchesFound).as("what is sure after " + ending).containsAll(expected);
        assertWorks(healed, batchesFound);
    }

    private void assertWorks(LogRig healed, List<Written> batchesFound) throws Exception {
        SegmentedLog found = healed.log();
        found.becomeLeader(epoch + 10);
        ByteBuffer bytes = batches(1, found.end().offset());
        assertThat(found.appendAsLeader(bytes, epoch + 10)).isInstanceOf(AppendResult.Appended.class);
        List<Written> expected = new ArrayList<>(batchesFound);
        expected.addAll(parse(bytes));
        healed.scheduler.advance(LogRig.RECORDING_PERIOD);
        healed.restartCleanly();
        healed.scheduler.advance(CONFIG.retention().deleteDelay().plusMillis(1));
        assertThat(healed.failures).isEmpty();
        assertThat(readAll(healed.log())).isEqualTo(expected);
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
            String value = "batch " + batches++;
            parts[i] = Batches.at(next, epoch, Batches.of(value, "-".repeat(BATCH_BYTES - 80)));
            next = RecordBatch.at(parts[i], 0).nextOffset();
        }
        return Batches.join(parts);
    }

    private static List<Written> readAll(SegmentedLog log) {
        List<Written> found = new ArrayList<>();
        long offset = log.startOffset();
        while (offset < log.end().offset()) {
            List<Written> some = parse(LogRig.read(log, offset, 200).batches());
            if (some.isEmpty()) {
                break;
            }
            found.addAll(some);
            offset = some.get(some.size() - 1).last() + 1;
        }
        return found;
    }

    private static List<Written> parse(ByteBuffer bytes) {
        List<Written> written = new ArrayList<>();
        RecordBatches.of(bytes).forEach(batch -> written.add(Written.of(batch)));
        return written;
    }
}
