package io.tidemark.core.log;

import io.tidemark.core.config.CleanerConfig;
import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.FlushConfig;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.HoldingFiles;
import io.tidemark.core.log.cleaner.LogCleaner;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.ProducerStamp;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The process that is killed: it writes a log, and forces, rolls, shortens and deletes, while another log is compacted and a third
 * one comes and goes, until it dies. It says on its standard output, line by line:
 *
 * <pre>
 * loading N    it has loaded N logs
 * began E      with which end the log began
 * forced E     up to where the log is forced
 * deleting E   records up to there may go from now on
 * deleted E    records up to there are gone for good
 * keyed E      up to where the compacted log is forced
 * </pre>
 *
 * <p>Arguments: the log directory, a seed, and {@code disk}, or {@code holding} for a kill that loses what was not forced.
 */
final class CrashingWriter {
    /** Small, so that a round goes through many segments. */
    static final LogConfig CONFIG =
            LogConfig.DEFAULTS.withSegmentBytes(8 << 10).withIndex(256, 1 << 20).withDeleteDelay(Duration.ofSeconds(1));

    static final LogConfig COMPACTED = CONFIG.with(CONFIG.compaction()
            .withPolicy(CleanupPolicy.COMPACT)
            .withMinDirtyRatio(0.1)
            .withDeleteRetention(Duration.ofSeconds(3)));

    static final TopicPartition WRITTEN = new TopicPartition("written", 0);
    static final TopicPartition KEYED = new TopicPartition("keyed", 0);
    static final TopicPartition SCRATCH = new TopicPartition("scratch", 0);
    static final String VALUE = "the record at offset ";

    private static final LogConfig FLUSHED =
            CONFIG.with(FlushConfig.DEFAULTS.withEvery(15, Optional.of(Duration.ofMillis(500))));
    private static final CleanerConfig CLEANER =
            new CleanerConfig(1, 1 << 16, 8 << 10, Long.MAX_VALUE, Duration.ofMillis(300));
    private static final long PRODUCER = 77;
    private static final int HELD_BYTES = 1 << 20;
    private static final int MAX_RECORDS = 24;

    private final LogDirectories directories;
    private final ManualEventLoops loops;
    private final LogCleaner cleaner;
    private final SeededRandomness random;
    private final OutputStream out;
    private final Log log;
    private final Log keyed;
    private final int epoch;
    private Log scratch;

    private CrashingWriter(Path directory, Files io, SeededRandomness random, OutputStream out) {
        ManualScheduler scheduler = new ManualScheduler(new ManualClock());
        this.loops = new ManualEventLoops(scheduler);
        this.random = random;
        this.out = out;
        say("loading 0");
        this.directories = load(directory, io, scheduler, (partition, done, total) -> say("loading " + done));
        this.log = directories.open(WRITTEN, LogRig.TOPIC_ID, CONFIG);
        this.keyed = directories.open(KEYED, LogRig.TOPIC_ID, COMPACTED);
        this.scratch = directories.open(SCRATCH, LogRig.TOPIC_ID, FLUSHED);
        this.epoch = Math.max(log.end().lastEpoch(), keyed.end().lastEpoch()) + 1;
        log.becomeLeader(epoch);
        keyed.becomeLeader(epoch);
        this.cleaner = new LogCleaner(
                CLEANER,
                new LogCleaner.World(scheduler.clock(), loops, failure -> {
                    throw failure;
                }),
                directories::cleanerTargets);
        cleaner.start();
    }

    /** Runs until it is killed. */
    public static void main(String[] arguments) {
        Files disk = new DiskFiles();
        Files io = arguments[2].equals("holding") ? new HoldingFiles(disk, HELD_BYTES) : disk;
        SeededRandomness random = new SeededRandomness(Long.parseLong(arguments[1]));
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        // What is logged must not get between the lines.
        System.setOut(System.err);
        new CrashingWriter(Path.of(arguments[0]), io, random, out).writeForEver();
    }

