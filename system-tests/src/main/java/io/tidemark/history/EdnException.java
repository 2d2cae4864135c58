package io.tidemark.history;

/** A text is not EDN, or not an event. Stays inside this package: at its border it becomes a {@link HistoryFormat.Flaw}. */
final class EdnException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int column;

    /** Column from 1. */
    EdnException(int column, String message) {
        super(message);
        this.column = column;
    }

    int column() {
        return column;
    }
}
