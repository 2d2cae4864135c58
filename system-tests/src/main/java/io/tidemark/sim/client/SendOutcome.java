package io.tidemark.sim.client;

import io.tidemark.client.TidemarkException;
import io.tidemark.history.Phase;
import io.tidemark.model.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a producer was told of a record, as a history has it. Pure.
 *
 * <pre>
 *   told                                      phase
 *   success                                   ok
 *   a failure, certainly not written          fail, e.g. NOT_ENOUGH_REPLICAS
 *   a failure, perhaps written                info, e.g. NOT_ENOUGH_REPLICAS_AFTER_APPEND
 * </pre>
 *
 * @param offset where it was written, or -1
 * @param error why it was not, or empty
 */
record SendOutcome(Phase phase, long offset, String error) {
    private static final long NOWHERE = -1;

    static SendOutcome of(long offset, @Nullable TidemarkException failure) {
        if (failure == null) {
            return new SendOutcome(Phase.OK, offset, "");
        }
        String error = String.valueOf(failure.getMessage());
        return failure.outcome() == ErrorCode.Outcome.UNKNOWN
                ? new SendOutcome(Phase.INFO, NOWHERE, error)
                : new SendOutcome(Phase.FAIL, NOWHERE, error);
    }

    /** What became of all of them as one operation: of records that fared differently nothing can be said as of one. */
    static Phase together(List<SendOutcome> outcomes) {
        List<Phase> phases =
                outcomes.stream().map(SendOutcome::phase).distinct().toList();
        return phases.size() == 1 ? phases.get(0) : Phase.INFO;
    }

    /** The first reason that one of them has, or empty. */
    static String firstError(List<SendOutcome> outcomes) {
        return outcomes.stream()
                .map(SendOutcome::error)
                .filter(error -> !error.isEmpty())
                .findFirst()
                .orElse("");
    }
}
