package io.tidemark.sim;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.testkit.SeededRandomness;
import java.time.Duration;
import java.util.List;

/**
 * A run of random faults that a seed decides: records go to brokers while processes die and come back, links are cut and
 * brokers lose sight of ZooKeeper; with {@link Faults#POWER} machines lose power, too, one or all at once. At the end everything is
 * healed, and nothing acknowledged may be missing.
 */
public final class RandomRun {
    private static final Duration VERIFY_LIMIT = Duration.ofMinutes(2);
    private static final int BROKERS = 3;
    private static final int LONGEST_PAUSE_MS = 400;
    private static final int LINES_OF_A_FAILURE = 60;
    private static final int LATEST_COPY_MS = 5_000;
    private static final int LONGEST_DELAY_MS = 1_500;
    private static final int MOST_DRIFT_PPM = 50_000;
    /** By then the sessions of those who went have expired, and there is a controller again. */
    private static final Duration SETTLED = Duration.ofSeconds(8);

    private final long seed;
    private final Faults faults;
    private final SimWorld world;
    private final SimCluster cluster;
    private final SeededRandomness choices;
    private int records;
    private int blackouts;

    /** What breaks beside the network. */
    public enum Faults {
        /** Processes die; the page cache of their machine survives. */
        PROCESSES,
        /** Processes die, or their machine loses power and what was not forced with it. */
        POWER,
        /**
         * Processes die or stop for a while, clocks drift, sessions end, and links lose, repeat, reorder and delay what they carry,
         * in one direction or both.
         */
        NETWORK
    }

    /** A run of brokers in async mode whose machines never lose power. */
    public RandomRun(long seed) {
        this(seed, SimSettings.of(TruncationMode.LEADER_EPOCH), Faults.PROCESSES, Trace.lastLines(LINES_OF_A_FAILURE));
    }

    public RandomRun(long seed, SimSettings settings, Faults faults, Trace trace) {
        this.seed = seed;
        this.faults = faults;
        this.world = new SimWorld(seed, trace);
        this.cluster = new SimCluster(world, BROKERS, settings);
        this.choices = new SeededRandomness(seed).fork("choices");
    }

    /**
     * What came of a run that violated nothing.
     *
     * @param blackouts how often all machines lost power at once
     * @param excused committed batches that power losses took though nobody had promised to force them
     * @param events that were run
     * @param digest of the whole run
     */
    public record Result(int produced, int acknowledged, int blackouts, int excused, long events, long digest) {}

    /** Throws, with the seed and the end of the trace, when an invariant is violated. */
    public Result run(int steps) {
        try {
            cluster.brokerIds().forEach(cluster::start);
            cluster.run(Duration.ofSeconds(2));
            cluster.createTopic(2);
            for (int i = 0; i < steps; i++) {
                step();
                cluster.run(Duration.ofMillis(1L + choices.nextInt(LONGEST_PAUSE_MS)));
            }
            cluster.healAndVerify(VERIFY_LIMIT);
        } catch (RuntimeException e) {
            List<String> trace = world.trace();
            String end = String.join(
                    System.lineSeparator(),
                    trace.subList(Math.max(0, trace.size() - LINES_OF_A_FAILURE), trace.size()));
            throw new IllegalStateException("seed " + seed + ": " + e.getMessage() + System.lineSeparator() + end, e);
        }
        return new Result(
                records,
                cluster.acked().all().size(),
                blackouts,
                cluster.checks().excused(),
                world.events(),
                world.digest());
    }

    private void step() {
        if (faults == Faults.POWER && choices.oneIn(10)) {
            losePower();
            return;
        }
        if (faults == Faults.NETWORK && choices.oneIn(3)) {
            disturb(choices.pick(cluster.brokerIds()), choices.pick(cluster.brokerIds()));
            return;
        }
        int broker = choices.pick(cluster.brokerIds());
        switch (choices.nextInt(12)) {
            case 0 -> crash(broker);
            case 1, 2 -> restart(broker);
            case 3 -> cluster.cut(broker, choices.pick(cluster.brokerIds()));
            case 4, 5 -> cluster.heal();
            case 6 -> cluster.cutFromZooKeeper(broker);
            default -> produce(broker);
        }
    }

    private void disturb(int broker, int other) {
        switch (choices.nextInt(12)) {
            case 0 -> cluster.cutOneWay(broker, other);
            case 1 -> cluster.disturb(broker, other, LinkFaults.NONE.withDrops(1 + choices.nextInt(400)));
            case 2, 3 -> cluster.disturb(broker, other, LinkFaults.NONE.withDuplicates(500, LATEST_COPY_MS));
            case 4 -> cluster.disturb(broker, other, LinkFaults.NONE.withReorder(500));
            case 5 ->
                cluster.disturb(broker, other, LinkFaults.NONE.withExtraDelay(1 + choices.nextInt(LONGEST_DELAY_MS)));
            case 6 -> cluster.pause(broker);
            case 7 -> cluster.resume(broker);
            case 8 -> cluster.driftClock(broker, choices.nextInt(2 * MOST_DRIFT_PPM) - MOST_DRIFT_PPM);
            case 9 -> cluster.expireSession(broker);
            case 10 -> cluster.loseZooKeeperReply(broker);
            default -> cluster.transferLeader(broker);
        }
    }

    /** One machine, or all of them in the middle of what was sent last; they come back at different times. */
    private void losePower() {
        if (choices.oneIn(2)) {
            cluster.powerLoss(choices.pick(cluster.brokerIds()));
            return;
        }
        blackouts++;
        cluster.leader().ifPresent(this::produce);
        cluster.run(Duration.ofMillis(1L + choices.nextInt(LONGEST_PAUSE_MS / 10)));
        cluster.brokerIds().forEach(cluster::powerLoss);
        for (int broker : cluster.brokerIds()) {
            cluster.run(Duration.ofMillis(choices.nextInt(LONGEST_PAUSE_MS)));
            cluster.start(broker);
        }
        if (choices.oneIn(2)) {
            cluster.run(SETTLED);
        }
    }

    private void crash(int broker) {
        if (cluster.isRunning(broker)) {
            cluster.crash(broker);
        }
    }

    private void restart(int broker) {
        if (!cluster.isRunning(broker)) {
            cluster.start(broker);
        }
    }

    private void produce(int broker) {
        int to = cluster.leader().orElse(broker);
        for (int i = 0; i < 1 + choices.nextInt(3); i++) {
            records++;
            cluster.produce(to, "r" + records);
        }
    }
}
