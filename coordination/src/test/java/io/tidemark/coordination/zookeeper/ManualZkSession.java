package io.tidemark.coordination.zookeeper;

import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import io.tidemark.coordination.zookeeper.testkit.ZkTree;
import io.tidemark.coordination.zookeeper.testkit.ZkWatches;
import io.tidemark.runtime.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A session on a tree in memory, whose connection the test holds in its hand. Each operation is done when it is asked for. */
public final class ManualZkSession implements ZkSession {
    /** An ensemble that several sessions share. */
    public static final class Ensemble {
        private final List<ManualZkSession> clients = new ArrayList<>();
        private final ZkWatches watches = new ZkWatches(this::fire);
        private final ZkTree tree = new ZkTree(watches);

        /** The data, to look at and to change behind everybody's back. */
        public ZkTree tree() {
            return tree;
        }

        /** A client that is not connected yet. */
        public ManualZkSession client(EventLoop loop) {
            ManualZkSession client = new ManualZkSession(this, loop);
            clients.add(client);
            return client;
        }

        /** Ends a session, whether its client knows or not. */
        public void end(long session) {
            watches.endSession(session);
            tree.endSession(session);
        }

        private void fire(long session, String path, ZkWatch watch) {
            for (ManualZkSession client : clients) {
                if (client.sessionId == session) {
                    client.loop.execute(() -> watch.fired(path));
                }
            }
        }
    }

    private final Ensemble ensemble;
    private final EventLoop loop;
    private final List<Consumer<State>> listeners = new ArrayList<>();
    private State state = State.SUSPENDED;
    private long sessionId;
    private int repliesToLose;
    private int requestsToLose;

    private ManualZkSession(Ensemble ensemble, EventLoop loop) {
        this.ensemble = ensemble;
        this.loop = loop;
    }

    /** Connects, in the old session if it lives, else in a new one after {@code EXPIRED}. */
    public void connect() {
        if (sessionId != 0 && !ensemble.tree().isOpen(sessionId)) {
            tell(State.EXPIRED);
            sessionId = 0;
        }
        if (sessionId == 0) {
            sessionId = ensemble.tree().openSession();
        }
        tell(State.CONNECTED);
    }

    public void suspend() {
        tell(State.SUSPENDED);
    }

    /** The client gives its session up though the ensemble still holds it, as after a long outage. */
    public void forgetSession() {
        tell(State.EXPIRED);
        sessionId = 0;
    }

    /** The next {@code count} operations are done, but their callers never know. */
    public void loseReplies(int count) {
        repliesToLose = count;
    }

    /** The next {@code count} operations do not arrive. */
    public void loseRequests(int count) {
        requestsToLose = count;
    }

    @Override
    public void create(String path, String data, CreateMode mode, Consumer<ZkResult<ZkStat>> answer) {
        run(() -> ensemble.tree().create(sessionId, path, data, mode), answer);
    }

    @Override
    public void delete(String path, int version, Consumer<ZkResult<Void>> answer) {
        run(() -> ensemble.tree().delete(sessionId, path, version), answer);
    }

    @Override
    public void set(String path, String data, int version, Consumer<ZkResult<ZkStat>> answer) {
        run(() -> ensemble.tree().set(sessionId, path, data, version), answer);
    }

    @Override
    public void get(String path, ZkWatch watch, Consumer<ZkResult<ZkNode>> answer) {
        run(() -> watched(ensemble.tree().get(path), path, watch, WatchKind.NODE_IF_THERE), answer);
    }

    @Override
    public void exists(String path, ZkWatch watch, Consumer<ZkResult<ZkStat>> answer) {
        run(() -> watched(ensemble.tree().exists(path), path, watch, WatchKind.NODE_ALWAYS), answer);
    }

    @Override
    public void children(String path, ZkWatch watch, Consumer<ZkResult<List<String>>> answer) {
        run(() -> watched(ensemble.tree().children(path), path, watch, WatchKind.CHILDREN_IF_THERE), answer);
    }

    @Override
    public void multi(List<ZkOp> operations, Consumer<ZkResult<List<ZkStat>>> answer) {
        run(() -> ensemble.tree().multi(sessionId, operations), answer);
    }

    @Override
    public long sessionId() {
        return sessionId;
    }

    @Override
    public void onState(Consumer<State> listener) {
        listeners.add(listener);
        State now = state;
        loop.execute(() -> listener.accept(now));
    }

    @Override
    public void close() {
        ensemble.end(sessionId);
    }

    private enum WatchKind {
        NODE_IF_THERE,
        NODE_ALWAYS,
        CHILDREN_IF_THERE
    }

    private <T> ZkResult<T> watched(ZkResult<T> result, String path, ZkWatch watch, WatchKind kind) {
        if (kind == WatchKind.CHILDREN_IF_THERE && result.isOk()) {
            ensemble.watches.onChildren(sessionId, path, watch);
        } else if (kind == WatchKind.NODE_ALWAYS || (kind == WatchKind.NODE_IF_THERE && result.isOk())) {
            ensemble.watches.onNode(sessionId, path, watch);
        }
        return result;
    }

    private <T> void run(Supplier<ZkResult<T>> operation, Consumer<ZkResult<T>> answer) {
        ZkResult<T> result = attempt(operation);
        loop.execute(() -> answer.accept(result));
    }

    private <T> ZkResult<T> attempt(Supplier<ZkResult<T>> operation) {
        if (state != State.CONNECTED || requestsToLose-- > 0) {
            return ZkResult.failed(Kind.CONNECTION_LOST);
        }
        requestsToLose = 0;
        if (!ensemble.tree().isOpen(sessionId)) {
            return ZkResult.failed(Kind.SESSION_EXPIRED);
        }
        ZkResult<T> result = operation.get();
        return repliesToLose-- > 0 ? ZkResult.failed(Kind.CONNECTION_LOST) : result;
    }

    private void tell(State next) {
        state = next;
        List.copyOf(listeners).forEach(listener -> loop.execute(() -> listener.accept(next)));
    }
}
