package io.tidemark.core.log;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one way in which a segment goes (S43, S51): its files are renamed at once and unlinked after {@code
 * file.delete.delay.ms} on the scheduler. The task holds the renamed files, so that it cannot hit a new file of the old name
 * (KAFKA-12964). A task that never runs, or fails, leaves its files to the sweep of the next start (S54).
 *
 * <p>Large files go one after the other with a rest in between: to unlink gigabytes at once keeps a core, and the file
 * system's journal, busy for seconds, and appends wait for both.
 */
final class DelayedDeletion {
    private static final Logger LOG = LoggerFactory.getLogger(DelayedDeletion.class);

    /** At most so much of a log is unlinked in a second, the first segment apart. */
    private static final long BYTES_PER_SECOND = 1L << 30;

    private static final long MS_PER_SECOND = 1_000;

    private final LogState state;

    /** Renamed files of one segment. */
    private record Doomed(List<Path> files, long sizeBytes) {
        Duration rest() {
            return Duration.ofMillis(sizeBytes * MS_PER_SECOND / BYTES_PER_SECOND);
        }
    }

    DelayedDeletion(LogState state) {
        this.state = state;
    }

    /**
     * Takes the segments out of service; under the log's lock, after a view without them was published or right before one is.
     *
     * @throws io.tidemark.core.runtime.KafkaStorageException if a file could not be renamed
     */
    void discard(Collection<Segment> segments) {
        Deque<Doomed> doomed = new ArrayDeque<>();
        for (Segment segment : segments) {
            long sizeBytes = segment.sizeBytes();
            List<Path> renamed = segment.remove();
            if (!renamed.isEmpty()) {
                doomed.add(new Doomed(renamed, sizeBytes));
            }
        }
        if (doomed.isEmpty()) {
            return;
        }
        Duration delay = state.config().retention().deleteDelay();
        state.afterUnlock(() -> state.scheduler.schedule(delay, () -> unlinkAll(doomed)));
    }

    private void unlinkAll(Deque<Doomed> doomed) {
        Duration rest = Duration.ZERO;
        while (!doomed.isEmpty() && rest.isZero()) {
            Doomed next = doomed.remove();
            unlink(state.space.io(), next.files());
            rest = next.rest();
        }
        if (!doomed.isEmpty()) {
            state.scheduler.schedule(rest, () -> unlinkAll(doomed));
        }
    }

    /**
     * As {@link #discard}, the last segment first and durably, so that a crash at any point leaves a prefix and nothing comes
     * back underneath what is written next.
     */
    void discardFromTheEnd(Collection<Segment> segments) throws IOException {
        if (segments.isEmpty()) {
            return;
        }
        List<Segment> lastFirst = new ArrayList<>(segments);
        Collections.reverse(lastFirst);
        discard(lastFirst);
        state.space.io().forceDirectory(state.space.directory());
    }

    static void unlink(Files io, Collection<Path> files) {
        for (Path file : files) {
            try {
                io.deleteIfThere(file);
            } catch (IOException e) {
                LOG.warn("cannot delete {}; the next start will", file, e);
            }
        }
    }
}
