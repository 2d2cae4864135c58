package io.tidemark.core.log;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files {@code <offset, 20 digits>.snapshot} of a partition directory: written when a segment begins, under its base, and
 * on a clean stop, under the end of the log. They save a start from reading all headers and are never needed: a
 * damaged or missing one is passed over. Guarded by the log's lock.
 *
 * <p>The one of a segment's base also says how large the segment before it was, which tells a natural gap from a hole that a power
 * loss tore.
 */
final class ProducerSnapshots {
    static final String SUFFIX = ".snapshot";

    private static final Logger LOG = LoggerFactory.getLogger(ProducerSnapshots.class);
    private static final int KEPT = 2;
    private static final int MAX_BYTES = 16 << 20;

    private final Files io;
    private final Path directory;
    private boolean prunable = true;
    private @Nullable NavigableSet<Long> present;

    ProducerSnapshots(Files io, Path directory) {
        this.io = io;
        this.directory = directory;
    }

    /** Writes the file; not durable before the system gets round to it. */
    void write(long nameOffset, ProducerSnapshot snapshot) throws IOException {
        Path file = file(nameOffset);
        Path temporary = file.resolveSibling(file.getFileName() + SegmentFiles.TEMPORARY_SUFFIX);
        try (FileHandle handle = io.openForAppend(temporary)) {
            handle.truncate(0);
            handle.append(ByteBuffer.wrap(snapshot.encode()));
        }
        offsets().add(nameOffset);
        io.rename(temporary, file);
        prunable = true;
    }

    /**
     * Makes ready for {@link #allowGapBefore}; without the lock, for it waits for the disk. What takes a durable snapshot's place is
     * durable first: a torn one would make a hole of the gap.
     *
     * @return false if the snapshot of that offset allows it already, or there is none
     */
    boolean prepareGapBefore(long nameOffset) throws IOException {
        Optional<ProducerSnapshot> found = read(nameOffset);
        if (found.isEmpty() || found.get().precedingBytes() == 0) {
            return false;
        }
        ProducerSnapshot known = found.get();
        ProducerSnapshot allowing = new ProducerSnapshot(known.endOffset(), known.lastEpoch(), 0, known.producers());
        try (FileHandle handle = io.openForAppend(gapFile(nameOffset))) {
            handle.truncate(0);
            handle.append(ByteBuffer.wrap(allowing.encode()));
            handle.force();
        }
        return true;
    }

    /** The segment in front of that offset is smaller than it was, and that is right: the gap is no hole. Not durable yet. */
    void allowGapBefore(long nameOffset) throws IOException {
        io.rename(gapFile(nameOffset), file(nameOffset));
        prunable = true;
    }

    private Path gapFile(long nameOffset) {
        return directory.resolve(SegmentFiles.name(nameOffset, SUFFIX) + ".gap" + SegmentFiles.TEMPORARY_SUFFIX);
    }

    /** Makes the content of that snapshot durable, if there is one; its name is the directory's. */
    void force(long nameOffset) throws IOException {
        if (!io.exists(file(nameOffset))) {
            return;
        }
        try (FileHandle handle = io.openForAppend(file(nameOffset))) {
            handle.force();
        }
    }

    /** The directory holds these names, and its snapshots are written and deleted by this object alone from now on. */
    void known(List<String> names) {
        present = SegmentFiles.offsetsIn(names, SUFFIX);
    }

    /** The offsets that snapshots are named after; perhaps also some whose writing or deleting has failed. */
    NavigableSet<Long> offsets() throws IOException {
        NavigableSet<Long> offsets = present;
        if (offsets == null) {
            offsets = SegmentFiles.offsetsIn(io.list(directory), SUFFIX);
            present = offsets;
        }
        return offsets;
    }

    /** The snapshot of that name, unless it is missing or damaged. */
    Optional<ProducerSnapshot> read(long nameOffset) throws IOException {
        try (FileHandle handle = io.openForRead(file(nameOffset))) {
            return ProducerSnapshot.decode(handle.content(MAX_BYTES));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Deletes those named above {@code endOffset}: they know of batches that are no more. */
    void deleteAbove(long endOffset) throws IOException {
        delete(List.copyOf(offsets().tailSet(endOffset, false)));
    }

    /** Deletes all. */
    void deleteAll() throws IOException {
        delete(List.copyOf(offsets()));
    }

    /** Deletes those that a start from the recorded {@code recoveryPoint}, or a later one, has no use for. */
    void prune(long recoveryPoint) throws IOException {
        if (!prunable) {
            return;
        }
        prunable = false;
        NavigableSet<Long> offsets = offsets();
        Long needed = offsets.floor(recoveryPoint);
        if (needed != null && offsets.size() > KEPT) {
            int most = offsets.size() - KEPT;
            delete(offsets.headSet(needed, false).stream().limit(most).toList());
        }
        prunable = offsets.size() > KEPT;
    }

    private void delete(List<Long> gone) throws IOException {
        NavigableSet<Long> offsets = offsets();
        for (long offset : gone) {
            try {
                io.deleteIfThere(file(offset));
                offsets.remove(offset);
            } catch (IOException e) {
                LOG.warn("cannot delete {}", file(offset), e);
            }
        }
    }

    private Path file(long nameOffset) {
        return directory.resolve(SegmentFiles.name(nameOffset, SUFFIX));
    }
}
