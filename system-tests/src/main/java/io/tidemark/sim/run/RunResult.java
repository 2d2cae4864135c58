package io.tidemark.sim.run;

import java.util.List;
import java.util.Optional;

/** What came of a run. */
public sealed interface RunResult {
    /** What happened until its end. */
    RunCounts counts();

    /** The name of what was violated. */
    Optional<String> violated();

    /**
     * Nothing was violated, and at the end all replicas had caught up.
     *
     * @param digest of the whole run
     */
    record Clean(RunCounts counts, long digest) implements RunResult {
        @Override
        public Optional<String> violated() {
            return Optional.empty();
        }
    }

    /**
     * A rule did not hold, a part of a broker failed, or the cluster did not come back to order.
     *
     * @param invariant names it: equal for two runs that went wrong in the same way
     * @param message for a person
     * @param lastLines what the trace has kept
     */
    record Violated(RunCounts counts, String invariant, String message, List<String> lastLines) implements RunResult {
        public Violated {
            lastLines = List.copyOf(lastLines);
        }

        /** Its name and what happened, for a person. */
        public String text() {
            String named = invariant + ": ";
            return message.startsWith(named) ? message : named + message;
        }

        @Override
        public Optional<String> violated() {
            return Optional.of(invariant);
        }
    }
}
