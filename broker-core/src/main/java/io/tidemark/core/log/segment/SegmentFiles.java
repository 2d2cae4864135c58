package io.tidemark.core.log.segment;

import io.tidemark.core.io.Files;
import io.tidemark.core.runtime.KafkaStorageException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The names of a segment's files: its base offset in 20 digits, then {@code .log}, {@code .index} and {@code
 * .timeindex}.
 *
 * <p>A file to be deleted is renamed to {@code *.deleted} first and unlinked later (S43); {@code *.tmp} is a file that was not
 * finished. A start sweeps both. Files of a segment that is being put together have a further ending of their own.
 */
public final class SegmentFiles {
    /** Batches. */
    public static final String LOG_SUFFIX = ".log";

    /** Offset index. */
    public static final String INDEX_SUFFIX = ".index";

    /** Time index. */
    public static final String TIME_INDEX_SUFFIX = ".timeindex";

    /** Renamed, not yet unlinked. */
    public static final String DELETED_SUFFIX = ".deleted";

    /** Being written. */
    public static final String TEMPORARY_SUFFIX = ".tmp";

    /** Digits of an offset in a file name. */
    public static final int OFFSET_DIGITS = 20;

    private static final List<String> SUFFIXES = List.of(LOG_SUFFIX, INDEX_SUFFIX, TIME_INDEX_SUFFIX);

    private final Path directory;
    private final long base;
    private final String stage;

    public SegmentFiles(Path directory, long base) {
        this(directory, base, "");
    }

    private SegmentFiles(Path directory, long base, String stage) {
        this.directory = directory;
        this.base = base;
        this.stage = stage;
    }

    /** Files of a segment that is not the log's yet: the usual names and {@code stage}. */
    public static SegmentFiles staged(Path directory, long base, String stage) {
        return new SegmentFiles(directory, base, stage);
    }

    /** The file name of an offset: 20 digits and the suffix. */
    public static String name(long offset, String suffix) {
        String digits = Long.toString(offset);
        return "0".repeat(OFFSET_DIGITS - digits.length()) + digits + suffix;
    }

    /** The offset in a file name that {@link #name} could have made with this suffix. */
    public static OptionalLong offsetIn(String name, String suffix) {
        if (name.length() != OFFSET_DIGITS + suffix.length() || !name.endsWith(suffix)) {
            return OptionalLong.empty();
        }
        try {
            long offset = Long.parseLong(name, 0, OFFSET_DIGITS, 10);
            boolean isOurs = offset >= 0 && name(offset, suffix).equals(name);
            return isOurs ? OptionalLong.of(offset) : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** The offsets of all names that {@link #name} could have made with this suffix. */
    public static NavigableSet<Long> offsetsIn(Iterable<String> names, String suffix) {
        NavigableSet<Long> offsets = new TreeSet<>();
        for (String name : names) {
            offsetIn(name, suffix).ifPresent(offsets::add);
        }
        return offsets;
    }

    public long base() {
        return base;
    }

    public Path log() {
        return path(LOG_SUFFIX);
    }

    public Path index() {
        return path(INDEX_SUFFIX);
    }

    public Path timeIndex() {
        return path(TIME_INDEX_SUFFIX);
    }

    /** All files that the segment may have. */
    public List<Path> all() {
        return SUFFIXES.stream().map(this::path).toList();
    }

    /** Gives the files the names of {@code target}, the log file, without which the others are nothing, last. */
    public void renameTo(Files io, SegmentFiles target) throws IOException {
        for (String suffix : SUFFIXES) {
            if (!suffix.equals(LOG_SUFFIX) && io.exists(path(suffix))) {
                io.rename(path(suffix), target.path(suffix));
            }
        }
        io.rename(log(), target.log());
    }

    /**
     * Renames every file of the segment to {@code *.deleted}. A missing file is no error (S50).
     *
     * @return the renamed files, to be unlinked
     * @throws KafkaStorageException that names the file whose renaming failed, after all were tried (S13)
     */
    List<Path> markDeleted(Files io) {
        List<Path> renamed = new ArrayList<>();
        KafkaStorageException failure = null;
        for (String suffix : SUFFIXES) {
            failure = markDeleted(io, path(suffix), renamed, failure);
        }
        if (failure != null) {
            throw failure;
        }
        return renamed;
    }

    private static @Nullable KafkaStorageException markDeleted(
            Files io, Path file, List<Path> renamed, @Nullable KafkaStorageException before) {
        Path target = file.resolveSibling(file.getFileName() + DELETED_SUFFIX);
        try {
            io.rename(file, target);
            renamed.add(target);
        } catch (NoSuchFileException e) {
            return before;
        } catch (IOException e) {
            return before != null ? before : new KafkaStorageException("rename for deletion", file, e);
        }
        return before;
    }

    private Path path(String suffix) {
        return directory.resolve(name(base, suffix) + stage);
    }
}
