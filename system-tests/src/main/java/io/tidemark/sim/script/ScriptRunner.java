package io.tidemark.sim.script;

import io.tidemark.coordination.cluster.TopicSpec;
import io.tidemark.model.PartitionState;
import io.tidemark.sim.ClusterLevers;
import io.tidemark.sim.SimCluster;
import io.tidemark.sim.SimWorld;
import io.tidemark.sim.Trace;
import io.tidemark.sim.check.Violation;
import io.tidemark.sim.plan.ClusterShape;
import io.tidemark.sim.plan.Link;
import io.tidemark.sim.run.SimRun;
import io.tidemark.sim.script.Conditions.Failure;
import io.tidemark.sim.script.Statement.LinkAction;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plays a scenario on a simulated cluster: its statements in order, with everything checked after each event, and at the end the
 * replicas compared. The same script under the same rules leaves the same trace. Plays once.
 */
public final class ScriptRunner {
    private final SimScript script;
    private final SimWorld world;
    private final SimCluster cluster;
    private final ClusterLevers levers;
    private final Gates gates;
    private final Conditions conditions;
    private @Nullable PartitionState shown;

    /** @param waived what brokers do not keep */
    public ScriptRunner(SimScript script, Waiver waived, Trace trace) {
        ClusterShape shape = script.shape();
        ClusterShape under = new ClusterShape(
                shape.brokers(),
                shape.minInsyncReplicas(),
                shape.flush(),
                waived.truncation(),
                shape.logs(),
                shape.times());
        this.script = script;
        this.world = new SimWorld(script.seed(), trace);
        this.cluster = new SimCluster(world, under.brokers(), SimRun.settings(under, waived.rules()));
        this.levers = new ClusterLevers(cluster);
        this.gates = new Gates(world, cluster.network());
        this.conditions = new Conditions(cluster, levers, gates);
    }

    /** Plays it to its end, or to the first thing that goes wrong. */
    public ScriptResult run() {
        int line = 0;
        try {
            for (SimScript.Step step : script.steps()) {
                line = step.line();
                play(step.statement());
            }
            cluster.checks().compareReplicas();
        } catch (Violation e) {
            return new ScriptResult.Violated(e.invariant(), String.valueOf(e.getMessage()));
        } catch (Failure e) {
            return new ScriptResult.Failed(line, String.valueOf(e.getMessage()));
        }
        return new ScriptResult.Safe();
    }

    private void play(Statement statement) {
        if (statement instanceof Statement.OnHosts hosts) {
            hosts.hosts().forEach(host -> onHost(hosts.action(), conditions.host(host)));
        } else if (statement instanceof Statement.OnGate gate) {
            onGate(gate);
        } else if (statement instanceof Statement.ReleaseAll) {
            gates.releaseAll();
        } else if (statement instanceof Statement.OnLink link) {
            onLink(link);
        } else if (statement instanceof Statement.HealAll) {
            cluster.heal();
        } else if (statement instanceof Statement.Run run) {
            cluster.run(Duration.ofMillis(run.ms()));
        } else if (statement instanceof Statement.Await await) {
            await(await);
        } else if (statement instanceof Statement.Expect expect) {
            expect(expect.condition());
        } else {
            onRequest(statement);
        }
    }

    private void onHost(Statement.HostAction action, int host) {
        switch (action) {
            case START -> cluster.start(host);
            case STOP -> cluster.stopCleanly(host);
            case CRASH -> cluster.crash(host);
            case POWEROFF -> cluster.powerLoss(host);
            case WIPE -> cluster.wipe(host);
        }
    }

    private void onGate(Statement.OnGate statement) {
        Gates.Place place = conditions.place(statement.kind(), statement.link());
        boolean done = switch (statement.action()) {
            case HOLD -> {
                gates.hold(place);
                yield true;
            }
            case RELEASE -> gates.release(place);
            case DELIVER -> gates.deliver(place, statement.count());
            case DROP -> gates.drop(place);
        };
        if (!done) {
            throw new Failure("only " + gates.waiting(place) + " wait at " + place);
        }
    }

    private void onLink(Statement.OnLink statement) {
        Link first = statement.directions().get(0);
        int from = conditions.host(first.from());
        int to = conditions.host(first.to());
        if (statement.action() == LinkAction.HEAL) {
            world.note("heal " + from + (statement.directions().size() > 1 ? " - " : " -> ") + to);
            statement
                    .directions()
                    .forEach(link -> cluster.network().heal(conditions.host(link.from()), conditions.host(link.to())));
        } else if (statement.directions().size() > 1) {
            cluster.cut(from, to);
        } else {
            cluster.cutOneWay(from, to);
        }
    }

    private void onRequest(Statement statement) {
        if (statement instanceof Statement.CreateTopic topic) {
            create(topic(topic.replicas()));
        } else if (statement instanceof Statement.Transfer transfer) {
            cluster.transferLeader(conditions.host(transfer.to()));
        } else if (statement instanceof Statement.MinIsr minIsr) {
            levers.minInsyncReplicas(minIsr.replicas());
        } else if (statement instanceof Statement.Overlook overlook) {
            overlook(overlook.invariant());
        } else if (statement instanceof Statement.ShowStates) {
            world.afterEach(this::noteState);
        } else if (statement instanceof Statement.Produce produce) {
            cluster.produce(conditions.host(produce.to()), produce.value());
        } else {
            throw new IllegalArgumentException("cannot play " + statement);
        }
    }

    private void noteState() {
        PartitionState state = cluster.checks().recorded(SimCluster.PARTITION);
        if (state != null && !state.equals(shown)) {
            shown = state;
            world.note("recorded: " + leader(state) + " in epoch " + state.leaderEpoch() + ", in sync " + state.isr()
                    + ", eligible " + state.eligible() + ", minimum " + state.effectiveMinIsr());
        }
    }

    private static String leader(PartitionState state) {
        return state.hasLeader() ? "leader " + state.leader() : "no leader";
    }

    private void overlook(String invariant) {
        if (!cluster.checks().overlook(invariant)) {
            throw new Failure("nothing is checked under the name of " + invariant);
        }
    }

    private void create(TopicSpec spec) {
        try {
            cluster.createTopic(spec);
        } catch (Violation e) {
            throw e;
        } catch (IllegalStateException e) {
            throw new Failure(String.valueOf(e.getMessage()).lines().findFirst().orElse("no topic"));
        }
    }

    private TopicSpec topic(int replicas) {
        SortedMap<String, String> configs = new TreeMap<>();
        configs.put("min.insync.replicas", Integer.toString(script.shape().minInsyncReplicas()));
        return new TopicSpec(SimCluster.PARTITION.topic(), 1, replicas, configs);
    }

    private void await(Statement.Await await) {
        boolean came = world.runUntil(() -> conditions.holds(await.condition()), Duration.ofMillis(await.withinMs()));
        if (!came) {
            throw new Failure("waited in vain: " + conditions.found(await.condition()));
        }
    }

    private void expect(Condition condition) {
        if (!conditions.holds(condition)) {
            throw new Failure("not as expected: " + conditions.found(condition));
        }
    }
}
