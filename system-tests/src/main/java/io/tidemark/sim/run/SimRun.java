package io.tidemark.sim.run;

import io.tidemark.model.SafetyRules;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.sim.SimCluster;
import io.tidemark.sim.SimSettings;
import io.tidemark.sim.SimUpkeep;
import io.tidemark.sim.SimWorld;
import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.ClusterShape;
import io.tidemark.sim.plan.SimPlan;
import java.time.Duration;

/**
 * One run of a plan: the cluster starts, its clients write while faults strike, then everything is healed and started, and when all
 * replicas have caught up they and the acknowledged records are compared. Equal plans give equal runs, with any trace. Shares nothing
 * with other runs; runs once.
 */
public final class SimRun {
    private static final Duration STARTED = Duration.ofSeconds(2);
    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(2);

    private final SimPlan plan;
    private final SimWorld world;
    private final SimCluster cluster;
    private final FaultStriker striker;
    private final Writers writers;
    private final LeaderWatch leaders;

    public SimRun(SimPlan plan, Trace trace) {
        this.plan = plan;
        this.world = new SimWorld(plan.seed(), trace);
        this.cluster = new SimCluster(world, plan.shape().brokers(), settings(plan.shape(), plan.rules()));
        this.striker = new FaultStriker(world, cluster);
        this.writers = new Writers(world, cluster);
        this.leaders = new LeaderWatch(cluster);
        world.afterEach(leaders::look);
    }

    private static SimSettings settings(ClusterShape shape, SafetyRules rules) {
        ClusterShape.Times times = shape.times();
        ReplicaSettings replica =
                new ReplicaSettings(Duration.ofMillis(times.lagMs()), shape.truncation(), shape.flush());
        return new SimSettings(
                replica.withRules(rules),
                Duration.ofMillis(times.sessionMs()),
                Duration.ofMillis(times.checkpointMs()),
                SimUpkeep.DEFAULTS);
    }

    /** Runs it to its end, or to the first violation. */
    public RunResult run() {
        try {
            cluster.brokerIds().forEach(cluster::start);
            cluster.run(STARTED);
            cluster.createTopic(plan.shape().minInsyncReplicas());
            striker.begin(plan.faults());
            writers.begin(plan.clients());
            cluster.run(Duration.ofMillis(plan.lengthMs()));
            writers.end();
            striker.end();
            cluster.healAndVerify(LONGEST_DRAIN);
        } catch (RuntimeException | AssertionError e) {
            return new RunResult.Violated(counts(), ViolationName.of(e), firstLine(e), world.trace());
        }
        return new RunResult.Clean(counts(), world.digest());
    }

    private static String firstLine(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage());
        return message.lines().findFirst().orElse(thrown.getClass().getName());
    }

    private RunCounts counts() {
        return new RunCounts(
                world.events(),
                writers.sent(),
                cluster.acked().all().size(),
                striker.crashes(),
                striker.cuts(),
                striker.others(),
                leaders.changes(),
                0);
    }
}
