package io.tidemark.coordination.broker;

import io.tidemark.coordination.broker.RegistrationFailure.Reason;
import io.tidemark.coordination.broker.RegistrationRule.Verdict;
import io.tidemark.coordination.zookeeper.Decoded;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkContent;
import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.coordination.zookeeper.ZkSession.ZkWatch;
import io.tidemark.coordination.zookeeper.ZkSkeleton;
import io.tidemark.coordination.zookeeper.ZkStat;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a broker registered in {@code /brokers/ids/<id>} for as long as its process lives (DESIGN section 6, KNOWN_BUGS
 * 45 and 46). Confined to the loop of its session; never blocks.
 *
 * <pre>
 * connected -> the cluster's id is ours -> recorded incarnation -> EXAMINE the node, watching it
 *   EXAMINE: no node    create, EXAMINE again
 *            REPLACE    delete, EXAMINE again
 *            OURS       beforeAnnounce, then registered
 *            ASK        a live rival answers: failed. Else wait for the node to go, then EXAMINE; failed if a node of
 *                       somebody else stands after 3/2 session timeouts
 * the node changes or goes, or the connection is back     from the start; lost is told if the node is not ours any more
 * the session expired                                     lost, and from the start with the next session
 * a reply is lost                                         from the start: what was done shows in EXAMINE
 * </pre>
 *
 * <p>The broker counts as registered only while the node's owner is the current session. Its epoch is the node's czxid.
 * The process nonce stays the same for the life of the process; each registration names the epoch that it continues.
 */
