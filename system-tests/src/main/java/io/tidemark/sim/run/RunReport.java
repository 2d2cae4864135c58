package io.tidemark.sim.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What came of many runs.
 *
 * @param runs that were made
 * @param sum of all runs
 * @param violations in the order of their seeds
 * @param elapsed by the wall clock
 */
public record RunReport(long runs, RunCounts sum, List<SeedResult> violations, Duration elapsed) {
    private static final double NS_PER_S = 1e9;

    /**
     * What runs have to show on average, lest many runs show nothing.
     *
     * @param crashesOrCuts together
     */
    public record Floors(int events, int acknowledged, int crashesOrCuts, int leaderChanges) {
        /** Of runs of the ordinary mix. */
        public static final Floors ORDINARY = new Floors(1_000, 50, 3, 2);
    }

    public RunReport {
        violations = List.copyOf(violations);
    }

    /** By the wall clock. */
    public double runsPerSecond() {
        return runs * NS_PER_S / Math.max(1, elapsed.toNanos());
    }

    /** One of the sums, for one run. */
    public double mean(long ofAllRuns) {
        return runs == 0 ? 0 : (double) ofAllRuns / runs;
    }

    /** Each floor that the means do not reach, in words; empty if the runs were worth their time. */
    public List<String> missed(Floors floors) {
        List<String> missed = new ArrayList<>();
        compare(missed, "events", sum.events(), floors.events());
        compare(missed, "acknowledged records", sum.acknowledged(), floors.acknowledged());
        compare(missed, "crashes or cuts", sum.crashes() + sum.cuts(), floors.crashesOrCuts());
        compare(missed, "leader changes", sum.leaderChanges(), floors.leaderChanges());
        return missed;
    }

    private void compare(List<String> missed, String what, long ofAllRuns, int floor) {
        if (mean(ofAllRuns) < floor) {
            missed.add(String.format(
                    Locale.ROOT, "%.1f %s a run, and %d are needed to show anything", mean(ofAllRuns), what, floor));
        }
    }
}
