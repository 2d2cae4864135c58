package io.tidemark.core.log;

import io.tidemark.model.TopicPartition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which log the scrubber reads next, and from where: round robin in the order of partitions, each from its front to the end of
 * what is sealed. Pure; not thread-safe.
 *
 * <p>Logs may come and go: one that is gone is passed over, a new one has its turn when the round comes to it.
 */
final class ScrubCursor {
    private @Nullable TopicPartition current;
    private ScrubPoint point = ScrubPoint.FRONT;

    /**
     * The log whose turn it is, of those there are now; empty if there is none.
     *
     * @param ordered rising
     */
    Optional<Log> turn(Iterable<Log> ordered) {
        TopicPartition wanted = current;
        Log first = null;
        for (Log log : ordered) {
            first = first == null ? log : first;
            int order = wanted == null ? 1 : log.partition().compareTo(wanted);
            if (order == 0) {
                return Optional.of(log);
            }
            if (order > 0) {
                return begin(log);
            }
        }
        return first == null ? Optional.empty() : begin(first);
    }

    private Optional<Log> begin(Log log) {
        current = log.partition();
        point = ScrubPoint.FRONT;
        return Optional.of(log);
    }

    /** Where in that log. */
    ScrubPoint point() {
        return point;
    }

    /** The log was read; it goes on at {@code next}, or the next log has its turn. */
    void onRead(Iterable<Log> ordered, Optional<ScrubPoint> next) {
        if (next.isPresent()) {
            point = next.get();
            return;
        }
        point = ScrubPoint.FRONT;
        TopicPartition done = current;
        current = null;
        if (done == null) {
            return;
        }
        for (Log log : ordered) {
            if (log.partition().compareTo(done) > 0) {
                current = log.partition();
                return;
            }
        }
    }
}
