package io.tidemark.sim;

import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkOp;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkStat;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A client of the simulated ensemble, with the timers of a real one: it pings after 1/3 of the session timeout, takes the
 * connection for broken after 2/3 of silence, and gives its session up after 4/3.
 *
 * <p>Faults of its process and its line are methods: {@link #pause}, {@link #kill}, {@link #cut}, {@link #cutReplies},
 * {@link #loseNextReply}.
 */
public final class SimZooKeeperClient implements ZkSession {
    private final SimZooKeeper server;
    private final SimZooKeeper.ClientSide side;
    private final EventLoop loop;
    private final Duration timeout;
    private final SimZooKeeperLink toServer;
    private final SimZooKeeperLink toClient;
    private final ArrayDeque<Request<?>> outstanding = new ArrayDeque<>();
    private final List<Runnable> inbox = new ArrayList<>();
    private final List<Consumer<State>> listeners = new ArrayList<>();

    private @Nullable Cancellable ticking;
    private State state = State.SUSPENDED;
    private boolean connected;
    private boolean wasConnected;
    private boolean closed;
    private boolean killed;
    private boolean paused;
    private boolean loseReply;
    /** Counts connections: what belongs to an earlier one is ignored. */
    private int connection;

    private long session;
    private long toldSession;
    private long lastHeardNs;
    private long lastSentNs;

    /** An operation that has no answer yet. */
    static final class Request<T> {
        private final LongFunction<ZkResult<T>> operation;
        private final Consumer<ZkResult<T>> answer;
        private int connection;
        private long sessionId;

        private Request(LongFunction<ZkResult<T>> operation, Consumer<ZkResult<T>> answer) {
            this.operation = operation;
            this.answer = answer;
        }

        int connection() {
            return connection;
        }

        long sessionId() {
            return sessionId;
        }
    }

    /** A watch that a client has only if it got the reply that set it. */
    private static final class Armed implements ZkWatch {
        private final ZkWatch watch;
        private boolean replied;

        private Armed(ZkWatch watch) {
            this.watch = watch;
        }

        private ZkWatch orNone() {
            return watch == ZkWatch.NONE ? ZkWatch.NONE : this;
        }

        private <T> Consumer<ZkResult<T>> before(Consumer<ZkResult<T>> answer) {
            return result -> {
                replied = result.kind() != Kind.CONNECTION_LOST && result.kind() != Kind.SESSION_EXPIRED;
                answer.accept(result);
            };
        }

        @Override
        public void fired(String path) {
            if (replied) {
                watch.fired(path);
            }
        }
    }

    SimZooKeeperClient(SimZooKeeper server, SimZooKeeper.ClientSide side, Duration timeout) {
        this.server = server;
        this.side = side;
        this.loop = side.loop();
        this.timeout = timeout;
        this.toServer = server.newLink(side.randomness().fork("to-server"));
        this.toClient = server.newLink(side.randomness().fork("to-client"));
    }

    void start() {
        ticking = side.scheduler().scheduleEvery(timeout.dividedBy(12), this::tick);
        attempt();
    }

    /** Cuts the line in both directions, silently. */
    public void cut() {
        toServer.cut();
        toClient.cut();
    }

    /** Cuts the way back alone: operations are done, nobody hears of it. */
    public void cutReplies() {
        toClient.cut();
    }

    /** Ends a cut. What was on its way arrives late: an operation may be done after its caller was told it is unknown. */
    public void heal() {
        toServer.heal();
        toClient.heal();
    }

    /** The next operation is done, its reply is lost, and the connection breaks. */
    public void loseNextReply() {
        loseReply = true;
    }

    /** The process stops in its tracks, as by SIGSTOP; its loop is for the caller to stop. */
    public void pause() {
        paused = true;
    }

    /** The process goes on; it notices first how long it heard nothing. */
    public void resume() {
        paused = false;
        tick();
        List<Runnable> waiting = List.copyOf(inbox);
        inbox.clear();
        waiting.forEach(this::whenRunning);
    }

    /** The process is gone; the ensemble learns of it by silence. */
    public void kill() {
        killed = true;
        outstanding.clear();
        inbox.clear();
        stopTicking();
    }

    @Override
    public void create(String path, String data, CreateMode mode, Consumer<ZkResult<ZkStat>> answer) {
        submit(id -> server.tree().create(id, path, data, mode), answer);
    }

    @Override
    public void delete(String path, int version, Consumer<ZkResult<Void>> answer) {
        submit(id -> server.tree().delete(id, path, version), answer);
    }

    @Override
    public void set(String path, String data, int version, Consumer<ZkResult<ZkStat>> answer) {
        submit(id -> server.tree().set(id, path, data, version), answer);
    }

    @Override
    public void get(String path, ZkWatch watch, Consumer<ZkResult<ZkNode>> answer) {
        Armed armed = new Armed(watch);
        submit(
                id -> {
                    ZkResult<ZkNode> result = server.tree().get(path);
                    if (result.isOk()) {
                        server.watches().onNode(id, path, armed.orNone());
                    }
                    return result;
                },
                armed.before(answer));
    }

    @Override
    public void exists(String path, ZkWatch watch, Consumer<ZkResult<ZkStat>> answer) {
        Armed armed = new Armed(watch);
        submit(
                id -> {
                    server.watches().onNode(id, path, armed.orNone());
                    return server.tree().exists(path);
                },
                armed.before(answer));
    }

    @Override
    public void children(String path, ZkWatch watch, Consumer<ZkResult<List<String>>> answer) {
        Armed armed = new Armed(watch);
        submit(
                id -> {
                    ZkResult<List<String>> result = server.tree().children(path);
                    if (result.isOk()) {
                        server.watches().onChildren(id, path, armed.orNone());
                    }
                    return result;
                },
                armed.before(answer));
    }

    @Override
    public void multi(List<ZkOp> operations, Consumer<ZkResult<List<ZkStat>>> answer) {
        List<ZkOp> asked = List.copyOf(operations);
        submit(id -> server.tree().multi(id, asked), answer);
    }

    @Override
    public long sessionId() {
        return toldSession;
    }

    @Override
    public void onState(Consumer<State> listener) {
        loop.execute(() -> {
            listeners.add(listener);
            listener.accept(state);
        });
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        stopTicking();
        int last = connection;
        long id = session;
        toServer.send(() -> server.onClose(this, last, id));
        failOutstanding(Kind.CONNECTION_LOST);
    }

    SimZooKeeperLink toClient() {
        return toClient;
    }

    boolean takeLostReply() {
        boolean lose = loseReply;
        loseReply = false;
        return lose;
    }

    void onConnected(int accepted, long id) {
        whenCurrent(accepted, () -> {
            connected = true;
            wasConnected = true;
            session = id;
            lastHeardNs = side.clock().monotonicNs();
            tell(State.CONNECTED, id);
            outstanding.forEach(this::transmit);
        });
    }

    void onRefused(int attempted) {
        whenCurrent(attempted, this::onAttemptFailed);
    }

    void onExpired(int attempted) {
        whenCurrent(attempted, this::loseSession);
    }

    void onBroken(int broken) {
        whenCurrent(broken, this::disconnect);
    }

    void onPong(int of) {
        whenCurrent(of, () -> lastHeardNs = side.clock().monotonicNs());
    }

    <T> void onReply(Request<T> request, ZkResult<T> result) {
        whenCurrent(request.connection, () -> {
            lastHeardNs = side.clock().monotonicNs();
            if (outstanding.poll() != request) {
                throw new IllegalStateException("a reply out of order");
            }
            loop.execute(() -> request.answer.accept(result));
        });
    }

    void onWatch(int of, SimZooKeeper.Fired fired) {
        whenCurrent(of, () -> {
            lastHeardNs = side.clock().monotonicNs();
            server.onTaken(session, fired);
            loop.execute(() -> fired.watch().fired(fired.path()));
        });
    }

    private void tick() {
        if (closed || killed || paused) {
            return;
        }
        Duration silence = Duration.ofNanos(side.clock().monotonicNs() - lastHeardNs);
        if (connected && isLonger(silence, timeout.multipliedBy(2).dividedBy(3))) {
            disconnect();
        } else if (connected && isPingDue()) {
            int current = connection;
            long id = session;
            lastSentNs = side.clock().monotonicNs();
            toServer.send(() -> server.onPing(this, current, id));
        } else if (!connected
                && session != 0
                && isLonger(silence, timeout.multipliedBy(4).dividedBy(3))) {
            loseSession();
        }
    }

    private void stopTicking() {
        if (ticking != null) {
            ticking.cancel();
        }
    }

    private boolean isPingDue() {
        return isLonger(Duration.ofNanos(side.clock().monotonicNs() - lastSentNs), timeout.dividedBy(3));
    }

    private void attempt() {
        if (closed || killed) {
            return;
        }
        int attempted = ++connection;
        long id = session;
        toServer.send(() -> server.onConnect(this, attempted, id, timeout));
        side.scheduler()
                .schedule(
                        timeout.dividedBy(3),
                        () -> whenCurrent(attempted, () -> {
                            if (!connected) {
                                onAttemptFailed();
                            }
                        }));
    }

    private void onAttemptFailed() {
        failOutstanding(Kind.CONNECTION_LOST);
        attemptLater();
    }

    private void attemptLater() {
        int ended = ++connection;
        Duration pause = Duration.ofMillis(1 + side.randomness().nextInt(200));
        side.scheduler().schedule(pause, () -> whenCurrent(ended, this::attempt));
    }

    private void disconnect() {
        connected = false;
        failOutstanding(Kind.CONNECTION_LOST);
        tell(State.SUSPENDED, session);
        attemptLater();
    }

    private void loseSession() {
        connected = false;
        session = 0;
        failOutstanding(Kind.SESSION_EXPIRED);
        tell(State.EXPIRED, toldSession);
        attempt();
    }

    private <T> void submit(LongFunction<ZkResult<T>> operation, Consumer<ZkResult<T>> answer) {
        if (closed || !wasConnected) {
            Kind kind = closed ? Kind.SESSION_EXPIRED : Kind.CONNECTION_LOST;
            loop.execute(() -> answer.accept(ZkResult.failed(kind)));
            return;
        }
        Request<T> request = new Request<>(operation, answer);
        outstanding.add(request);
        if (connected) {
            transmit(request);
        }
    }

    private <T> void transmit(Request<T> request) {
        request.connection = connection;
        request.sessionId = session;
        lastSentNs = side.clock().monotonicNs();
        toServer.send(() -> server.onRequest(this, request, request.operation));
    }

    private void failOutstanding(Kind kind) {
        List<Request<?>> failed = List.copyOf(outstanding);
        outstanding.clear();
        failed.forEach(request -> fail(request, kind));
    }

    private <T> void fail(Request<T> request, Kind kind) {
        loop.execute(() -> request.answer.accept(ZkResult.failed(kind)));
    }

    private void tell(State next, long sessionNow) {
        loop.execute(() -> {
            state = next;
            toldSession = sessionNow;
            List.copyOf(listeners).forEach(listener -> listener.accept(next));
        });
    }

    private void whenCurrent(int of, Runnable event) {
        whenRunning(() -> {
            if (of == connection && !closed) {
                event.run();
            }
        });
    }

    private void whenRunning(Runnable event) {
        if (paused) {
            inbox.add(event);
        } else if (!killed) {
            event.run();
        }
    }

    private static boolean isLonger(Duration silence, Duration limit) {
        return silence.compareTo(limit) >= 0;
    }
}
