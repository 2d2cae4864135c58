package io.tidemark.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Collects cases: counts all, keeps as many of each kind as the options say, the first that are found. */
final class Findings {
    private final CheckOptions options;
    private final Map<AnomalyKind, Kind> kinds = new EnumMap<>(AnomalyKind.class);

    private static final class Kind {
        private long badCount;
        private long reportedCount;
        private final List<AnomalyCase> cases = new ArrayList<>();
    }

    Findings(CheckOptions options) {
        this.options = options;
    }

    /** A case with the standing that its kind has. The facts are asked for only if there is room. */
    void add(AnomalyKind kind, Supplier<Facts> facts) {
        add(kind, Standing.BAD, facts);
    }

    /** A case that is bad only if its kind is and {@code own} is. */
    void add(AnomalyKind kind, Standing own, Supplier<Facts> facts) {
        Standing standing = own == Standing.BAD ? kind.standing(options) : own;
        Kind found = kinds.computeIfAbsent(kind, unused -> new Kind());
        if (standing == Standing.BAD) {
            found.badCount++;
        } else {
            found.reportedCount++;
        }
        if (found.cases.size() < options.maxCases()) {
            found.cases.add(new AnomalyCase(kind, standing, facts.get()));
        }
    }

    /** What was found, by kind, the cases sorted by their numbers. */
    List<KindFindings> all() {
        List<KindFindings> all = new ArrayList<>();
        for (Map.Entry<AnomalyKind, Kind> entry : kinds.entrySet()) {
            Kind found = entry.getValue();
            List<AnomalyCase> sorted = new ArrayList<>(found.cases);
            sorted.sort(Comparator.comparing(AnomalyCase::facts));
            all.add(new KindFindings(entry.getKey(), found.badCount, found.reportedCount, sorted));
        }
        return all;
    }
}
