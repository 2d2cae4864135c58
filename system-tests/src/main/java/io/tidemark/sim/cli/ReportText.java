package io.tidemark.sim.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.sim.run.RunCounts;
import io.tidemark.sim.run.RunReport;
import io.tidemark.sim.run.RunResult;
import io.tidemark.sim.run.SeedResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** What came of many runs, for people and for programs. */
final class ReportText {
    private static final double MS_PER_S = 1_000;

    private ReportText() {}

    /** Some lines for a person. */
    static List<String> text(RunReport report, List<String> missed) {
        RunCounts sum = report.sum();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%d runs in %.1f s, %.1f runs/s; %d violated something",
                report.runs(),
                report.elapsed().toMillis() / MS_PER_S,
                report.runsPerSecond(),
                report.violations().size()));
        lines.add(String.format(
                Locale.ROOT,
                "means a run: %.0f events, %.1f records sent, %.1f acknowledged, %.2f excused",
                report.mean(sum.events()),
                report.mean(sum.sent()),
                report.mean(sum.acknowledged()),
                report.mean(sum.excused())));
        lines.add(String.format(
                Locale.ROOT,
                "             %.2f crashes, %.2f cuts, %.2f other faults, %.2f leader changes",
                report.mean(sum.crashes()),
                report.mean(sum.cuts()),
                report.mean(sum.otherFaults()),
                report.mean(sum.leaderChanges())));
        missed.forEach(floor -> lines.add("too little: " + floor));
        return lines;
    }

    /** One object for a program. */
    static JsonObject json(RunReport report, List<String> missed) {
        JsonObject json = new JsonObject();
        json.addProperty("runs", report.runs());
        json.addProperty("elapsedMs", report.elapsed().toMillis());
        json.addProperty("runsPerSecond", report.runsPerSecond());
        JsonObject means = new JsonObject();
        sums(report.sum()).forEach((name, sum) -> means.addProperty(name, report.mean(sum)));
        json.add("means", means);
        JsonArray violations = new JsonArray();
        report.violations().forEach(found -> violations.add(violation(found)));
        json.add("violations", violations);
        JsonArray floors = new JsonArray();
        missed.forEach(floors::add);
        json.add("missed", floors);
        return json;
    }

    private static SortedMap<String, Long> sums(RunCounts sum) {
        SortedMap<String, Long> sums = new TreeMap<>();
        sums.put("events", sum.events());
        sums.put("sent", sum.sent());
        sums.put("acknowledged", sum.acknowledged());
        sums.put("crashes", sum.crashes());
        sums.put("cuts", sum.cuts());
        sums.put("otherFaults", sum.otherFaults());
        sums.put("leaderChanges", sum.leaderChanges());
        sums.put("excused", sum.excused());
        return sums;
    }

    private static JsonObject violation(SeedResult found) {
        JsonObject json = new JsonObject();
        json.addProperty("seed", found.seed());
        if (found.result() instanceof RunResult.Violated violated) {
            json.addProperty("invariant", violated.invariant());
            json.addProperty("message", violated.message());
        }
        return json;
    }
}
