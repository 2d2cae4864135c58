package io.tidemark.bench.logs;

import io.tidemark.bench.report.Columns;
import io.tidemark.bench.report.Spread;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** What the samples say: for each row both systems' figures, and how ours relate to Kafka's. Pure. */
final class LogTable {
    private static final List<String> HEADER =
            List.of("row", "unit", "Kafka median (min-max)", "Tidemark median (min-max)", "ratio (min-max)", "0.9x");
    private static final String NOTHING = "-";
    private static final double FEW = 100;

    private final List<LogRow> rows;
    private final List<LogSample> samples;

    LogTable(List<LogRow> rows, List<LogSample> samples) {
        this.rows = List.copyOf(rows);
        this.samples = List.copyOf(samples);
    }

    /** The table, a line for each row. */
    Columns columns() {
        return new Columns(HEADER, rows.stream().map(this::cells).toList());
    }

    /** Ours to Kafka's: of the medians; the spread is that of the rounds, each with its own partner. */
    Optional<Spread> ratio(LogRow row) {
        Optional<Spread> kafka = spread(row, LogSystem.KAFKA);
        Optional<Spread> ours = spread(row, LogSystem.TIDEMARK);
        double[] pairs = of(row, LogSystem.TIDEMARK).stream()
                .flatMap(sample -> pairRatio(sample).stream())
                .mapToDouble(Double::doubleValue)
                .toArray();
        if (kafka.isEmpty() || ours.isEmpty() || pairs.length == 0) {
            return Optional.empty();
        }
        Spread spread = Spread.of(pairs);
        return Optional.of(new Spread(ours.get().median() / kafka.get().median(), spread.min(), spread.max()));
    }

    private Optional<Double> pairRatio(LogSample ours) {
        Double our = ours.figure();
        return of(ours.row(), LogSystem.KAFKA).stream()
                .filter(sample -> sample.round() == ours.round())
                .map(LogSample::figure)
                .filter(theirs -> theirs != null && theirs != 0 && our != null)
                .map(theirs -> Objects.requireNonNull(our) / theirs)
                .findFirst();
    }

    private Optional<Spread> spread(LogRow row, LogSystem system) {
        double[] figures = of(row, system).stream()
                .map(LogSample::figure)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        return figures.length == 0 ? Optional.empty() : Optional.of(Spread.of(figures));
    }

    private List<LogSample> of(LogRow row, LogSystem system) {
        return samples.stream()
                .filter(sample -> sample.row() == row && sample.system() == system)
                .toList();
    }

    private List<String> cells(LogRow row) {
        Optional<Spread> ratio = ratio(row);
        return List.of(
                row.title(),
                row.unit(),
                figures(row, LogSystem.KAFKA),
                figures(row, LogSystem.TIDEMARK),
                ratio.map(spread -> String.format(
                                Locale.ROOT, "%.2fx (%.2f-%.2f)", spread.median(), spread.min(), spread.max()))
                        .orElse(NOTHING),
                ratio.map(spread -> spread.median() >= LogRow.BAR ? "yes" : "no")
                        .orElse(NOTHING));
    }

    private String figures(LogRow row, LogSystem system) {
        long failed = of(row, system).stream()
                .filter(sample -> sample.figure() == null)
                .count();
        return spread(row, system)
                        .map(spread ->
                                text(spread.median()) + " (" + text(spread.min()) + "-" + text(spread.max()) + ")")
                        .orElse(NOTHING)
                + (failed == 0 ? "" : ", " + failed + " failed");
    }

    private static String text(double figure) {
        return String.format(Locale.ROOT, figure < FEW ? "%.1f" : "%,.0f", figure);
    }
}
