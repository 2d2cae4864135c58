package io.tidemark.coordination.controller;

import io.tidemark.coordination.zookeeper.Decoded;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkContent.Controller;
import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkOp;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.coordination.zookeeper.ZkSession.ZkWatch;
import io.tidemark.coordination.zookeeper.ZkStat;
import io.tidemark.model.Endpoint;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is the controller: one multi on two nodes, no recipe (DESIGN section 6).
 *
 * <pre>
 *   READING    epoch node, then controller node      -> STANDING (absent or our own), WATCHING (another's)
 *   STANDING   multi {epoch + 1 at its version, create /controller}
 *                                                     -> ELECTED, or READING on any failure or lost reply
 *   WATCHING   another is controller                  -> READING when its node changes or goes, or its process died
 *   READING    a controller's node whose process died -> TAKING
 *   TAKING     multi {epoch + 1 at its version, delete /controller at its version, create /controller}
 *                                                     -> as STANDING
 *   ELECTED    own node is watched                    -> READING when it goes, AWAITING on suspension or expiry
 *   AWAITING   no connection                          -> READING when connected
 * </pre>
 *
 * <p>The mandate is dropped on suspension and taken up only by a new election with a higher epoch, also when our own node
 * still stands (CURATOR-696): that node is then replaced within the same multi. So is the node of a controller that is
 * proven dead, whose session has not ended yet. That the node is still the dead one's, though each fresh node has version 0,
 * follows from the epoch: it was read before the node, it rises with each new controller, and the multi checks it. Of
 * several brokers that try, one wins. Runs on one loop; the session answers on that loop.
 */
final class ControllerElection {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerElection.class);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(50);

    /** Told of every change, on the loop. */
    interface Listener {
        void elected(Mandate mandate);

        /** The mandate is gone: write and push nothing more under it. */
        void resigned();

        /** Another broker is the controller, or (null) nobody known is. */
        void controllerIs(@Nullable Controller controller);
    }

    /** {@code /controller_epoch} as read. */
    private record EpochNode(Decoded<Integer> epoch, int version) {}

    private enum Phase {
        IDLE,
        AWAITING,
        READING,
        STANDING,
        TAKING,
        WATCHING,
        ELECTED
    }

    private final ZkSession session;
    private final EventLoop loop;
    private final int brokerId;
    private final Endpoint peer;
    private final Listener listener;

    private Phase phase = Phase.IDLE;
    /** Rises with every attempt: answers and watches of earlier ones are void. */
    private long attempt;

    private Cancellable retry = () -> {};
    /** Who is watched while in that phase, if its node can be read. */
    private @Nullable Controller watched;
    /** Whose process has ended: its node is not waited for, once. */
    private @Nullable Controller dead;

    ControllerElection(ZkSession session, EventLoop loop, int brokerId, Endpoint peer, Listener listener) {
        this.session = session;
        this.loop = loop;
        this.brokerId = brokerId;
        this.peer = peer;
        this.listener = listener;
    }

    /** Stands for election from now on, whenever the session is connected. */
    void start() {
        phase = Phase.AWAITING;
        session.onState(this::onState);
    }

    /** Gives up the mandate, if there is one, by deleting the own node, and stands again after a pause. */
    void resign() {
        if (phase == Phase.ELECTED) {
            leaveOffice();
            phase = Phase.READING;
            session.delete(ZkPaths.CONTROLLER, ZkSession.ANY_VERSION, answer -> readAfterPause());
        }
    }

    /** The other broker that is the controller, as far as is known. */
    @Nullable
    Controller watched() {
        return phase == Phase.WATCHING ? watched : null;
    }

    /** That controller's process is proven to have ended: takes its office, unless somebody else has. */
    void takeOver(Controller ended) {
        if (ended.equals(watched())) {
            dead = ended;
            read();
        }
    }

    /** Gives up the mandate and stands no more. */
    void stop() {
        boolean elected = phase == Phase.ELECTED;
        if (elected) {
            leaveOffice();
        }
        phase = Phase.IDLE;
        attempt++;
        retry.cancel();
        if (elected) {
            session.delete(ZkPaths.CONTROLLER, ZkSession.ANY_VERSION, answer -> {});
        }
    }

    private void onState(ZkSession.State state) {
        if (phase == Phase.IDLE) {
            return;
        }
        if (state == ZkSession.State.CONNECTED) {
            if (phase == Phase.AWAITING) {
                read();
            }
            return;
        }
        if (phase == Phase.ELECTED) {
            leaveOffice();
        }
        phase = Phase.AWAITING;
        attempt++;
    }

    private void leaveOffice() {
        attempt++;
        listener.resigned();
        listener.controllerIs(null);
    }

    private void read() {
        phase = Phase.READING;
        long mine = ++attempt;
        session.get(ZkPaths.CONTROLLER_EPOCH, ZkWatch.NONE, answer -> {
            if (mine == attempt) {
                onEpochNode(answer);
            }
        });
    }

    private void onEpochNode(ZkResult<ZkNode> answer) {
        ZkNode node = answer.value();
        if (answer.isOk() && node != null) {
            Decoded<Integer> epoch = ZkCodec.decodeControllerEpoch(node.data());
            if (epoch.isOk()) {
                readController(new EpochNode(epoch, node.stat().version()));
            } else {
                LOG.error("nobody can be elected controller: {}", epoch.problem());
                readAfterPause();
            }
        } else if (answer.kind() == ZkResult.Kind.NO_NODE) {
            String first = ZkCodec.encodeControllerEpoch(0, ZkCodec.NOTHING_CARRIED);
            session.create(ZkPaths.CONTROLLER_EPOCH, first, CreateMode.PERSISTENT, created -> readAfterPause());
        } else {
            readAfterPause();
        }
    }

    private void readController(EpochNode current) {
        long mine = attempt;
        ZkWatch changed = path -> {
            if (mine == attempt && phase == Phase.WATCHING) {
                read();
            }
        };
        session.get(ZkPaths.CONTROLLER, changed, answer -> {
            if (mine == attempt) {
                onControllerNode(current, answer);
            }
        });
    }

    private void onControllerNode(EpochNode current, ZkResult<ZkNode> answer) {
        ZkNode node = answer.value();
        if (answer.isOk() && node != null) {
            onControllerNode(current, node);
        } else if (answer.kind() == ZkResult.Kind.NO_NODE) {
            stand(Phase.STANDING, current, null);
        } else {
            readAfterPause();
        }
    }

    private void onControllerNode(EpochNode current, ZkNode node) {
        Controller controller = ZkCodec.decodeController(node.data()).value();
        boolean isDead = controller != null && controller.equals(dead);
        dead = null;
        if (node.stat().ephemeralOwner() == session.sessionId()) {
            stand(Phase.STANDING, current, node.stat());
        } else if (isDead) {
            stand(Phase.TAKING, current, node.stat());
        } else {
            phase = Phase.WATCHING;
            watched = controller;
            listener.controllerIs(controller);
        }
    }

    private void stand(Phase how, EpochNode current, @Nullable ZkStat replaced) {
        phase = how;
        int epoch = current.epoch().orThrow() + 1;
        List<ZkOp> operations = new ArrayList<>();
        String raised = ZkCodec.encodeControllerEpoch(epoch, current.epoch().carry());
        operations.add(new ZkOp.SetData(ZkPaths.CONTROLLER_EPOCH, raised, current.version()));
        if (replaced != null) {
            operations.add(new ZkOp.Delete(ZkPaths.CONTROLLER, replaced.version()));
        }
        Controller self = new Controller(brokerId, peer, epoch);
        operations.add(new ZkOp.Create(ZkPaths.CONTROLLER, ZkCodec.encodeController(self), CreateMode.EPHEMERAL));
        long mine = attempt;
        session.multi(operations, answer -> {
            if (mine != attempt) {
                return;
            }
            if (answer.isOk()) {
                takeOffice(self, new Mandate(epoch, current.version() + 1));
            } else {
                readAfterPause();
            }
        });
    }

    private void takeOffice(Controller self, Mandate mandate) {
        phase = Phase.ELECTED;
        long mine = attempt;
        ZkWatch gone = path -> {
            if (mine == attempt && phase == Phase.ELECTED) {
                leaveOffice();
                read();
            }
        };
        session.exists(ZkPaths.CONTROLLER, gone, answer -> {
            boolean ours =
                    answer.isOk() && answer.value() != null && answer.value().ephemeralOwner() == session.sessionId();
            if (mine == attempt && phase == Phase.ELECTED && !ours && answer.kind() != ZkResult.Kind.CONNECTION_LOST) {
                leaveOffice();
                read();
            }
        });
        listener.controllerIs(self);
        listener.elected(mandate);
    }

    private void readAfterPause() {
        if (phase == Phase.AWAITING || phase == Phase.IDLE) {
            return;
        }
        long mine = ++attempt;
        phase = Phase.READING;
        retry.cancel();
        retry = loop.schedule(RETRY_PAUSE, () -> {
            if (mine == attempt && phase == Phase.READING) {
                read();
            }
        });
    }
}