    static LogDirectories load(Path directory, Files io, ManualScheduler scheduler, LoadProgress progress) {
        LogDirectories.Settings settings =
                LogDirectories.Settings.of(List.of(directory), CONFIG, LogRig.RECORDING_PERIOD);
        return LogDirectories.load(io, scheduler, settings, Runnable::run, progress);
    }

    private void writeForEver() {
        say("began " + log.end().offset());
        while (true) {
            step();
        }
    }

    /** In one write, so that no line comes out by half. */
    private void say(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 60) {
            append();
        } else if (dice < 70) {
            say("forced " + log.force().offset());
        } else if (dice < 86) {
            appendKeyed();
        } else if (dice < 90) {
            useScratch();
        } else if (dice < 92) {
            deleteRecords();
        } else if (dice < 94) {
            retain();
        } else {
            pass(Duration.ofMillis(random.nextInt(random.oneIn(10) ? 61_000 : 1_500)));
        }
    }

    /** Forces in the background, delayed deletions and the cleaner's passes, now and then the record of recovery points. */
    private void pass(Duration time) {
        loops.advance(time);
        if (cleaner.uncleanablePartitions() + cleaner.deadThreads() > 0) {
            throw new AssertionError("the cleaner has given up");
        }
    }

    /** The value of a record is its offset, and so is its producer's sequence number. */
    private void append() {
        ByteBuffer[] batches = new ByteBuffer[1 + random.nextInt(3)];
        long next = log.end().offset();
        for (int i = 0; i < batches.length; i++) {
            String[] values = new String[1 + random.nextInt(MAX_RECORDS)];
            for (int k = 0; k < values.length; k++) {
                values[k] = VALUE + (next + k);
            }
            batches[i] = Batches.of(new ProducerStamp(PRODUCER, (short) 0, (int) next), values);
            next += values.length;
        }
        requireAppended(log.appendAsLeader(Batches.join(batches), epoch), next - 1);
    }

    private static void requireAppended(AppendResult result, long lastOffset) {
        if (!(result instanceof AppendResult.Appended appended) || appended.lastOffset() != lastOffset) {
            throw new AssertionError("append up to " + lastOffset + ": " + result);
        }
    }

    private void appendKeyed() {
        int batches = 1 + random.nextInt(6);
        for (int i = 0; i < batches; i++) {
            long offset = keyed.end().offset();
            int count = 1 + random.nextInt(MAX_RECORDS);
            requireAppended(keyed.appendAsLeader(KeyedRecords.batch(offset, count), epoch), offset + count - 1);
        }
        if (random.oneIn(2)) {
            keyed.committedBound(keyed.end().offset());
        }
        if (random.oneIn(3)) {
            say("keyed " + keyed.force().offset());
        }
    }

    private void deleteRecords() {
        log.committedBound(log.end().offset());
        long offset = someOffset();
        say("deleting " + offset);
        log.advanceStartOffset(offset);
    }

    /** By size; and segments that lie below the start. */
    private void retain() {
        long bound = someOffset();
        log.committedBound(bound);
        log.reconfigure(CONFIG.with(CONFIG.retention().withLimits(-1, random.nextInt(100_000))));
        say("deleting " + bound);
        if (!log.applyRetention(0).isNothing()) {
            say("deleted " + log.startOffset());
        }
    }

    private long someOffset() {
        long behind = log.end().offset() - log.startOffset();
        return log.startOffset() + random.nextInt((int) behind + 1) / 2;
    }

    /** Segments of another log come and go. */
    private void useScratch() {
        int scratchEpoch = Math.max(0, scratch.end().lastEpoch());
        scratch.becomeLeader(scratchEpoch);
        for (int i = 0; i < 10; i++) {
            scratch.appendAsLeader(Batches.ofSize(1_500), scratchEpoch);
        }
        if (random.oneIn(3)) {
            directories.delete(SCRATCH, LogRig.TOPIC_ID);
            scratch = directories.open(SCRATCH, LogRig.TOPIC_ID, FLUSHED);
        } else if (random.oneIn(2)) {
            scratch.truncateFullyAndStartAt(random.nextInt(1_000));
        } else {
            scratch.truncateTo(scratch.end().offset() - random.nextInt(10));
        }
    }
}
