package io.tidemark.bench.compare;

import java.util.Locale;

/**
 * What a row must reach.
 *
 * @param kind what the bound is compared with
 * @param bound a factor of Kafka's figure, or a figure of our own
 */
record Target(Kind kind, double bound) {
    /** What the bound is compared with. */
    enum Kind {
        /** The ratio to Kafka's, where more is better. */
        RATIO_AT_LEAST,
        /** The ratio to Kafka's, where less is better. */
        RATIO_AT_MOST,
        /** Our own figure, where less is better. */
        VALUE_AT_MOST
    }

    static Target ratioAtLeast(double factor) {
        return new Target(Kind.RATIO_AT_LEAST, factor);
    }

    static Target ratioAtMost(double factor) {
        return new Target(Kind.RATIO_AT_MOST, factor);
    }

    static Target valueAtMost(double figure) {
        return new Target(Kind.VALUE_AT_MOST, figure);
    }

    boolean isMet(double ours, double ratio) {
        return switch (kind) {
            case RATIO_AT_LEAST -> ratio >= bound;
            case RATIO_AT_MOST -> ratio <= bound;
            case VALUE_AT_MOST -> ours <= bound;
        };
    }

    String text(Metric metric) {
        return switch (kind) {
            case RATIO_AT_LEAST -> String.format(Locale.ROOT, ">= %.1fx", bound);
            case RATIO_AT_MOST -> String.format(Locale.ROOT, "<= %.1fx", bound);
            case VALUE_AT_MOST -> "<= " + metric.format(bound) + " " + metric.unit();
        };
    }
}
