package io.tidemark.core.log;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one way in which a segment goes (S43, S51): its files are renamed at once and unlinked after {@code
 * file.delete.delay.ms} on the scheduler. The task holds the renamed files, so that it cannot hit a new file of the old name
 * (KAFKA-12964). A task that never runs, or fails, leaves its files to the sweep of the next start (S54).
 */
final class DelayedDeletion {
    private static final Logger LOG = LoggerFactory.getLogger(DelayedDeletion.class);

    private final LogState state;

    DelayedDeletion(LogState state) {
        this.state = state;
    }

    /**
     * Takes the segments out of service; under the log's lock, after a view without them was published or right before one is.
     *
     * @throws io.tidemark.core.runtime.KafkaStorageException if a file could not be renamed
     */
    void discard(Collection<Segment> segments) {
        List<Path> renamed = new ArrayList<>();
        for (Segment segment : segments) {
            renamed.addAll(segment.remove());
        }
        if (renamed.isEmpty()) {
            return;
        }
        Files io = state.space.io();
        Duration delay = state.config().retention().deleteDelay();
        state.afterUnlock(() -> state.scheduler.schedule(delay, () -> unlink(io, renamed)));
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
