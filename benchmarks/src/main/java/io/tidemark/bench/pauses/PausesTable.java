package io.tidemark.bench.pauses;

import io.tidemark.bench.report.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the appends took, beside what they took in an idle log of the same run. Pure. */
final class PausesTable {
    /** What the 99.9th percentile may be, as a multiple of the idle log's. */
    static final double BAR = 2;

    /** Below so many appends there are too few above the 99.9th percentile to speak of it. */
    static final long ENOUGH = 5_000;

    private static final List<String> HEADER = List.of(
            "while", "appends", "p50 ms", "p99 ms", "p99.9 ms", "longest ms", "p99.9 of the call", "to idle", "2x");
    private static final double MEDIAN = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;
    private static final double ALL = 100;
    private static final String NOTHING = "-";

    private final List<Line> lines;

    /**
     * Something that happens to a log.
     *
     * @param idle what appends to the same log took when it did not happen
     */
    record Line(String what, Latencies idle, Latencies beside) {
        /** The 99.9th percentile, from when appends were due, as a multiple of the idle log's. */
        double ratio() {
            return beside.fromDueMs(P999) / Math.max(idle.fromDueMs(P999), Double.MIN_NORMAL);
        }

        boolean isEnough() {
            return idle.count() >= ENOUGH && beside.count() >= ENOUGH;
        }

        /** Whether appends are hardly slower. */
        boolean isMet() {
            return ratio() <= BAR;
        }
    }

    PausesTable(List<Line> lines) {
        this.lines = List.copyOf(lines);
    }

    /** The table, two lines for each: idle, and not. */
    Columns columns() {
        List<List<String>> cells = new ArrayList<>();
        for (Line line : lines) {
            cells.add(cells("(idle)", line.idle(), NOTHING, NOTHING));
            String verdict = line.isMet() ? "yes" : "no";
            cells.add(cells(
                    line.what(),
                    line.beside(),
                    String.format(Locale.ROOT, "%.2fx", line.ratio()),
                    line.isEnough() ? verdict : "too few appends"));
        }
        return new Columns(HEADER, cells);
    }

    private static List<String> cells(String what, Latencies latencies, String ratio, String verdict) {
        return List.of(
                what,
                String.format(Locale.ROOT, "%,d", latencies.count()),
                ms(latencies.fromDueMs(MEDIAN)),
                ms(latencies.fromDueMs(P99)),
                ms(latencies.fromDueMs(P999)),
                ms(latencies.fromDueMs(ALL)),
                ms(latencies.inCallMs(P999)),
                ratio,
                verdict);
    }

    private static String ms(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
