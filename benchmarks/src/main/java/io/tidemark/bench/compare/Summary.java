package io.tidemark.bench.compare;

import io.tidemark.bench.report.Spread;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What the samples say about a row. Pure. */
record Summary(Row row, Optional<Figures> kafka, Optional<Figures> tidemark, Optional<Figures> ratio) {
    /**
     * Figures of several repetitions.
     *
     * @param count how many there are
     * @param failed repetitions that gave none
     * @param maxOtherPercent the most that others used of all cores in one of them
     */
    record Figures(double median, double min, double max, int count, int failed, double maxOtherPercent) {
        static Figures of(double[] values, int failed, double maxOtherPercent) {
            Spread spread = Spread.of(values);
            return new Figures(spread.median(), spread.min(), spread.max(), values.length, failed, maxOtherPercent);
        }
    }

    /** One summary per row, in the rows' order. */
    static List<Summary> of(List<Row> rows, List<Sample> samples) {
        return rows.stream().map(row -> of(row, samples)).toList();
    }

    private static Summary of(Row row, List<Sample> samples) {
        Optional<Figures> kafka = figures(row, samples, "kafka");
        Optional<Figures> tidemark = figures(row, samples, "tidemark");
        return new Summary(row, kafka, tidemark, ratio(row, samples, kafka, tidemark));
    }

    private static Optional<Figures> figures(Row row, List<Sample> samples, String system) {
        List<Sample> own = samples.stream()
                .filter(sample -> sample.job() == row.job() && sample.system().equals(system))
                .toList();
        double[] values = own.stream()
                .map(sample -> sample.values().get(row.metric()))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        double other = own.stream().mapToDouble(Sample::otherPercent).max().orElse(0);
        return values.length == 0
                ? Optional.empty()
                : Optional.of(Figures.of(values, own.size() - values.length, other));
    }

    /** Ours to Kafka's: of the medians; the spread is that of the repetitions, each with its own partner. */
    private static Optional<Figures> ratio(
            Row row, List<Sample> samples, Optional<Figures> kafka, Optional<Figures> tidemark) {
        if (kafka.isEmpty() || tidemark.isEmpty() || kafka.get().median() == 0) {
            return Optional.empty();
        }
        double ofMedians = tidemark.get().median() / kafka.get().median();
        double[] pairs = samples.stream()
                .filter(sample -> sample.job() == row.job() && sample.system().equals("tidemark"))
                .map(ours -> pairRatio(row, ours, samples))
                .flatMap(Optional::stream)
                .mapToDouble(Double::doubleValue)
                .toArray();
        if (pairs.length == 0) {
            return Optional.of(new Figures(ofMedians, ofMedians, ofMedians, 1, 0, 0));
        }
        Figures spread = Figures.of(pairs, 0, 0);
        return Optional.of(new Figures(ofMedians, spread.min(), spread.max(), pairs.length, 0, 0));
    }

    private static Optional<Double> pairRatio(Row row, Sample ours, List<Sample> samples) {
        Double our = ours.values().get(row.metric());
        return samples.stream()
                .filter(sample -> sample.job() == row.job()
                        && sample.system().equals("kafka")
                        && sample.repetition() == ours.repetition())
                .map(sample -> sample.values().get(row.metric()))
                .filter(theirs -> theirs != null && theirs != 0 && our != null)
                .map(theirs -> Objects.requireNonNull(our) / theirs)
                .findFirst();
    }

    /** Whether the target is met; empty where that cannot be said. */
    Optional<Boolean> isMet() {
        Target target = row.target();
        if (tidemark.isEmpty() || (ratio.isEmpty() && target.kind() != Target.Kind.VALUE_AT_MOST)) {
            return Optional.empty();
        }
        return Optional.of(
                target.isMet(tidemark.get().median(), ratio.map(Figures::median).orElse(Double.NaN)));
    }
}
