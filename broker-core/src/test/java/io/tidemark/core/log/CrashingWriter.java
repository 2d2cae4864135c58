package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.HoldingFiles;
import io.tidemark.core.testkit.ManualClock;
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

/**
 * The process that is killed: it writes a log, and forces, rolls, shortens and deletes, until it dies. It says on its standard
 * output, line by line, with which end it began ({@code began E}) and what it has forced ({@code forced E}), and before it
 * deletes records, up to where ({@code deleting E}).
 *
 * <p>Arguments: the log directory, a seed, and {@code disk}, or {@code holding} for a kill that loses what was not forced.
 */
final class CrashingWriter {
    /** Small, so that a round goes through many segments. */
    static final LogConfig CONFIG =
            LogConfig.DEFAULTS.withSegmentBytes(8 << 10).withIndex(256, 1 << 20).withDeleteDelay(Duration.ofSeconds(1));

    static final TopicPartition WRITTEN = new TopicPartition("written", 0);
    static final TopicPartition SCRATCH = new TopicPartition("scratch", 0);
    static final String VALUE = "the record at offset ";

    private static final long PRODUCER = 77;
    private static final int HELD_BYTES = 1 << 20;
    private static final int MAX_RECORDS = 24;

    private final LogDirectories directories;
    private final ManualScheduler scheduler;
    private final SeededRandomness random;
    private final OutputStream out;
    private final Log log;
    private final int epoch;
    private Log scratch;

    private CrashingWriter(Path directory, Files io, SeededRandomness random, OutputStream out) {
        this.scheduler = new ManualScheduler(new ManualClock());
        this.random = random;
        this.out = out;
        this.directories = load(directory, io, scheduler);
        this.log = directories.open(WRITTEN, LogRig.TOPIC_ID, CONFIG);
        this.epoch = log.end().lastEpoch() + 1;
        log.becomeLeader(epoch);
        this.scratch = directories.open(SCRATCH, LogRig.TOPIC_ID, CONFIG);
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

    static LogDirectories load(Path directory, Files io, ManualScheduler scheduler) {
        LogDirectories.Settings settings =
                LogDirectories.Settings.of(List.of(directory), CONFIG, LogRig.RECORDING_PERIOD);
        return LogDirectories.load(io, scheduler, settings, Runnable::run, LoadProgress.SILENT);
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
        if (dice < 80) {
            append();
        } else if (dice < 90) {
            say("forced " + log.force().offset());
        } else if (dice < 94) {
            useScratch();
        } else if (dice < 96) {
            deleteRecords();
        } else {
            // Forces of sealed segments, delayed deletions, now and then the record of recovery points.
            scheduler.advance(Duration.ofMillis(random.nextInt(random.oneIn(10) ? 61_000 : 1_500)));
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
        AppendResult result = log.appendAsLeader(Batches.join(batches), epoch);
        if (!(result instanceof AppendResult.Appended appended) || appended.lastOffset() != next - 1) {
            throw new AssertionError("append up to " + (next - 1) + ": " + result);
        }
    }

    private void deleteRecords() {
        log.committedBound(log.end().offset());
        long behind = log.end().offset() - log.startOffset();
        long offset = log.startOffset() + random.nextInt((int) behind + 1) / 2;
        say("deleting " + offset);
        log.advanceStartOffset(offset);
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
            scratch = directories.open(SCRATCH, LogRig.TOPIC_ID, CONFIG);
        } else if (random.oneIn(2)) {
            scratch.truncateFullyAndStartAt(random.nextInt(1_000));
        } else {
            scratch.truncateTo(scratch.end().offset() - random.nextInt(10));
        }
    }
}