public final class BrokerRegistrar {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerRegistrar.class);
    private static final int MAX_OWN_EPOCHS = 64;
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration DEREGISTER_LIMIT = Duration.ofSeconds(3);

    private final RegistrarPorts ports;
    private final ZkSession session;
    private final String clusterId;
    private final BrokerRegistration self;
    private final String path;
    private final RegistrationListener listener;

    private final TreeSet<Long> ownEpochs = new TreeSet<>();
    private @Nullable BrokerRegistration announced;
    private OptionalLong recordedEpoch = OptionalLong.empty();
    private boolean hadNode;
    private boolean ended;
    /** Counts attempts: answers to an earlier one are ignored. */
    private int attempt;

    private @Nullable Cancellable retry;
    private @Nullable Cancellable rivalDeadline;
    /** A dead owner's node would be gone by now. */
    private boolean rivalOverdue;

    /**
     * @param clusterId what {@link ClusterIdentity} found
     * @param self what to register; {@link BrokerRegistration#continuesEpoch()} is what the process could prove when it
     *     started, its broker epoch is not used
     */
    public BrokerRegistrar(
            RegistrarPorts ports, String clusterId, BrokerRegistration self, RegistrationListener listener) {
        this.ports = ports;
        this.session = ports.session();
        this.clusterId = clusterId;
        this.self = self;
        this.path = ZkPaths.broker(self.id());
        this.listener = listener;
    }

    /** Starts; called once. The broker listens on its peer address already, since others may ask who it is. */
    public void start() {
        session.onState(this::onState);
    }

    /**
     * Takes the registration back before the session is closed. Calls {@code done} on the loop, also if ZooKeeper cannot
     * be reached: after 3 s at the latest.
     */
    public void deregister(Runnable done) {
        ports.loop().execute(() -> {
            end();
            Runnable once = once(done);
            ports.loop().schedule(DEREGISTER_LIMIT, once);
            session.get(path, ZkWatch.NONE, answer -> deleteIfOurs(answer, once));
        });
    }

    private void deleteIfOurs(ZkResult<ZkNode> answer, Runnable done) {
        ZkNode node = answer.value();
        if (node != null && node.stat().ephemeralOwner() == session.sessionId()) {
            session.delete(path, node.stat().version(), deleted -> done.run());
        } else {
            done.run();
        }
    }

    private void onState(ZkSession.State state) {
        if (ended) {
            return;
        }
        // What is known about a rival's session is worth nothing across a gap: a restarted server gives it a new life.
        cancelRivalDeadline();
        switch (state) {
            case CONNECTED -> begin();
            case EXPIRED -> onExpired();
            case SUSPENDED -> LOG.info("broker {}: not connected to ZooKeeper", self.id());
        }
    }

    private void onExpired() {
        newAttempt();
        tellLost();
    }

    private void begin() {
        newAttempt();
        ZkSkeleton.ensure(
                session,
                step((ZkResult<Void> made) -> session.get(ZkPaths.CLUSTER_ID, ZkWatch.NONE, step(this::onClusterId))));
    }

    private void onClusterId(ZkResult<ZkNode> answer) {
        ZkNode node = answer.value();
        if (node == null) {
            LOG.error("broker {}: ZooKeeper has no {} any more; not registering", self.id(), ZkPaths.CLUSTER_ID);
            retryLater();
            return;
        }
        Decoded<String> found = ZkCodec.decodeClusterId(node.data());
        if (!found.isOk()) {
            fail(Reason.BAD_NODE, found.problem());
        } else if (!clusterId.equals(found.value())) {
            fail(
                    Reason.OTHER_CLUSTER,
                    "ZooKeeper holds cluster " + found.value() + ", this broker belongs to cluster " + clusterId);
        } else {
            session.get(ZkPaths.incarnation(self.id()), ZkWatch.NONE, step(this::onIncarnation));
        }
    }

    private void onIncarnation(ZkResult<ZkNode> answer) {
        ZkNode node = answer.value();
        ZkContent.@Nullable Incarnation recorded = node == null
                ? null
                : ZkCodec.decodeIncarnation(self.id(), node.data()).value();
        recordedEpoch = recorded == null
                ? OptionalLong.empty()
                : OptionalLong.of(recorded.registration().brokerEpoch());
        examine();
    }

    private void examine() {
        int asked = attempt;
        ZkWatch watch = changedPath -> {
            if (asked == attempt) {
                begin();
            }
        };
        session.get(path, watch, step(this::onOwnNode));
    }

    private void onOwnNode(ZkResult<ZkNode> answer) {
        ZkNode node = answer.value();
        if (node == null) {
            tellLost();
            create();
            return;
        }
        BrokerRegistration found = ZkCodec.decodeBroker(self.id(), node).value();
        Verdict verdict =
                RegistrationRule.judge(found, node.stat().ephemeralOwner(), session.sessionId(), self, hadNode);
        if (verdict == Verdict.OURS && found != null) {
            onOurs(found);
            return;
        }
        tellLost();
        switch (verdict) {
            case REPLACE -> session.delete(path, node.stat().version(), step((ZkResult<Void> deleted) -> examine()));
            case ASK -> ask(found);
            default -> fail(Reason.BAD_NODE, path + " is a persistent node, which no broker makes: delete it");
        }
    }

    private void create() {
        long continues = RegistrationRule.continues(recordedEpoch, ownEpochs, self.continuesEpoch());
        session.create(path, ZkCodec.encodeBroker(continuing(continues)), CreateMode.EPHEMERAL, step(this::onCreated));
    }

    private BrokerRegistration continuing(long epoch) {
        return new BrokerRegistration(
                self.id(),
                self.brokerEpoch(),
                self.processNonce(),
                self.client(),
                self.peer(),
                self.http(),
                self.rack(),
                self.directoryIds(),
                epoch);
    }

    private void onCreated(ZkResult<ZkStat> answer) {
        if (answer.kind() == Kind.NO_NODE) {
            retryLater();
            return;
        }
        hadNode = hadNode || answer.isOk();
        examine();
    }

    private void onOurs(BrokerRegistration found) {
        cancelRivalDeadline();
        hadNode = true;
        if (announced != null && announced.brokerEpoch() == found.brokerEpoch()) {
            return;
        }
        tellLost();
        ownEpochs.add(found.brokerEpoch());
        if (ownEpochs.size() > MAX_OWN_EPOCHS) {
            ownEpochs.pollFirst();
        }
        int asked = attempt;
        listener.beforeAnnounce(
                found,
                () -> ports.loop().execute(() -> {
                    if (asked == attempt && announced == null) {
                        announce(found);
                    }
                }));
    }

    private void announce(BrokerRegistration registration) {
        announced = registration;
        LOG.info(
                "broker {} is registered with epoch {}, continuing {}",
                self.id(),
                registration.brokerEpoch(),
                registration.continuesEpoch());
        listener.registered(registration);
    }

    private void ask(@Nullable BrokerRegistration other) {
        LOG.warn("broker {}: {} is of another session and process ({})", self.id(), path, describe(other));
        if (rivalOverdue) {
            failInUse(other);
            return;
        }
        if (rivalDeadline == null) {
            Duration limit = ports.sessionTimeout().multipliedBy(3).dividedBy(2);
            rivalDeadline = ports.loop().schedule(limit, this::onRivalDeadline);
        }
        if (other != null) {
            int asked = attempt;
            ports.peers()
                    .identify(
                            other,
                            identity -> ports.loop().execute(() -> {
                                if (asked == attempt && RegistrationRule.isRival(identity, clusterId, self)) {
                                    failInUse(other);
                                }
                            }));
        }
    }

    private void onRivalDeadline() {
        rivalDeadline = null;
        rivalOverdue = true;
        begin();
    }

    private void failInUse(@Nullable BrokerRegistration other) {
        fail(
                Reason.ID_IN_USE,
                "broker id " + self.id() + " is in use by another live process (" + describe(other) + ")");
    }

    private static String describe(@Nullable BrokerRegistration other) {
        return other == null ? "its registration cannot be read" : "peer address " + other.peer();
    }

    /** Goes on with {@code next} unless the answer is of an earlier attempt or says that this one is over. */
    private <T> Consumer<ZkResult<T>> step(Consumer<ZkResult<T>> next) {
        int asked = attempt;
        return answer -> {
            if (asked == attempt) {
                proceed(answer, next);
            }
        };
    }

    private <T> void proceed(ZkResult<T> answer, Consumer<ZkResult<T>> next) {
        switch (answer.kind()) {
            case CONNECTION_LOST, SESSION_EXPIRED, FAILED -> retryLater();
            case NOT_AUTHORISED -> fail(Reason.NOT_AUTHORISED, "ZooKeeper refuses access to the nodes of the cluster");
            default -> next.accept(answer);
        }
    }

    private void retryLater() {
        newAttempt();
        retry = ports.loop().schedule(RETRY, this::begin);
    }

    private void newAttempt() {
        attempt++;
        if (retry != null) {
            retry.cancel();
            retry = null;
        }
    }

    private void tellLost() {
        if (announced != null) {
            LOG.warn("broker {}: registration with epoch {} is gone", self.id(), announced.brokerEpoch());
            announced = null;
            listener.lost();
        }
    }

    private void fail(Reason reason, String message) {
        if (!ended) {
            end();
            listener.failed(new RegistrationFailure(reason, message));
        }
    }

    private void end() {
        ended = true;
        announced = null;
        newAttempt();
        cancelRivalDeadline();
    }

    private void cancelRivalDeadline() {
        rivalOverdue = false;
        if (rivalDeadline != null) {
            rivalDeadline.cancel();
            rivalDeadline = null;
        }
    }

    private static Runnable once(Runnable task) {
        boolean[] done = new boolean[1];
        return () -> {
            if (!done[0]) {
                done[0] = true;
                task.run();
            }
        };
    }
}
