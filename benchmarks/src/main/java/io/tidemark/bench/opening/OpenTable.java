package io.tidemark.bench.opening;

import io.tidemark.bench.report.Columns;
import io.tidemark.bench.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How long opening took, and how it goes with what had to be checked. Pure. */
final class OpenTable {
    /** What opening after a clean stop may take. */
    static final double CLEAN_LIMIT_SECONDS = 5;

    /** A byte of the larger amount may cost so much more than one of the smaller. */
    static final double BAR = 1.5;

    private static final List<String> HEADER = List.of(
            "stop", "beyond recovery points", "seconds, median (min-max)", "more than clean, ms per MiB", "verdict");
    private static final double MEBIBYTE = 1 << 20;
    private static final double MS_PER_SECOND = 1_000;
    private static final String NOTHING = "-";

    private final Spread clean;
    private final Unclean small;
    private final Unclean large;

    /**
     * After a kill.
     *
     * @param bytes beyond the recovery points of all logs
     * @param seconds that opening took
     */
    record Unclean(long bytes, Spread seconds) {}

    OpenTable(Spread cleanSeconds, Unclean small, Unclean large) {
        this.clean = cleanSeconds;
        this.small = small;
        this.large = large;
    }

    /** The table. */
    Columns columns() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of(
                "clean",
                "0",
                text(clean),
                NOTHING,
                isFast() ? "under 5 s" : "not under " + CLEAN_LIMIT_SECONDS + " s"));
        lines.add(line(small, NOTHING));
        lines.add(line(large, followsBytes() ? "follows the bytes" : "grows faster than the bytes"));
        return new Columns(HEADER, lines);
    }

    /** Whether the opening after a clean stop was fast enough. */
    boolean isFast() {
        return clean.median() < CLEAN_LIMIT_SECONDS;
    }

    /** Whether a byte costs about the same in both amounts, or less in the larger one. */
    boolean followsBytes() {
        return msPerMebibyte(large) <= BAR * Math.max(0, msPerMebibyte(small));
    }

    /** What a MiB adds to the time that a clean stop takes. */
    double msPerMebibyte(Unclean unclean) {
        return (unclean.seconds().median() - clean.median()) * MS_PER_SECOND / (unclean.bytes() / MEBIBYTE);
    }

    private List<String> line(Unclean unclean, String verdict) {
        return List.of(
                "kill",
                String.format(Locale.ROOT, "%,.0f MiB", unclean.bytes() / MEBIBYTE),
                text(unclean.seconds()),
                String.format(Locale.ROOT, "%.2f", msPerMebibyte(unclean)),
                verdict);
    }

    private static String text(Spread seconds) {
        return String.format(Locale.ROOT, "%.2f (%.2f-%.2f)", seconds.median(), seconds.min(), seconds.max());
    }
}
