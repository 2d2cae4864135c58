package io.tidemark.history;

import java.util.Optional;

/** How events are written, one a line. Stateless; any thread. */
public interface HistoryFormat {
    /** JSON lines, the form of our own runs. */
    static HistoryFormat jsonLines() {
        return new JsonLinesFormat();
    }

    /** EDN, as Jepsen's Kafka workload has it. */
    static HistoryFormat edn() {
        return new EdnFormat();
    }

    /** What stands before the first event, if anything. */
    Optional<String> header();

    /** One line, without its end. */
    String encode(HistoryEvent event);

    /** What a line holds. Input of any kind gives an answer, never an exception. */
    Decoded decode(String line);

    /** What came of reading a line. Just one of the two is there, or neither if the line holds no event. */
    record Decoded(Optional<HistoryEvent> event, Optional<Flaw> flaw) {
        /** A header, a comment, a blank line. */
        static final Decoded NOTHING = new Decoded(Optional.empty(), Optional.empty());

        static Decoded of(HistoryEvent event) {
            return new Decoded(Optional.of(event), Optional.empty());
        }

        static Decoded bad(int column, String message) {
            return new Decoded(Optional.empty(), Optional.of(new Flaw(column, message)));
        }
    }

    /**
     * What is wrong with a line.
     *
     * @param column from 1
     */
    record Flaw(int column, String message) {}
}
