package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.SafetyRules;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One broker's logs on a simulated disk, with one partition that tests work on. */
final class LogRig {
    static final Path DIRECTORY = Path.of("/data");
    static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    static final TopicId TOPIC_ID = new TopicId(1, 2);
    static final LogConfig CONFIG = LogConfig.DEFAULTS.withSegmentBytes(1 << 20);
    static final Duration RECORDING_PERIOD = Duration.ofSeconds(60);

    final SimDisk disk;
    final Files io;
    final List<Throwable> failures;
    ManualScheduler scheduler;
    LogDirectories directories;
    LogConfig config;
    private final SafetyRules rules;

    LogRig() {
        this(CONFIG);
    }

    LogRig(LogConfig config) {
        this(config, new SimDisk());
    }

    LogRig(LogConfig config, SimDisk disk) {
        this(config, disk, disk);
    }

    /**
     * @param io decorates {@code disk}
     */
    LogRig(LogConfig config, SimDisk disk, Files io) {
        this(config, disk, io, new ArrayList<>());
    }

    /**
     * @param failures takes what tasks of the scheduler fail with
     */
    LogRig(LogConfig config, SimDisk disk, Files io, List<Throwable> failures) {
        this(config, disk, io, failures, SafetyRules.ALL);
    }

    private LogRig(LogConfig config, SimDisk disk, Files io, List<Throwable> failures, SafetyRules rules) {
        this.rules = rules;
        this.failures = failures;
        this.config = config;
        this.disk = disk;
        this.io = io;
        start();
    }

    /** Logs that keep these rules only. */
    static LogRig under(SafetyRules rules, LogConfig config) {
        SimDisk disk = new SimDisk();
        return new LogRig(config, disk, disk, new ArrayList<>(), rules);
    }

    /** Starts the broker; what the one before had scheduled is forgotten, and the wall clock goes on. */
    void start() {
        ManualClock clock = scheduler == null
                ? new ManualClock()
                : new ManualClock(scheduler.clock().wallMs(), 0);
        scheduler = new ManualScheduler(clock, (runner, failure) -> failures.add(failure));
        LogDirectories.Settings settings =
                new LogDirectories.Settings(List.of(DIRECTORY), config, RECORDING_PERIOD, 4, 4, rules);
        directories = LogDirectories.load(io, scheduler, settings, Runnable::run, LoadProgress.SILENT);
    }

    /** The partition's log. */
    SegmentedLog log() {
        return (SegmentedLog) directories.open(PARTITION, TOPIC_ID, config);
    }

    Path partitionDirectory() {
        return DIRECTORY.resolve(PARTITION.toString());
    }

    void restartCleanly() {
        directories.closeCleanly();
        start();
    }

    /** kill -9: nothing that was written is lost. */
    void crash() {
        disk.processCrash();
        start();
    }

    /** Names in the partition's directory that end with {@code suffix}. */
    List<String> filesWith(String suffix) throws Exception {
        return io.list(partitionDirectory()).stream()
                .filter(name -> name.endsWith(suffix))
                .toList();
    }

    /** Leaves the partition without any producer snapshot. */
    void deleteSnapshots() throws Exception {
        for (String name : filesWith(".snapshot")) {
            io.delete(partitionDirectory().resolve(name));
        }
    }

    /** A log that leads in epoch 0. */
    SegmentedLog leader() {
        SegmentedLog log = log();
        log.becomeLeader(0);
        return log;
    }

    static AppendResult.Appended append(Log log, int epoch, ByteBuffer batches) {
        return (AppendResult.Appended) log.appendAsLeader(batches, epoch);
    }

    static AppendResult.Appended copy(Log log, int epoch, ByteBuffer batches) {
        return (AppendResult.Appended) log.appendAsFollower(batches, epoch);
    }

    static ReadResult.Data read(Log log, long offset) {
        return read(log, offset, 1 << 20);
    }

    static ReadResult.Data read(Log log, long offset, int maxBytes) {
        return (ReadResult.Data) ask(log, offset, maxBytes);
    }

    /** As {@link #read(Log, long)}, whatever the answer is. */
    static ReadResult ask(Log log, long offset) {
        return ask(log, offset, 1 << 20);
    }

    static ReadResult ask(Log log, long offset, int maxBytes) {
        return log.read(new ReadRequest(offset, maxBytes, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH));
    }

    /** The outline of everything from the start to the end. */
    static List<String> outline(Log log) {
        List<String> outline = new ArrayList<>();
        long offset = log.startOffset();
        while (offset < log.end().offset()) {
            List<String> batches = Batches.outline(read(log, offset).batches());
            if (batches.isEmpty()) {
                break;
            }
            outline.addAll(batches);
            String last = batches.get(batches.size() - 1);
            offset = Long.parseLong(last.substring(last.indexOf('-') + 1, last.indexOf('@'))) + 1;
        }
        return outline;
    }
}
