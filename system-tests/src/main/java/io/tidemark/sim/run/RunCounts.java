package io.tidemark.sim.run;

/**
 * What happened in a run, or in many.
 *
 * @param events that were run
 * @param sent records that clients sent
 * @param acknowledged records
 * @param crashes processes that ended, also with their machines
 * @param cuts of links between brokers, or between a broker and ZooKeeper
 * @param otherFaults that struck somebody
 * @param leaderChanges after the topic's first leader
 * @param excused committed batches that disasters took and nobody had promised to keep
 */
public record RunCounts(
        long events,
        long sent,
        long acknowledged,
        long crashes,
        long cuts,
        long otherFaults,
        long leaderChanges,
        long excused) {
    /** Nothing happened yet. */
    public static final RunCounts NONE = new RunCounts(0, 0, 0, 0, 0, 0, 0, 0);

    /** Both together. */
    public RunCounts plus(RunCounts other) {
        return new RunCounts(
                events + other.events,
                sent + other.sent,
                acknowledged + other.acknowledged,
                crashes + other.crashes,
                cuts + other.cuts,
                otherFaults + other.otherFaults,
                leaderChanges + other.leaderChanges,
                excused + other.excused);
    }
}
