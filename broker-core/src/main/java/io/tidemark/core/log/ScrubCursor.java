package io.tidemark.core.log;

import io.tidemark.model.TopicPartition;
import java.util.List;
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
    Optional<Log> turn(List<Log> ordered) {
        if (ordered.isEmpty()) {
            return Optional.empty();
        }
        TopicPartition wanted = current;
        int at = wanted == null ? 0 : firstNotBefore(ordered, wanted);
        Log log = ordered.get(at < ordered.size() ? at : 0);
        return log.partition().equals(wanted) ? Optional.of(log) : begin(log);
    }

    /** By halving: there may be thousands, and an idle round takes a turn of each. */
    private static int firstNotBefore(List<Log> ordered, TopicPartition wanted) {
        int low = 0;
        int high = ordered.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ordered.get(middle).partition().compareTo(wanted) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
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
    void onRead(List<Log> ordered, Optional<ScrubPoint> next) {
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
        int at = firstNotBefore(ordered, done);
        int behind = at < ordered.size() && ordered.get(at).partition().equals(done) ? at + 1 : at;
        if (behind < ordered.size()) {
            current = ordered.get(behind).partition();
        }
    }
}
