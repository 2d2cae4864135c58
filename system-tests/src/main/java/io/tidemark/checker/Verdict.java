package io.tidemark.checker;

import java.util.List;

/**
 * What came of judging a history.
 *
 * @param options under which rules
 * @param coverage how much there was to judge
 * @param found what was found, by kind, in the order of {@link AnomalyKind}; kinds without a case are not there
 */
public record Verdict(CheckOptions options, Coverage coverage, List<KindFindings> found) {
    public Verdict {
        found = List.copyOf(found);
    }

    /** Whether no promise was broken. */
    public boolean isValid() {
        return found.stream().noneMatch(KindFindings::isBad);
    }

    /** The names of the kinds that make the history invalid, sorted. */
    public List<String> badKinds() {
        return found.stream()
                .filter(KindFindings::isBad)
                .map(kind -> kind.kind().label())
                .sorted()
                .toList();
    }

    /** The names of the kinds that were found and broke no promise, sorted. */
    public List<String> reportedKinds() {
        return found.stream()
                .filter(kind -> !kind.isBad())
                .map(kind -> kind.kind().label())
                .sorted()
                .toList();
    }
}
