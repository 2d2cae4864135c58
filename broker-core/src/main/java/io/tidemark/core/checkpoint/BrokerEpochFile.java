package io.tidemark.core.checkpoint;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.io.Files;
import io.tidemark.core.runtime.KafkaStorageException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code broker-epoch} of a log directory: text lines {@code version=1}, {@code broker.epoch}, {@code directory.id},
 * {@code boot.id} (left out where the kernel has none), {@code flush.mode} ({@code async} or {@code sync}; files of older versions
 * have none, which means async). Written durably after each registration; removed on a storage failure, and by a start that found it
 * to prove nothing, so that no later process can claim that its logs are what they were.
 */
public final class BrokerEpochFile {
    /** Name of the file in its log directory. */
    public static final String FILE_NAME = "broker-epoch";

    private static final Logger LOG = LoggerFactory.getLogger(BrokerEpochFile.class);
    private static final String BROKER_EPOCH = "broker.epoch";
    private static final String DIRECTORY_ID = "directory.id";
    private static final String BOOT_ID = "boot.id";
    private static final String FLUSH_MODE = "flush.mode";

    private final AtomicFile file;

    public BrokerEpochFile(Files files, Path logDirectory) {
        this.file = new AtomicFile(files, logDirectory, FILE_NAME);
    }

    public void write(BrokerEpochStamp stamp) {
        PropertiesText text = new PropertiesText()
                .with(BROKER_EPOCH, Long.toString(stamp.brokerEpoch()))
                .with(DIRECTORY_ID, stamp.directoryId());
        stamp.bootId().ifPresent(bootId -> text.with(BOOT_ID, bootId));
        text.with(FLUSH_MODE, nameOf(stamp.flushMode()));
        file.write(text.encode());
    }

    /** The stamp; a damaged one stays where it is until the next registration replaces it. */
    public StoredValue<BrokerEpochStamp> read() {
        Optional<byte[]> content = file.read();
        if (content.isEmpty()) {
            return new StoredValue.Absent<>();
        }
        try {
            PropertiesText text = PropertiesText.decode(content.get());
            return new StoredValue.Present<>(new BrokerEpochStamp(
                    text.requiredNumber(BROKER_EPOCH),
                    text.required(DIRECTORY_ID),
                    text.optional(BOOT_ID),
                    flushMode(text)));
        } catch (DamagedContentException e) {
            return new StoredValue.Damaged<>(file.path(), String.valueOf(e.getMessage()), Optional.empty());
        }
    }

    private static FlushMode flushMode(PropertiesText text) throws DamagedContentException {
        Optional<String> written = text.optional(FLUSH_MODE);
        if (written.isEmpty()) {
            return FlushMode.ASYNC;
        }
        for (FlushMode mode : FlushMode.values()) {
            if (written.get().equals(nameOf(mode))) {
                return mode;
            }
        }
        throw new DamagedContentException("its " + FLUSH_MODE + " is none: " + written.get());
    }

    private static String nameOf(FlushMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Removes a stamp that proves nothing, durably. Left where it is, it would vouch for what a power loss took as soon as a process
     * has stopped cleanly that never registered.
     */
    public void remove() {
        file.delete();
    }

    /**
     * Removes the stamp of a directory whose disk failed. Called while the process ends, so it does not throw.
     *
     * @return whether the stamp is certainly gone; if not, the controller must hear of the failure by other means
     */
    public boolean removeAfterFailure() {
        try {
            file.delete();
            return true;
        } catch (KafkaStorageException e) {
            LOG.error("cannot remove {}", file.path(), e);
            return false;
        }
    }
}
