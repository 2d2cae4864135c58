package io.tidemark.coordination.broker;

import io.tidemark.coordination.zookeeper.Decoded;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.coordination.zookeeper.ZkSession.State;
import io.tidemark.coordination.zookeeper.ZkSession.ZkWatch;
import io.tidemark.coordination.zookeeper.ZkSkeleton;
import io.tidemark.coordination.zookeeper.ZkStat;
import io.tidemark.runtime.EventLoop;
import io.tidemark.runtime.Randomness;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cluster's id in {@code /cluster/id}, or makes one up when cluster and broker are both new. A starting broker
 * does this before it touches its log directories: a directory of another cluster is refused. Confined to the loop of its
 * session; waits for ZooKeeper as long as it takes.
 */
public final class ClusterIdentity {
    private static final Duration RETRY = Duration.ofMillis(500);

    private final ZkSession session;
    private final EventLoop loop;
    private final Randomness randomness;
    private final Optional<String> own;
    private final Consumer<Resolved> answer;
    private boolean running;
    private boolean done;

    /**
     * @param clusterId null if the broker must not join
     * @param problem one line for the operator, empty if there is none
     */
    public record Resolved(@Nullable String clusterId, String problem) {}

    private ClusterIdentity(
            ZkSession session, EventLoop loop, Randomness randomness, Optional<String> own, Consumer<Resolved> answer) {
        this.session = session;
        this.loop = loop;
        this.randomness = randomness;
        this.own = own;
        this.answer = answer;
    }

    /**
     * Answers once, on the loop.
     *
     * @param loop the session's
     * @param own the id in the log directories' {@code meta.properties}; empty if all of them are new
     */
    public static void resolve(
            ZkSession session, EventLoop loop, Randomness randomness, Optional<String> own, Consumer<Resolved> answer) {
        ClusterIdentity identity = new ClusterIdentity(session, loop, randomness, own, answer);
        session.onState(state -> {
            if (state == State.CONNECTED) {
                identity.begin();
            }
        });
    }

    private void begin() {
        if (!running && !done) {
            running = true;
            ZkSkeleton.ensure(session, this::onSkeleton);
        }
    }

    private void onSkeleton(ZkResult<Void> made) {
        if (made.isOk()) {
            session.get(ZkPaths.CLUSTER_ID, ZkWatch.NONE, this::onNode);
        } else {
            giveUpOrRetry(made.kind());
        }
    }

    private void onNode(ZkResult<ZkNode> read) {
        ZkNode node = read.value();
        if (read.kind() == Kind.NO_NODE) {
            onNewCluster();
        } else if (node == null) {
            giveUpOrRetry(read.kind());
        } else {
            finish(compare(ZkCodec.decodeClusterId(node.data())));
        }
    }

    private Resolved compare(Decoded<String> found) {
        if (found.value() == null) {
            return new Resolved(null, found.problem());
        }
        if (own.isPresent() && !own.get().equals(found.value())) {
            return new Resolved(
                    null,
                    "the log directories belong to cluster " + own.get() + ", ZooKeeper holds cluster "
                            + found.value());
        }
        return new Resolved(found.value(), "");
    }

    private void onNewCluster() {
        if (own.isPresent()) {
            // An empty ZooKeeper knows none of the topics whose data lies here.
            finish(new Resolved(
                    null,
                    "the log directories belong to cluster " + own.get() + ", but ZooKeeper holds no cluster: wrong"
                            + " zookeeper.connect, or its data is lost"));
            return;
        }
        HexFormat hex = HexFormat.of();
        String id = hex.toHexDigits(randomness.nextLong()) + hex.toHexDigits(randomness.nextLong());
        session.create(ZkPaths.CLUSTER_ID, ZkCodec.encodeClusterId(id), CreateMode.PERSISTENT, this::onCreated);
    }

    private void onCreated(ZkResult<ZkStat> created) {
        if (created.isOk() || created.kind() == Kind.NODE_EXISTS) {
            session.get(ZkPaths.CLUSTER_ID, ZkWatch.NONE, this::onNode);
        } else {
            giveUpOrRetry(created.kind());
        }
    }

    private void giveUpOrRetry(Kind kind) {
        if (kind == Kind.NOT_AUTHORISED) {
            finish(new Resolved(null, "ZooKeeper refuses access to " + ZkPaths.CLUSTER_ID));
            return;
        }
        running = false;
        loop.schedule(RETRY, this::begin);
    }

    private void finish(Resolved resolved) {
        done = true;
        answer.accept(resolved);
    }
}
