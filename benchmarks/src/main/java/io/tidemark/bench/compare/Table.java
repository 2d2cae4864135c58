package io.tidemark.bench.compare;

import io.tidemark.bench.compare.Summary.Figures;
import io.tidemark.bench.report.Columns;
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
    private static final String NOTHING = "-";

    private final Columns columns;

    Table(List<Summary> summaries) {
        columns = new Columns(HEADER, summaries.stream().map(Table::cells).toList());
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
        return columns.text();
    }

    /** A table of Markdown. */
    String markdown() {
        return columns.markdown();
    }
}
