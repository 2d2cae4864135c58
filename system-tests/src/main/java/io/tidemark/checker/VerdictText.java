package io.tidemark.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A verdict for people: what it rests on, a table of kinds, and the first cases of each. */
public final class VerdictText {
    private VerdictText() {}

    /** The lines; with at most {@code maxCases} cases of each kind. */
    public static List<String> of(Verdict verdict, int maxCases) {
        List<String> lines = new ArrayList<>();
        Coverage coverage = verdict.coverage();
        lines.add((verdict.isValid() ? "VALID" : "INVALID") + ": "
                + String.format(
                        Locale.ROOT,
                        "%,d operations (%,d ok, %,d failed, %,d unknown), %,d values sent, %,d read, %,d faults",
                        coverage.operations(),
                        coverage.ok(),
                        coverage.failed(),
                        coverage.unknown(),
                        coverage.sent(),
                        coverage.read(),
                        coverage.faults()));
        if (coverage.finalReads() == 0) {
            lines.add(
                    "No consumer read everything at the end: whether records were lost after they were read is not known.");
        }
        if (verdict.found().isEmpty()) {
            return lines;
        }
        lines.add("");
        lines.add(row("KIND", "STANDING", "CASES", "MEANING"));
        for (KindFindings kind : verdict.found()) {
            String standing = kind.isBad() ? "bad" : "reported";
            lines.add(
                    row(kind.kind().label(), standing, count(kind), kind.kind().meaning()));
        }
        verdict.found().forEach(kind -> cases(kind, maxCases, lines));
        return lines;
    }

    private static void cases(KindFindings kind, int maxCases, List<String> lines) {
        lines.add("");
        lines.add(kind.kind().label() + ":");
        kind.cases().stream()
                .limit(maxCases)
                .map(one -> "  " + one.facts().text() + (one.standing() == Standing.BAD ? "" : " (reported)"))
                .forEach(lines::add);
        long more = kind.count() - Math.min(maxCases, kind.cases().size());
        if (more > 0) {
            lines.add(String.format(Locale.ROOT, "  and %,d more", more));
        }
    }

    private static String count(KindFindings kind) {
        return String.format(Locale.ROOT, "%,d", kind.count());
    }

    private static String row(String kind, String standing, String cases, String meaning) {
        return String.format(Locale.ROOT, "%-22s %-9s %10s  %s", kind, standing, cases, meaning);
    }
}
