package io.tidemark.bench.report;

import java.util.Arrays;

/** Several figures in brief. */
public record Spread(double median, double min, double max) {
    /**
     * In brief; of an even number of figures the median is between the two in the middle.
     *
     * @throws IllegalArgumentException if there is no figure
     */
    public static Spread of(double... figures) {
        if (figures.length == 0) {
            throw new IllegalArgumentException("there is no figure");
        }
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
