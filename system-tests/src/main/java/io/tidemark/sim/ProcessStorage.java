package io.tidemark.sim;

import io.tidemark.core.checkpoint.BrokerEpochFile;
import io.tidemark.core.checkpoint.BrokerEpochStamp;
import io.tidemark.core.checkpoint.CleanShutdownMarker;
import io.tidemark.core.checkpoint.ContinuityProof;
import io.tidemark.core.checkpoint.MetaProperties;
import io.tidemark.core.checkpoint.MetaPropertiesFile;
import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.checkpoint.StoredValue;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogFlushers;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageFailureHandler;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The log directory of one process: whose it is, what it can prove, and the logs in it. Stands for {@code server.boot.Storage} and
 * does in the same order what that does, with one directory. A disk that fails is a {@link KafkaStorageException}.
 */
final class ProcessStorage {
    private final Place place;
    private final ProcessThreads threads;
    private final SimSettings settings;
    private final LogFlushers flushers;
    private String directoryId = "";
    private long continuedEpoch = BrokerRegistration.PROVES_NOTHING;
    private @Nullable LogDirectories logs;

    /**
     * Where the directory is.
     *
     * @param bootId of the machine, on which the page cache depends
     * @param files as the process meets them
     * @param slowness how much longer a force takes, at the moment
     */
    record Place(int brokerId, Path directory, String bootId, Files files, Supplier<Duration> slowness) {}

    ProcessStorage(Place place, ProcessThreads threads, SimSettings settings, StorageFailureHandler failures) {
        this.place = place;
        this.threads = threads;
        this.settings = settings;
        this.flushers = LogFlushers.onLoops(
                List.of(place.directory()),
                new SlowDiskLoops(threads, threads.randomness().fork("disk"), place.slowness()),
                failures);
    }

    /** The cluster that the directory belongs to; empty if it was never used. */
    Optional<String> clusterId() {
        return meta().map(MetaProperties::clusterId);
    }

    /** Makes the directory this broker's; answers why it is refused, or nothing. */
    Optional<String> claim(String clusterId) {
        Optional<MetaProperties> found = meta();
        if (found.isPresent()) {
            directoryId = found.get().directoryId();
            return found.get().mismatch(clusterId, place.brokerId()).map(MetaProperties.Mismatch::message);
        }
        for (String trace : traces()) {
            if (place.files().exists(place.directory().resolve(trace))) {
                return Optional.of("the log directory holds " + trace + " but no " + MetaPropertiesFile.FILE_NAME);
            }
        }
        create();
        directoryId = MetaProperties.newDirectoryId(threads.randomness().fork("directory"));
        metaFile().write(new MetaProperties(clusterId, place.brokerId(), directoryId));
        return Optional.empty();
    }

    /** Loads the logs of the claimed directory; what was proven before is taken back if they do not reach what was committed. */
    LogDirectories load() {
        continuedEpoch = provenEpoch();
        LogDirectories loaded = LogDirectories.load(
                new LogDirectories.World(
                        place.files(), threads, threads.randomness().fork("logs"), flushers),
                LogDirectories.Settings.of(List.of(place.directory()), settings.log())
                        .withRules(settings.rules()),
                Runnable::run,
                LoadProgress.SILENT);
        logs = loaded;
        if (!reachesCommitted(loaded)) {
            continuedEpoch = BrokerRegistration.PROVES_NOTHING;
        }
        if (continuedEpoch == BrokerRegistration.PROVES_NOTHING) {
            epochFile().remove();
        }
        return loaded;
    }

    private long provenEpoch() {
        ContinuityProof.Evidence evidence = new ContinuityProof.Evidence(
                directoryId,
                epochFile().read(),
                place.files().exists(place.directory().resolve(CleanShutdownMarker.FILE_NAME)));
        return ContinuityProof.continuedEpoch(List.of(evidence), Optional.of(place.bootId()))
                .orElse(BrokerRegistration.PROVES_NOTHING);
    }

    private boolean reachesCommitted(LogDirectories loaded) {
        SortedMap<TopicPartition, Long> committed = new OffsetCheckpointFile(
                        place.files(), place.directory(), OffsetCheckpointFile.Kind.HIGH_WATERMARK)
                .read()
                .value()
                .orElseGet(TreeMap::new);
        return ContinuityProof.reachesCommitted(
                committed,
                partition -> loaded.find(partition)
                        .map(log -> OptionalLong.of(log.end().offset()))
                        .orElse(OptionalLong.empty()));
    }

    /** Identity of the directory, once it is claimed. */
    String directoryId() {
        return directoryId;
    }

    /** The broker epoch whose logs these are for certain, once they are loaded. */
    long continuedEpoch() {
        return continuedEpoch;
    }

    /** What forces the logs in the background. */
    LogFlushers flushers() {
        return flushers;
    }

    BrokerEpochFile epochFile() {
        return new BrokerEpochFile(place.files(), place.directory());
    }

    /** Stamps the directory with the epoch of a registration, durably. */
    void stamp(long brokerEpoch) {
        epochFile()
                .write(new BrokerEpochStamp(
                        brokerEpoch, directoryId, Optional.of(place.bootId()), settings.flushMode()));
    }

    /** Forces everything and leaves the marker of a clean stop. */
    void close() {
        flushers.close();
        LogDirectories loaded = logs;
        if (loaded != null) {
            loaded.closeCleanly();
        }
    }

    private Optional<MetaProperties> meta() {
        StoredValue<MetaProperties> stored = metaFile().read();
        if (stored instanceof StoredValue.Damaged<MetaProperties> damaged) {
            throw new KafkaStorageException(MetaPropertiesFile.FILE_NAME + " of broker " + place.brokerId()
                    + " is damaged: " + damaged.reason());
        }
        return stored.value();
    }

    private MetaPropertiesFile metaFile() {
        return new MetaPropertiesFile(place.files(), place.directory());
    }

    private void create() {
        try {
            place.files().createDurableDirectory(place.directory());
        } catch (IOException e) {
            throw new KafkaStorageException("create the log directory", place.directory(), e);
        }
    }

    private static List<String> traces() {
        List<String> names = new ArrayList<>(List.of(BrokerEpochFile.FILE_NAME, CleanShutdownMarker.FILE_NAME));
        Arrays.stream(OffsetCheckpointFile.Kind.values())
                .map(OffsetCheckpointFile.Kind::fileName)
                .forEach(names::add);
        return names;
    }
}
