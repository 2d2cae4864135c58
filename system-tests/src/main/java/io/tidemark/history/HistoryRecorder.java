package io.tidemark.history;

import io.tidemark.runtime.Clock;
import java.util.List;

/**
 * Gives events their index and time and passes them on. Thread-safe: the order of the calls is the order of the history,
 * so whoever calls records a beginning before the operation can have any effect, and an end after it can have no more.
 *
 * <p>Bounded: behind {@code maxEvents} events it records one note, {@link #FULL}, and then nothing. A history that was cut
 * is never judged valid.
 */
public final class HistoryRecorder {
    /** What {@link #record} answers for an event that found no room. */
    public static final long NOT_RECORDED = -1;

    /** The name of the note by which a history says that its end is missing. */
    public static final String FULL = "recorder-full";

    private final Clock clock;
    private final EventSink sink;
    private final long maxEvents;
    private final long startNs;
    private long nextIndex;

    /** Time is counted from now on. */
    public HistoryRecorder(Clock clock, EventSink sink, long maxEvents) {
        if (maxEvents <= 0) {
            throw new IllegalArgumentException("a recorder has room for something: " + maxEvents);
        }
        this.clock = clock;
        this.sink = sink;
        this.maxEvents = maxEvents;
        this.startNs = clock.monotonicNs();
    }

    /** The index of the new event, or {@link #NOT_RECORDED}. */
    public long record(Phase phase, int process, Action action) {
        return record(phase, process, action, "");
    }

    /** The index of the new event, or {@link #NOT_RECORDED}; with why it failed or is unknown. */
    public synchronized long record(Phase phase, int process, Action action, String error) {
        if (nextIndex > maxEvents) {
            return NOT_RECORDED;
        }
        if (nextIndex == maxEvents) {
            pass(Phase.INFO, HistoryEvent.NEMESIS, Action.Note.about(FULL, List.of()), "");
            return NOT_RECORDED;
        }
        return pass(phase, process, action, error);
    }

    /** A fault or another thing worth a note, about what has these names. */
    public long note(String f, List<String> names) {
        return record(Phase.INFO, HistoryEvent.NEMESIS, Action.Note.about(f, names));
    }

    private long pass(Phase phase, int process, Action action, String error) {
        long index = nextIndex++;
        sink.accept(new HistoryEvent(index, clock.monotonicNs() - startNs, phase, process, action, error));
        return index;
    }
}
