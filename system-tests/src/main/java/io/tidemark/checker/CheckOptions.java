package io.tidemark.checker;

import io.tidemark.history.Action.Via;

/**
 * Under which rules a history is judged.
 *
 * @param rules which anomalies are looked for
 * @param subVia how consumers come by their keys: with {@link Via#SUBSCRIBE} a group may move them between two polls, and
 *     jumps between polls are allowed
 * @param writeOrder whether the order of writes makes edges of the dependency graph
 * @param maxCases how many cases of each kind are kept; all are counted
 */
public record CheckOptions(Rules rules, Via subVia, WriteOrder writeOrder, int maxCases) {
    /** All anomalies, assigned consumers, and the stricter reading of what circular information flow is. */
    public static final CheckOptions STRICT = new CheckOptions(Rules.ALL, Via.ASSIGN, WriteOrder.IGNORED, 1_000);

    public CheckOptions {
        if (maxCases <= 0) {
            throw new IllegalArgumentException("maxCases is positive: " + maxCases);
        }
    }

    /** Which anomalies are looked for. */
    public enum Rules {
        /** Those of {@link AnomalyKind.Origin#KAFKA} alone. */
        KAFKA_WORKLOAD,
        /** All. */
        ALL
    }

    /** Whether write-write edges are drawn. */
    public enum WriteOrder {
        /** They are; a log promises no isolation, so that cycles with them are allowed. */
        DRAWN,
        /** They are not; what cycles is left is circular information flow, and an error. */
        IGNORED
    }

    public CheckOptions with(Rules other) {
        return new CheckOptions(other, subVia, writeOrder, maxCases);
    }

    public CheckOptions with(Via other) {
        return new CheckOptions(rules, other, writeOrder, maxCases);
    }

    public CheckOptions with(WriteOrder other) {
        return new CheckOptions(rules, subVia, other, maxCases);
    }
}
