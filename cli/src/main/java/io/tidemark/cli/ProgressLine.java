package io.tidemark.cli;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What is said about work under way: how many, how fast lately, and where the end is known how much of it and how long
 * still. The time is an argument. Thread-safe.
 */
public final class ProgressLine {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int REMEMBERED = 10;
    private static final int PERCENT = 100;

    private final String verb;
    private final long startNs;
    private final Deque<Point> points = new ArrayDeque<>();

    private record Point(long atNs, long records) {}

    /** @param verb what happens to records, as "acknowledged" */
    public ProgressLine(String verb, long startNs) {
        this.verb = verb;
        this.startNs = startNs;
        points.add(new Point(startNs, 0));
    }

    /** The line at this time; the rate is over the last ten calls. */
    public synchronized String text(Progress.Sample sample, long nowNs) {
        Point oldest = points.getFirst();
        points.addLast(new Point(nowNs, sample.records()));
        if (points.size() > REMEMBERED) {
            points.removeFirst();
        }
        double seconds = Math.max(1, nowNs - oldest.atNs()) / NANOS_PER_SECOND;
        long rate = Math.round((sample.records() - oldest.records()) / seconds);
        return verb + " " + Units.count(sample.records()) + " records, " + Units.count(rate) + "/s"
                + share(sample, nowNs);
    }

    private String share(Progress.Sample sample, long nowNs) {
        if (sample.total() <= 0) {
            return "";
        }
        long done = Math.min(sample.done(), sample.total());
        String percent = ", " + (long) (PERCENT * (double) done / sample.total()) + " %";
        if (done == 0 || done == sample.total()) {
            return percent;
        }
        double perDone = (nowNs - startNs) / (double) done;
        long leftSeconds = (long) Math.ceil(perDone * (sample.total() - done) / NANOS_PER_SECOND);
        return percent + ", " + Units.seconds(leftSeconds) + " left";
    }
}
