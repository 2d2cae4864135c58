package io.tidemark.history;

import java.util.List;

/**
 * A history as operations.
 *
 * @param operations of clients in the order of their ends, then those without one in the order of their beginnings
 * @param notes what the nemesis did, in order
 * @param eventCount how many events there were
 */
public record History(List<Operation> operations, List<HistoryEvent> notes, long eventCount) {
    public History {
        operations = List.copyOf(operations);
        notes = List.copyOf(notes);
    }

    /** Whether the recorder's bound was reached, so that the end is missing. */
    public boolean isCut() {
        return notes.stream().anyMatch(note -> note.action().f().equals(HistoryRecorder.FULL));
    }
}
