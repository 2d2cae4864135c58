package io.tidemark.core.checkpoint;

import io.tidemark.core.io.Files;
import io.tidemark.model.TopicPartition;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One offset per partition of a log directory, in one file that is replaced as a whole (S55, S61).
 *
 * <p>Each file has one writer, which passes the full map: the entries of logs that are not loaded yet are part of it
 * (S62), and an entry goes only with its log. I/O errors are {@link io.tidemark.core.runtime.KafkaStorageException}s. A
 * damaged file is moved aside and reported once; what it held is unknown, not zero, and the caller starts those logs
 * from a safe value (KNOWN_BUGS 24).
 */
public final class OffsetCheckpointFile {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetCheckpointFile.class);

    /** The four checkpoints of a log directory. */
    public enum Kind {
        /** High watermarks: the bytes of the seed, without a checksum (S56). */
        HIGH_WATERMARK("replication-offset-checkpoint", OffsetCheckpointFormat.Trailer.NONE),
        /** Up to where each log is known to be on disk and needs no check after a crash. */
        RECOVERY_POINT("recovery-point-offset-checkpoint", OffsetCheckpointFormat.Trailer.CRC32C),
        /** First offset of each log where it is not the base of its first segment. */
        LOG_START("log-start-offset-checkpoint", OffsetCheckpointFormat.Trailer.CRC32C),
        /** Up to where each log is clean. */
        CLEANER("cleaner-offset-checkpoint", OffsetCheckpointFormat.Trailer.CRC32C);

        private final String fileName;
        private final OffsetCheckpointFormat.Trailer trailer;

        Kind(String fileName, OffsetCheckpointFormat.Trailer trailer) {
            this.fileName = fileName;
            this.trailer = trailer;
        }

        /** Name of the file in its log directory. */
        public String fileName() {
            return fileName;
        }
    }

    private final AtomicFile file;
    private final Kind kind;

    public OffsetCheckpointFile(Files files, Path logDirectory, Kind kind) {
        this.file = new AtomicFile(files, logDirectory, kind.fileName);
        this.kind = kind;
    }

    /** Replaces the whole content, durably. Offsets are at least 0. */
    public synchronized void write(Map<TopicPartition, Long> offsets) {
        file.write(OffsetCheckpointFormat.encode(offsets, kind.trailer));
    }

    /** Reads the file; a damaged one is absent from then on. */
    public synchronized StoredValue<SortedMap<TopicPartition, Long>> read() {
        StoredValue<SortedMap<TopicPartition, Long>> found = peek();
        if (!(found instanceof StoredValue.Damaged<SortedMap<TopicPartition, Long>> damaged)) {
            return found;
        }
        Path movedTo = file.moveAside();
        LOG.error("{} is damaged and now called {}: {}", file.path(), movedTo.getFileName(), damaged.reason());
        return new StoredValue.Damaged<>(damaged.file(), damaged.reason(), Optional.of(movedTo));
    }

    /** Reads the file and leaves it where it is, whatever it holds: for those who only look. */
    public synchronized StoredValue<SortedMap<TopicPartition, Long>> peek() {
        Optional<byte[]> content = file.read();
        if (content.isEmpty()) {
            return new StoredValue.Absent<>();
        }
        try {
            return new StoredValue.Present<>(OffsetCheckpointFormat.decode(content.get(), kind.trailer));
        } catch (DamagedContentException e) {
            return new StoredValue.Damaged<>(file.path(), String.valueOf(e.getMessage()), Optional.empty());
        }
    }
}
