package io.tidemark.history;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** What an operation does. Values are immutable. */
public sealed interface Action {
    /** The name of the function, as histories write it: {@code send}, {@code assign}, {@code kill}. */
    String f();

    /**
     * Records are sent, polled, or both.
     *
     * @param mode what the producer was promised
     * @param rebalanced keys whose assignment moved during the operation
     * @param truncated for each key of which the client was told that the log had been cut below its position: the first
     *     offset that is no longer what it was (DESIGN section 8)
     */
    record Transfer(
            Function function,
            List<Step> steps,
            SendMode mode,
            List<Integer> rebalanced,
            SortedMap<Integer, Long> truncated)
            implements Action {
        public Transfer {
            steps = List.copyOf(steps);
            rebalanced = List.copyOf(rebalanced);
            truncated = truncated.isEmpty()
                    ? Collections.emptySortedMap()
                    : Collections.unmodifiableSortedMap(new TreeMap<>(truncated));
        }

        /** Under the strictest promise, without a rebalance or a truncation. */
        public static Transfer of(Function function, List<? extends Step> steps) {
            return new Transfer(
                    function, List.copyOf(steps), SendMode.STRICT, List.of(), Collections.emptySortedMap());
        }

        /** The same by a producer that was promised {@code other}. */
        public Transfer under(SendMode other) {
            return new Transfer(function, steps, other, rebalanced, truncated);
        }

        /** The same, during which the assignment of {@code keys} moved. */
        public Transfer rebalancing(List<Integer> keys) {
            return new Transfer(function, steps, mode, keys, truncated);
        }

        /** The same, told that logs were cut. */
        public Transfer toldOf(SortedMap<Integer, Long> cuts) {
            return new Transfer(function, steps, mode, rebalanced, cuts);
        }

        @Override
        public String f() {
            return function.label();
        }
    }

    /**
     * A consumer is given keys, which replace those it had.
     *
     * @param start where it begins to read
     */
    record Assignment(Via via, List<Integer> keys, Start start) implements Action {
        public Assignment {
            keys = List.copyOf(keys);
        }

        @Override
        public String f() {
            return via.label();
        }
    }

    /** A client drops dead. */
    record Crash() implements Action {
        public static final String F = "crash";

        @Override
        public String f() {
            return F;
        }
    }

    /**
     * Whatever else happened, above all faults: no check looks at it.
     *
     * @param value one EDN value in its canonical form, as {@link #about} makes it
     */
    record Note(String f, String value) implements Action {
        public Note {
            value = Edn.canonical(value);
        }

        /** A note about things that have names: brokers, links, files. */
        public static Note about(String f, List<String> names) {
            return new Note(f, Edn.texts(names).print());
        }
    }

    /** What a transfer is called. */
    enum Function {
        SEND,
        POLL,
        /** Sends and polls mixed. */
        TXN;

        /** As histories write it: {@code send}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a consumer comes by its keys. */
    enum Via {
        /** It was told which. */
        ASSIGN,
        /** A group gave them to it, and may take them away between two polls. */
        SUBSCRIBE;

        /** As histories write it: {@code assign}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where a consumer begins to read what it was given. */
    enum Start {
        /** Where it was, in keys that it had; else wherever the client's rules say. */
        KEPT,
        /** At the beginning of each log. */
        BEGINNING,
        /**
         * At the beginning of each log, to read it to its end: everything is healed, and what this consumer is not given
         * is gone.
         */
        FINAL_READ
    }
}
