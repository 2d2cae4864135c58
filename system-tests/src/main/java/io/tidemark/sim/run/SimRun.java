package io.tidemark.sim.run;

import io.tidemark.checker.CheckOptions;
import io.tidemark.checker.Checker;
import io.tidemark.checker.KindFindings;
import io.tidemark.checker.Verdict;
import io.tidemark.model.SafetyRules;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.sim.SimCluster;
import io.tidemark.sim.SimHost;
import io.tidemark.sim.SimSettings;
import io.tidemark.sim.SimUpkeep;
import io.tidemark.sim.SimWorld;
import io.tidemark.sim.Trace;
import io.tidemark.sim.client.ClientObserver;
import io.tidemark.sim.client.ClientSite;
import io.tidemark.sim.client.FinalDrain;
import io.tidemark.sim.client.Workload;
import io.tidemark.sim.client.WorkloadCounts;
import io.tidemark.sim.client.WorkloadSettings;
import io.tidemark.sim.client.WorkloadSettings.Keys;
import io.tidemark.sim.plan.ClientPlan;
import io.tidemark.sim.plan.ClusterShape;
import io.tidemark.sim.plan.SimPlan;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One run of a plan: the cluster starts, its clients write while faults strike, then everything is healed and started, and when all
 * replicas have caught up they and the acknowledged records are compared. Equal plans give equal runs, with any trace. Shares nothing
 * with other runs; runs once.
 */
public final class SimRun {
    private static final Duration STARTED = Duration.ofSeconds(30);
    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(2);

    private static final SimUpkeep CLEANING = SimUpkeep.DEFAULTS.withCleanerBackoff(Duration.ofMillis(200));

    private final SimPlan plan;
    private final SimWorld world;
    private final SimCluster cluster;
    private final FaultStriker striker;
    private final Workload workload;
    private final LeaderWatch leaders;

    public SimRun(SimPlan plan, Trace trace) {
        this.plan = plan;
        this.world = new SimWorld(plan.seed(), trace);
        this.cluster = new SimCluster(world, plan.shape().brokers(), settings(plan.shape(), plan.rules()));
        this.striker = new FaultStriker(world, cluster);
        this.workload = workload(plan.clients());
        this.leaders = new LeaderWatch(cluster);
        world.afterEach(leaders::look);
    }

    /** What brokers of such a cluster are configured with. */
    public static SimSettings settings(ClusterShape shape, SafetyRules rules) {
        ClusterShape.Times times = shape.times();
        ReplicaSettings replica =
                new ReplicaSettings(Duration.ofMillis(times.lagMs()), shape.truncation(), shape.flush());
        return new SimSettings(
                replica.withRules(rules),
                Duration.ofMillis(times.sessionMs()),
                Duration.ofMillis(times.checkpointMs()),
                shape.logs().cleanup().compacts() ? CLEANING : SimUpkeep.DEFAULTS,
                times.detection());
    }

    /** Runs it to its end, or to the first violation. */
    public RunResult run() {
        try {
            cluster.brokerIds().forEach(cluster::start);
            cluster.await("all brokers are registered", this::isReady, STARTED);
            cluster.createTopic(
                    partitions(plan.clients()),
                    plan.shape().minInsyncReplicas(),
                    configs(plan.shape().logs()));
            striker.begin(plan.faults());
            workload.start();
            cluster.run(Duration.ofMillis(plan.lengthMs()));
            workload.stop();
            striker.end();
            cluster.healAndVerify(LONGEST_DRAIN);
            judge(workload.finish(LONGEST_DRAIN));
        } catch (RuntimeException | AssertionError e) {
            return new RunResult.Violated(counts(), ViolationName.of(e), firstLine(e), world.trace());
        }
        return new RunResult.Clean(counts(), world.digest());
    }

    /** The controller knows all brokers, since each has been told who that is. */
    private boolean isReady() {
        return cluster.hosts().values().stream()
                .map(SimHost::process)
                .allMatch(
                        process -> process != null && process.metadata().view().controllerId() >= 0);
    }

    private Workload workload(List<ClientPlan> clients) {
        ClientSite site = new ClientSite(world, cluster.network(), cluster.hosts(), cluster::acknowledging);
        WorkloadSettings settings = WorkloadSettings.of(SimCluster.PARTITION.topic(), partitions(clients));
        WorkloadSettings keyed = plan.shape().logs().cleanup().compacts() ? settings.withKeys(Keys.FEW) : settings;
        return new Workload(site, keyed, clients, event -> {}, ClientObserver.NONE);
    }

    private static SortedMap<String, String> configs(ClusterShape.Logs logs) {
        SortedMap<String, String> configs = new TreeMap<>();
        configs.put("segment.bytes", Integer.toString(logs.segmentBytes()));
        if (logs.cleanup().compacts()) {
            configs.put("cleanup.policy", "compact");
            configs.put("min.cleanable.dirty.ratio", "0.01");
        }
        return configs;
    }

    private static int partitions(List<ClientPlan> clients) {
        return 1 + clients.stream().mapToInt(ClientPlan::partition).max().orElse(0);
    }

    /** What clients saw has to be what they were promised. */
    private void judge(FinalDrain.Drained drained) {
        if (!drained.isWhole()) {
            throw new IllegalStateException(
                    ViolationName.WAITED + " for the last reader, stuck at " + drained.behind());
        }
        if (cluster.checks().excused() > 0) {
            // What was excused is missing in the history, too.
            return;
        }
        Verdict verdict = Checker.check(workload.history(), CheckOptions.STRICT);
        verdict.found().stream().filter(KindFindings::isBad).findFirst().ifPresent(kind -> {
            throw new IllegalStateException("history_" + kind.kind().label().replace('-', '_') + ": " + kind.badCount()
                    + " of them, such as " + kind.cases().get(0).facts());
        });
    }

    private static String firstLine(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage());
        return message.lines().findFirst().orElse(thrown.getClass().getName());
    }

    private RunCounts counts() {
        WorkloadCounts clients = workload.counts();
        return new RunCounts(
                world.events(),
                clients.sent(),
                clients.acknowledged(),
                striker.crashes(),
                striker.cuts(),
                striker.others(),
                leaders.changes(),
                cluster.checks().excused());
    }
}
