package io.tidemark.core.log.cleaner;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a cleaned segment in the place of old ones by renames, so that a crash at any point leaves the old ones or the new one.
 *
 * <pre>
 * step                                                  a start after a crash behind it
 * 1 write and force base.log.END.cleaned and indexes    deletes them: old
 * 2 rename to base.log.END.swap, the log file last,     finishes: deletes what is left of the segments from base to
 *   and force the directory                             below END, renames as in step 4: new
 * 3 rename the old segments' files to *.deleted, and    finishes: new
 *   force the directory
 * 4 rename to base.log, the log file last               new; a missing index is rebuilt
 * </pre>
 *
 * <p>END is the base of the segment behind those that are replaced, in 20 digits: the names alone say what belongs together. Each
 * force makes sure that no rename of the step before is lost while one behind it is kept.
 */
public final class SegmentSwap {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentSwap.class);
    private static final String CLEANED_SUFFIX = ".cleaned";
    private static final String SWAP_SUFFIX = ".swap";

    private SegmentSwap() {}

    /** The files to write what takes the place of the segments from {@code base} to below {@code endBase}. */
    static SegmentFiles cleaned(Path directory, long base, long endBase) {
        return SegmentFiles.staged(directory, base, stage(endBase, CLEANED_SUFFIX));
    }

    /**
     * Step 2 without the force, for the files of {@link #cleaned}, which are durable: from now on a start may finish the swap.
     *
     * @return the files' new names
     */
    public static SegmentFiles commit(Files io, Path directory, long base, long endBase) throws IOException {
        SegmentFiles swap = SegmentFiles.staged(directory, base, stage(endBase, SWAP_SUFFIX));
        cleaned(directory, base, endBase).renameTo(io, swap);
        return swap;
    }

    /** Takes step 2 back, durably; the old segments are still there. */
    public static void revoke(Files io, Path directory, SegmentFiles swap) throws IOException {
        io.deleteIfThere(swap.log());
        deleteAll(io, swap);
        io.forceDirectory(directory);
    }

    /** Deletes files that were not swapped; what fails is left to the next start. */
    static void discard(Files io, SegmentFiles cleaned) {
        cleaned.all().forEach(file -> unlink(io, file));
    }

    private static void unlink(Files io, Path file) {
        try {
            io.deleteIfThere(file);
        } catch (IOException e) {
            LOG.warn("cannot delete {}; the next start will", file, e);
        }
    }

    /**
     * Finishes or undoes the swaps that a crash broke off in the directory of a log that nobody has loaded.
     *
     * @param names what the directory holds
     * @return what it holds then
     */
    public static List<String> recover(Files io, Path directory, List<String> names) throws IOException {
        if (names.stream().noneMatch(SegmentSwap::isStaged)) {
            return names;
        }
        for (String name : names) {
            OptionalLong base = SegmentFiles.offsetIn(start(name), SegmentFiles.LOG_SUFFIX);
            OptionalLong end = endIn(name);
            if (base.isPresent() && end.isPresent()) {
                finish(io, directory, base.getAsLong(), end.getAsLong());
            }
        }
        for (String name : io.list(directory)) {
            if (isStaged(name)) {
                unlink(io, directory.resolve(name));
            }
        }
        return io.list(directory);
    }

    private static boolean isStaged(String name) {
        return name.endsWith(CLEANED_SUFFIX) || name.endsWith(SWAP_SUFFIX);
    }

    private static void finish(Files io, Path directory, long base, long endBase) throws IOException {
        LOG.info("finishing the cleaning of segments {} to below {} of {}", base, endBase, directory);
        NavigableSet<Long> bases = SegmentFiles.offsetsIn(io.list(directory), SegmentFiles.LOG_SUFFIX);
        for (long old : bases.subSet(base, true, endBase, false)) {
            deleteAll(io, new SegmentFiles(directory, old));
        }
        deleteAll(io, new SegmentFiles(directory, base));
        io.forceDirectory(directory);
        SegmentFiles.staged(directory, base, stage(endBase, SWAP_SUFFIX))
                .renameTo(io, new SegmentFiles(directory, base));
        io.forceDirectory(directory);
    }

    private static void deleteAll(Files io, SegmentFiles files) throws IOException {
        for (Path file : files.all()) {
            io.deleteIfThere(file);
        }
    }

    private static String stage(long endBase, String suffix) {
        return "." + SegmentFiles.name(endBase, suffix);
    }

    /** The name up to and with {@code .log}, if it could be that of a swapped log file. */
    private static String start(String name) {
        int length = SegmentFiles.OFFSET_DIGITS + SegmentFiles.LOG_SUFFIX.length();
        return name.length() > length ? name.substring(0, length) : "";
    }

    private static OptionalLong endIn(String name) {
        int length = SegmentFiles.OFFSET_DIGITS + SegmentFiles.LOG_SUFFIX.length() + 1;
        return name.length() > length
                ? SegmentFiles.offsetIn(name.substring(length), SWAP_SUFFIX)
                : OptionalLong.empty();
    }
}
