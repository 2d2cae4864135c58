package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.cleaner.CleanerTarget;
import io.tidemark.core.log.segment.ResourceCache;
import io.tidemark.core.log.segment.SegmentSpace;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.SafetyRules;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Randomness;
import io.tidemark.runtime.Scheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of one broker in the directories of {@code log.dirs}: loads them, keeps record of how far they are durable, creates and
 * deletes them, and closes them.
 *
 * <p>Thread-safe; look-ups take no lock. Opening, deleting and closing exclude each other and may wait for the disk. Every failure
 * of a disk is a {@link KafkaStorageException}.
 */
public final class LogDirectories implements LogRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(LogDirectories.class);

    private final Files io;
    private final Scheduler scheduler;
    private final Randomness randomness;
    private final Settings settings;
    private final LogFlushers flushers;
    private final ResourceCache descriptors;
    private final ResourceCache mappings;
    private final List<LogDirectory> directories;
    private final ConcurrentSkipListMap<TopicPartition, SegmentedLog> logs = new ConcurrentSkipListMap<>();
    private final Cancellable recording;
    private boolean closed;

    /**
     * How the directories are used.
     *
     * @param paths the directories, in the order of {@code log.dirs}; at least one
     * @param defaults settings of a log until {@link #open} gives it its own
     * @param recordingPeriod between two records of recovery points ({@code log.flush.offset.checkpoint.interval.ms})
     * @param maxIdleFiles log files that stay open beside the active segments', over all logs
     * @param maxMappings index files that stay mapped, over all logs
     * @param rules that are kept: all of them in a broker
     */
    public record Settings(
            List<Path> paths,
            LogConfig defaults,
            Duration recordingPeriod,
            int maxIdleFiles,
            int maxMappings,
            SafetyRules rules) {
        private static final Duration DEFAULT_RECORDING_PERIOD = Duration.ofSeconds(60);
        private static final int DEFAULT_MAX_IDLE_FILES = 1_000;
        private static final int DEFAULT_MAX_MAPPINGS = 4_000;

        /** Copies the list. */
        public Settings {
            paths = List.copyOf(paths);
            if (paths.isEmpty()) {
                throw new IllegalArgumentException("at least one log directory is needed");
            }
        }

        /** With every safety rule. */
        public Settings(
                List<Path> paths, LogConfig defaults, Duration recordingPeriod, int maxIdleFiles, int maxMappings) {
            this(paths, defaults, recordingPeriod, maxIdleFiles, maxMappings, SafetyRules.ALL);
        }

        /** The same under other rules. */
        public Settings withRules(SafetyRules kept) {
            return new Settings(paths, defaults, recordingPeriod, maxIdleFiles, maxMappings, kept);
        }

        /** Everything but the directories as operators expect it. */
        public static Settings of(List<Path> paths, LogConfig defaults) {
            return of(paths, defaults, DEFAULT_RECORDING_PERIOD);
        }

        /** The same with another recording period. */
        public static Settings of(List<Path> paths, LogConfig defaults, Duration recordingPeriod) {
            return new Settings(paths, defaults, recordingPeriod, DEFAULT_MAX_IDLE_FILES, DEFAULT_MAX_MAPPINGS);
        }
    }

    /**
     * What the directories live on.
     *
     * @param randomness the jitter of segments
     * @param flushers of the same directories; closed by their owner, before these
     */
    public record World(Files io, Scheduler scheduler, Randomness randomness, LogFlushers flushers) {}

    /**
     * {@link #load(World, Settings, Executor, LoadProgress)} for logs whose segments have no jitter, without threads for background
     * forces: the scheduler does those that the logs' settings ask for.
     */
    public static LogDirectories load(
            Files io, Scheduler scheduler, Settings settings, Executor loading, LoadProgress progress) {
        LogFlushers flushers = LogFlushers.onScheduler(settings.paths(), scheduler);
        return load(new World(io, scheduler, new NoJitter(), flushers), settings, loading, progress);
    }

    /**
     * Takes the directories and loads every log in them; returns when all are loaded. If a disk fails on the way the
     * directories prove nothing any more about what they held (DESIGN section 6): their {@code broker-epoch} files go.
     *
     * @param loading runs the loading of logs, as many at a time as it likes; {@code Runnable::run} does it one by one
     * @throws KafkaStorageException if a directory is in use by somebody else, or any log cannot be loaded
     */
    public static LogDirectories load(World world, Settings settings, Executor loading, LoadProgress progress) {
        LogDirectories registry = new LogDirectories(world, settings);
        try {
            registry.loadAll(loading, progress);
            return registry;
        } catch (RuntimeException e) {
            registry.directories.forEach(LogDirectory::provesNothing);
            registry.closeAtOnce();
            throw e;
        }
    }

    private static final class NoJitter implements Randomness {
        @Override
        public int nextInt(int boundExclusive) {
            return 0;
        }

        @Override
        public long nextLong() {
            return 0;
        }
    }

    private LogDirectories(World world, Settings settings) {
        this.io = world.io();
        this.scheduler = world.scheduler();
        this.randomness = world.randomness();
        this.flushers = world.flushers();
        this.settings = settings;
        this.directories = takeAll(io, settings.paths());
        this.descriptors = new ResourceCache(settings.maxIdleFiles());
        this.mappings = new ResourceCache(settings.maxMappings());
        this.recording = scheduler.scheduleEvery(settings.recordingPeriod(), this::recordAll);
    }

    @Override
    public Optional<Log> find(TopicPartition partition) {
        return Optional.ofNullable(logs.get(partition));
    }

    @Override
    public List<Log> logs() {
        return List.copyOf(logs.values());
    }

    /** All loaded logs as the cleaner sees them, ordered by partition. */
    public List<CleanerTarget> cleanerTargets() {
        return logs.values().stream()
                .map(log -> new CleanerTarget(log.cleaning(), directoryOf(log).cleanerCheckpoint()))
                .toList();
    }

    @Override
    public List<Path> directories() {
        return settings.paths();
    }

    @Override
    public synchronized Log open(TopicPartition partition, TopicId topicId, LogConfig config) {
        requireOpen();
        SegmentedLog existing = logs.get(partition);
        if (existing != null && existing.topicId().equals(topicId)) {
            existing.reconfigure(config);
            return existing;
        }
        if (existing != null) {
            setAside(existing);
        }
        LogDirectory directory = emptiest();
        Path path = directory.create(partition, topicId);
        LogContext context = context(directory, partition, topicId, path, config);
        SegmentedLog created = new LogLoader(context, LogLoader.Start.NEW).load();
        logs.put(partition, created);
        return created;
    }

    @Override
    public synchronized boolean delete(TopicPartition partition, TopicId topicId) {
        requireOpen();
        SegmentedLog log = logs.get(partition);
        if (log == null || !log.topicId().equals(topicId)) {
            return false;
        }
        logs.remove(partition);
        Duration delay = log.config().retention().deleteDelay();
        log.closeAtOnce();
        LogDirectory directory = directoryOf(log);
        Path renamed = directory.rename(partition.toString(), PartitionDirectoryName.deleted(partition, topicId));
        directory.forget(partition);
        scheduler.schedule(delay, () -> directory.deleteTree(renamed));
        return true;
    }

    @Override
    public synchronized void closeCleanly() {
        if (closed) {
            return;
        }
        closed = true;
        recording.cancel();
        try {
            logs.values().forEach(SegmentedLog::closeDurably);
            for (LogDirectory directory : directories) {
                directory.record(logsIn(directory));
                directory.markClean();
            }
        } catch (RuntimeException e) {
            directories.forEach(LogDirectory::provesNothing);
            throw e;
        } finally {
            letGo();
        }
    }

    /** Closes everything as it is, without a clean-shutdown marker: a disk has failed. Idempotent. */
    public synchronized void closeAtOnce() {
        if (closed) {
            return;
        }
        closed = true;
        recording.cancel();
        letGo();
    }

    private void letGo() {
        logs.values().forEach(SegmentedLog::closeAtOnce);
        directories.forEach(LogDirectory::release);
    }

    /** All are locked before the first marker of a clean stop goes: a start that finds one in use has used up nothing. */
    private static List<LogDirectory> takeAll(Files io, List<Path> paths) {
        List<LogDirectory.Claim> claims = new ArrayList<>();
        try {
            for (Path path : paths) {
                claims.add(LogDirectory.claim(io, path));
            }
            return claims.stream().map(LogDirectory.Claim::take).toList();
        } catch (RuntimeException e) {
            claims.forEach(LogDirectory.Claim::release);
            throw e;
        }
    }

    private void loadAll(Executor loading, LoadProgress progress) {
        List<FoundLog> found = new ArrayList<>();
        for (LogDirectory directory : directories) {
            PartitionDirectories inside = new PartitionDirectories(io, directory);
            found.addAll(inside.logs());
            inside.obsolete().forEach(path -> scheduler.schedule(Duration.ZERO, () -> directory.deleteTree(path)));
        }
        new ParallelLoad(loading, progress).run(found, this::load);
        LOG.info("loaded {} logs from {}", logs.size(), settings.paths());
    }

    private void load(FoundLog found) {
        LogContext context =
                context(found.directory(), found.partition(), found.topicId(), found.path(), settings.defaults());
        SegmentedLog log = new LogLoader(context, found.directory().startOf(found.partition())).load();
        SegmentedLog other = logs.putIfAbsent(found.partition(), log);
        if (other != null) {
            log.closeAtOnce();
            throw new KafkaStorageException("there are two logs of " + found.partition() + ": in "
                    + other.logDirectory() + " and in " + log.logDirectory()
                    + "; one of the two is stale: compare both with"
                    + " another replica and move the stale one away");
        }
    }

    private LogContext context(
            LogDirectory directory, TopicPartition partition, TopicId topicId, Path path, LogConfig config) {
        SegmentSpace space = new SegmentSpace(io, path, descriptors, mappings);
        return new LogContext(
                partition,
                topicId,
                directory.path(),
                space,
                scheduler,
                randomness,
                config,
                directory,
                flushers.of(directory.path()),
                settings.rules());
    }

    private void setAside(SegmentedLog log) {
        log.closeDurably();
        logs.remove(log.partition());
        LogDirectory directory = directoryOf(log);
        Path stray = directory.rename(
                log.partition().toString(),
                PartitionDirectoryName.stray(log.partition(), log.topicId().toString()));
        directory.forget(log.partition());
        LOG.warn("a log of another topic of the same name was set aside: {}", stray);
    }

    private synchronized void recordAll() {
        if (!closed) {
            directories.forEach(this::record);
        }
    }

    private void record(LogDirectory directory) {
        Collection<SegmentedLog> inside = logsIn(directory);
        directory.record(inside);
        inside.forEach(log -> log.onRecoveryPointRecorded(directory.recoveryPointOf(log.partition())));
    }

    private Collection<SegmentedLog> logsIn(LogDirectory directory) {
        return logs.values().stream()
                .filter(log -> log.logDirectory().equals(directory.path()))
                .toList();
    }

    private LogDirectory directoryOf(SegmentedLog log) {
        return directories.stream()
                .filter(directory -> directory.path().equals(log.logDirectory()))
                .findFirst()
                .orElseThrow();
    }

    private LogDirectory emptiest() {
        return directories.stream()
                .min(Comparator.comparingInt(directory -> logsIn(directory).size()))
                .orElseThrow();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the log directories are closed");
        }
    }
}
