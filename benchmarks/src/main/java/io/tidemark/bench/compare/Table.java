package io.tidemark.bench.compare;

import io.tidemark.bench.compare.Summary.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The summaries as a table: columns for a terminal, or Markdown. Pure. */
final class Table {
    private static final List<String> HEADER = List.of(
            "row",
            "unit",
            "Kafka median (min-max)",
            "Tidemark median (min-max)",
            "ratio (min-max)",
            "target",
            "met",
            "other load % K/T");
    private static final String GAP = "  ";
    private static final String NOTHING = "-";

    private final List<List<String>> lines = new ArrayList<>();

    Table(List<Summary> summaries) {
        summaries.forEach(summary -> lines.add(cells(summary)));
    }

    private static List<String> cells(Summary summary) {
        Metric metric = summary.row().metric();
        return List.of(
                summary.row().title(),
                metric.unit(),
                figures(summary.kafka(), metric),
                figures(summary.tidemark(), metric),
                summary.ratio()
                        .map(ratio -> String.format(
                                Locale.ROOT, "%.2fx (%.2f-%.2f)", ratio.median(), ratio.min(), ratio.max()))
                        .orElse(NOTHING),
                summary.row().target().text(metric),
                summary.isMet().map(met -> met ? "yes" : "no").orElse(NOTHING),
                other(summary.kafka()) + "/" + other(summary.tidemark()));
    }

    private static String figures(Optional<Figures> figures, Metric metric) {
        return figures.map(each -> metric.format(each.median()) + " (" + metric.format(each.min()) + "-"
                        + metric.format(each.max()) + ")"
                        + (each.failed() == 0 ? "" : ", " + each.failed() + " failed"))
                .orElse(NOTHING);
    }

    private static String other(Optional<Figures> figures) {
        return figures.map(each -> String.format(Locale.ROOT, "%.0f", each.maxOtherPercent()))
                .orElse(NOTHING);
    }

    /** Columns as wide as their widest cell. */
    String text() {
        List<List<String>> all = new ArrayList<>();
        all.add(HEADER);
        all.addAll(lines);
        int[] widths = new int[HEADER.size()];
        for (List<String> line : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : all) {
            StringBuilder padded = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                padded.append(line.get(i))
                        .append(" ".repeat(widths[i] - line.get(i).length()))
                        .append(GAP);
            }
            text.append(padded.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** A table of Markdown. */
    String markdown() {
        StringBuilder text = new StringBuilder();
        text.append("| ").append(String.join(" | ", HEADER)).append(" |\n");
        text.append("|").append("---|".repeat(HEADER.size())).append('\n');
        lines.forEach(line -> text.append("| ").append(String.join(" | ", line)).append(" |\n"));
        return text.toString();
    }
}
