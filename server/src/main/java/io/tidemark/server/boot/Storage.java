package io.tidemark.server.boot;

import io.tidemark.core.checkpoint.BootId;
import io.tidemark.core.checkpoint.BrokerEpochFile;
import io.tidemark.core.checkpoint.BrokerEpochStamp;
import io.tidemark.core.checkpoint.CleanShutdownMarker;
import io.tidemark.core.checkpoint.ContinuityProof;
import io.tidemark.core.checkpoint.KernelBootId;
import io.tidemark.core.checkpoint.MetaProperties;
import io.tidemark.core.checkpoint.MetaPropertiesFile;
import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.checkpoint.StoredValue;
import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogFlushers;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.TopicPartition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log directories of this broker: whose they are, what they can prove, and their logs. For the starting thread. */
final class Storage {
    private static final Logger LOG = LoggerFactory.getLogger(Storage.class);
    private static final int PROGRESS_EVERY = 100;

    private final BrokerConfig config;
    private final Foundation foundation;
    private final Files files;
    private final List<Path> paths;
    private final BootId bootId;
    private final LogFlushers flushers;
    private final List<String> directoryIds = new ArrayList<>();
    private long continuedEpoch = BrokerRegistration.PROVES_NOTHING;

    Storage(BrokerConfig config, Foundation foundation) {
        this.config = config;
        this.foundation = foundation;
        this.files = foundation.files();
        this.paths = config.storage().logDirectories();
        // Writes that die with the process do not outlive it on the same boot: then the boot proves nothing.
        this.bootId = config.storage().holdUnforcedWrites() ? Optional::empty : new KernelBootId(files);
        this.flushers = LogFlushers.onLoops(paths, foundation.loops(), foundation.storageFailures());
    }

    /** The cluster that the directories belong to, if any of them was used before. */
    Optional<String> clusterId() throws StartFailure {
        Optional<String> found = Optional.empty();
        for (Path path : paths) {
            Optional<MetaProperties> meta = meta(path);
            if (meta.isPresent() && found.isEmpty()) {
                found = meta.map(MetaProperties::clusterId);
            }
        }
        return found;
    }

    /**
     * Makes the directories this broker's, or refuses them: those that are somebody else's, and those that are empty but
     * {@linkplain NewDirectories not new}. Nothing is written before all are accepted.
     */
    void claim(String clusterId) throws StartFailure {
        List<Path> unclaimed = new ArrayList<>();
        List<Path> inUse = new ArrayList<>();
        for (Path path : paths) {
            Optional<MetaProperties> meta = meta(path);
            if (meta.isPresent()) {
                refuseForeign(path, meta.get(), clusterId);
                inUse.add(path);
            } else {
                unclaimed.add(path);
            }
        }
        NewDirectories fresh = new NewDirectories(files);
        if (inUse.isEmpty()) {
            fresh.begin(unclaimed);
        } else {
            for (Path path : unclaimed) {
                fresh.requirePermission(path, inUse.get(0));
            }
        }
        for (Path path : paths) {
            directoryIds.add(directoryId(path, clusterId));
            fresh.claimed(path);
        }
    }

    private String directoryId(Path path, String clusterId) throws StartFailure {
        Optional<MetaProperties> meta = meta(path);
        if (meta.isPresent()) {
            return meta.get().directoryId();
        }
        MetaProperties fresh = new MetaProperties(
                clusterId, config.brokerId(), MetaProperties.newDirectoryId(foundation.randomness()));
        new MetaPropertiesFile(files, path).write(fresh);
        return fresh.directoryId();
    }

    /** In the order of the directories. */
    List<String> directoryIds() {
        return List.copyOf(directoryIds);
    }

    List<BrokerEpochFile> epochFiles() {
        return paths.stream().map(path -> new BrokerEpochFile(files, path)).toList();
    }

    /** The broker epoch whose logs these are for certain, once they are loaded. */
    long continuedEpoch() {
        return continuedEpoch;
    }

