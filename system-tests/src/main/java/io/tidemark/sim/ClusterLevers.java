package io.tidemark.sim;

import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkContent.Controller;
import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkPaths;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What plans do to a cluster beside the faults that {@link SimCluster} has as methods. What lasts is ended by the task that comes
 * back; ending it changes nothing for a process that was started since.
 */
public final class ClusterLevers {
    private final SimCluster cluster;

    public ClusterLevers(SimCluster cluster) {
        this.cluster = cluster;
    }

    /** The controller as ZooKeeper has it, dead or alive. */
    public OptionalInt controller() {
        ZkNode node = cluster.zooKeeper().tree().get(ZkPaths.CONTROLLER).value();
        Controller known =
                node == null ? null : ZkCodec.decodeController(node.data()).value();
        return known == null ? OptionalInt.empty() : OptionalInt.of(known.brokerId());
    }

    /** Stops the broker's process in its tracks. */
    public Runnable pause(int id) {
        cluster.pause(id);
        return whileItLives(id, process -> {
            if (process.threads().isPaused()) {
                cluster.resume(id);
            }
        });
    }

    /** Cuts the broker off from ZooKeeper. */
    public Runnable cutFromZooKeeper(int id) {
        cluster.cutFromZooKeeper(id);
        return whileItLives(id, process -> healZooKeeper(id, process));
    }

    /** Cuts the way back from ZooKeeper to the broker. */
    public Runnable cutZooKeeperReplies(int id) {
        SimProcess process = process(id);
        if (process != null) {
            cluster.world().note("cut ZooKeeper's replies to broker " + id);
            process.zooKeeper().cutReplies();
        }
        return whileItLives(id, living -> healZooKeeper(id, living));
    }

    private void healZooKeeper(int id, SimProcess process) {
        cluster.world().note("broker " + id + " reaches ZooKeeper again");
        process.zooKeeper().heal();
    }

    /** Makes the clock of the broker's process faster, or slower. */
    public Runnable driftClock(int id, int ppm) {
        cluster.driftClock(id, ppm);
        return whileItLives(id, process -> cluster.driftClock(id, 0));
    }

    /** Moves the hand of the wall clock of the broker's process. */
    public void jumpWallClock(int id, int byMs) {
        SimProcess process = process(id);
        if (process != null) {
            cluster.world().note("the wall clock of broker " + id + " jumps by " + byMs + " ms");
            process.threads().jumpWall(Duration.ofMillis(byMs));
        }
    }

    /** Ends the sessions of all brokers. */
    public void expireAllSessions() {
        cluster.brokerIds().forEach(cluster::expireSession);
    }

    /** Kills the ensemble; it comes back with its data. */
    public Runnable stopZooKeeper() {
        cluster.world().note("stop ZooKeeper");
        cluster.zooKeeper().stop();
        return () -> {
            cluster.world().note("start ZooKeeper");
            cluster.zooKeeper().start();
        };
    }

    /** Stops the ensemble in its tracks. */
    public Runnable pauseZooKeeper() {
        cluster.world().note("pause ZooKeeper");
        cluster.zooKeeper().pause();
        return () -> {
            cluster.world().note("resume ZooKeeper");
            cluster.zooKeeper().resume();
        };
    }

    /** Holds messages of one kind on one link. */
    public Runnable hold(MessageKind kind, int from, int to) {
        cluster.world().note("hold " + kind.text() + " " + from + " -> " + to);
        MessageGate gate = cluster.network().hold(kind, from, to);
        return () -> {
            cluster.world().note("release " + kind.text() + " " + from + " -> " + to);
            gate.release();
        };
    }

    /** Asks for another minimum of in-sync replicas. */
    public void minInsyncReplicas(int replicas) {
        cluster.world().note("set min.insync.replicas to " + replicas);
        SortedMap<String, String> configs = new TreeMap<>();
        configs.put("min.insync.replicas", Integer.toString(replicas));
        cluster.ask(token -> new ClusterEvent.TopicConfigsRequested(token, SimCluster.PARTITION.topic(), configs));
    }

    private @Nullable SimProcess process(int id) {
        SimHost host = cluster.hosts().get(id);
        return host == null ? null : host.occupant();
    }

    // The process itself is meant: another life of the broker is another process.
    @SuppressWarnings("ReferenceEquality")
    private Runnable whileItLives(int id, Consumer<SimProcess> end) {
        SimProcess struck = process(id);
        if (struck == null) {
            return () -> {};
        }
        return () -> {
            if (process(id) == struck) {
                end.accept(struck);
            }
        };
    }
}
