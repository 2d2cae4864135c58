package io.tidemark.sim.cli;

import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.SimPlan;
import io.tidemark.sim.run.RunResult;
import io.tidemark.sim.run.SimRun;
import java.util.ArrayList;
import java.util.List;

/** What people are told about a violation. */
final class Violations {
    static final int LAST_LINES = 40;

    private Violations() {}

    /** The same run again, with the end of its trace: seeds are searched without one. */
    static RunResult.Violated traced(SimPlan plan) {
        if (new SimRun(plan, Trace.lastLines(LAST_LINES)).run() instanceof RunResult.Violated violated) {
            return violated;
        }
        throw new IllegalStateException("seed " + plan.seed() + " goes wrong without a trace, and not with one");
    }

    /**
     * What went wrong, and what to do now.
     *
     * @param source words that name the plan for other commands
     */
    static List<String> report(RunResult.Violated violated, String source) {
        List<String> lines = new ArrayList<>();
        lines.add("VIOLATED " + violated.invariant() + " by " + source);
        lines.add("  " + violated.message());
        violated.lastLines().forEach(line -> lines.add("  | " + line));
        lines.add("  replay: ./" + SimMain.NAME + " replay " + source);
        lines.add("  shrink: ./" + SimMain.NAME + " shrink " + source);
        return lines;
    }
}