    private long provenEpoch() {
        List<ContinuityProof.Evidence> evidence = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            evidence.add(new ContinuityProof.Evidence(
                    directoryIds.get(i),
                    new BrokerEpochFile(files, paths.get(i)).read(),
                    files.exists(paths.get(i).resolve(CleanShutdownMarker.FILE_NAME))));
        }
        return ContinuityProof.continuedEpoch(evidence, bootId.current()).orElse(BrokerRegistration.PROVES_NOTHING);
    }

    /** Whether the loaded logs are at least what was recorded as committed; only then may they continue anything. */
    private boolean reachesCommitted(LogDirectories logs) {
        for (Path path : paths) {
            SortedMap<TopicPartition, Long> committed = new OffsetCheckpointFile(
                            files, path, OffsetCheckpointFile.Kind.HIGH_WATERMARK)
                    .read()
                    .value()
                    .orElseGet(TreeMap::new);
            boolean reached = ContinuityProof.reachesCommitted(
                    committed,
                    partition -> logs.find(partition)
                            .filter(log -> log.logDirectory().equals(path))
                            .map(log -> OptionalLong.of(log.end().offset()))
                            .orElse(OptionalLong.empty()));
            if (!reached) {
                return false;
            }
        }
        return true;
    }

    /** Stamps every directory with the epoch of a registration, durably. */
    void stamp(long brokerEpoch) {
        for (int i = 0; i < paths.size(); i++) {
            new BrokerEpochFile(files, paths.get(i))
                    .write(new BrokerEpochStamp(
                            brokerEpoch,
                            directoryIds.get(i),
                            bootId.current(),
                            config.log().flush().mode()));
        }
    }

    /**
     * Loads all logs, and finds out what they continue. Where nothing is proven the stamps go: they must not vouch for these logs
     * after a clean stop of this process, should it never register.
     */
    LogDirectories load() {
        // Loading removes the markers of a clean stop.
        long proven = provenEpoch();
        LogDirectories loaded = loadAll();
        continuedEpoch = reachesCommitted(loaded) ? proven : BrokerRegistration.PROVES_NOTHING;
        if (continuedEpoch == BrokerRegistration.PROVES_NOTHING) {
            epochFiles().forEach(BrokerEpochFile::remove);
        }
        return loaded;
    }

    /** Reports progress to the log. */
    private LogDirectories loadAll() {
        int threads = Math.max(1, config.storage().recoveryThreadsPerDirectory() * paths.size());
        ExecutorService loading = Executors.newFixedThreadPool(threads);
        try {
            return LogDirectories.load(
                    new LogDirectories.World(files, foundation.scheduler(), foundation.randomness(), flushers),
                    LogDirectories.Settings.of(
                            paths, config.log(), config.storage().offsetCheckpointInterval()),
                    loading,
                    (partition, done, total) -> {
                        if (done % PROGRESS_EVERY == 0 || done == total) {
                            LOG.info("loaded {} of {} logs, last {}", done, total, partition);
                        }
                    });
        } finally {
            loading.shutdown();
        }
    }

    /** What forces the logs in the background; to be closed before them. */
    LogFlushers flushers() {
        return flushers;
    }

    private Optional<MetaProperties> meta(Path path) throws StartFailure {
        StoredValue<MetaProperties> stored = new MetaPropertiesFile(files, path).read();
        if (stored instanceof StoredValue.Damaged<MetaProperties> damaged) {
            throw new StartFailure(
                    ExitStatus.CONFIGURATION,
                    path.resolve(MetaPropertiesFile.FILE_NAME) + " is damaged: " + damaged.reason()
                            + "; restore it from a copy of the directory");
        }
        return stored instanceof StoredValue.Present<MetaProperties> present
                ? Optional.of(present.content())
                : Optional.empty();
    }

    private void refuseForeign(Path path, MetaProperties meta, String clusterId) throws StartFailure {
        Optional<MetaProperties.Mismatch> mismatch = meta.mismatch(clusterId, config.brokerId());
        if (mismatch.isPresent()) {
            throw new StartFailure(
                    ExitStatus.CONFIGURATION,
                    "log directory " + path + " is refused: " + mismatch.get().message());
        }
    }
}
