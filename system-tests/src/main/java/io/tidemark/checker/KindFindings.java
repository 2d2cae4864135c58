package io.tidemark.checker;

import java.util.List;

/**
 * What was found of one kind.
 *
 * @param badCount how many cases break a promise
 * @param reportedCount how many do not
 * @param cases of both, sorted; no more than {@link CheckOptions#maxCases}, the first that were found
 */
public record KindFindings(AnomalyKind kind, long badCount, long reportedCount, List<AnomalyCase> cases) {
    public KindFindings {
        cases = List.copyOf(cases);
    }

    /** Whether it makes the history invalid. */
    public boolean isBad() {
        return badCount > 0;
    }

    public long count() {
        return badCount + reportedCount;
    }
}
