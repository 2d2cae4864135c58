package io.tidemark.sim;

import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkSession.ZkWatch;
import io.tidemark.coordination.zookeeper.testkit.ZkTree;
import io.tidemark.coordination.zookeeper.testkit.ZkWatches;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoop;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * An ensemble in simulated time: one state machine behind one line per client, with sessions that live by heartbeats.
 * What it does follows from its scheduler and its randomness alone. Single-threaded.
 *
 * <p>Like a real one it answers a client's operations in order, ends a session that it has not heard of for its timeout,
 * keeps data and sessions through a restart (and gives every session a full timeout again), and delivers the watches that
 * fired while a client was away when it comes back in the same session.
 */
public final class SimZooKeeper {
    private final Clock clock;
    private final Scheduler scheduler;
    private final SeededRandomness randomness;
    private final Settings settings;
    private final ZkWatches watches = new ZkWatches(this::fire);
    private final List<ZkTree.Changes> observers = new ArrayList<>();
    private final ZkTree tree = new ZkTree(new ToldToAll());
    private final SortedMap<Long, Session> sessions = new TreeMap<>();
    private final List<Runnable> backlog = new ArrayList<>();
    private int connects;
    private boolean stopped;
    private boolean paused;

    /**
     * @param minDelay least time of a message on its way
     * @param maxDelay longest time of a message on its way
     * @param tick how often sessions are looked through
     */
    public record Settings(Duration minDelay, Duration maxDelay, Duration tick) {
        /** A local network and ticks of half a second. */
        public static final Settings DEFAULT =
                new Settings(Duration.ofNanos(200_000), Duration.ofMillis(2), Duration.ofMillis(500));
    }

    /** What a client lives on: the time, the loop that it answers on, and the chance of its process. */
    record ClientSide(Clock clock, Scheduler scheduler, EventLoop loop, SeededRandomness randomness) {}

    /** Watches hear of a change before those who only observe the run. */
    private final class ToldToAll implements ZkTree.Changes {
        @Override
        public void node(String path) {
            watches.node(path);
            observers.forEach(each -> each.node(path));
        }

        @Override
        public void children(String path) {
            watches.children(path);
            observers.forEach(each -> each.children(path));
        }
    }

    /** A watch on its way to its client. */
    record Fired(String path, ZkWatch watch) {}

    private static final class Session {
        private final long timeoutNs;
        private final List<Fired> undelivered = new ArrayList<>();
        private long lastHeardNs;
        private @Nullable SimZooKeeperClient client;
        private int connection;

        private Session(long timeoutNs) {
            this.timeoutNs = timeoutNs;
        }
    }

    public SimZooKeeper(Clock clock, Scheduler scheduler, SeededRandomness randomness, Settings settings) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.randomness = randomness;
        this.settings = settings;
        scheduler.scheduleEvery(settings.tick(), this::expireSessions);
    }

    /** A client that starts to connect now; it answers on {@code loop}. */
    public SimZooKeeperClient connect(EventLoop loop, Duration sessionTimeout) {
        connects++;
        return connect(new ClientSide(clock, scheduler, loop, randomness.fork("client/" + connects)), sessionTimeout);
    }

    /** A client of a simulated process, with the process's clock and randomness, that starts to connect now. */
    SimZooKeeperClient connect(ProcessThreads threads, EventLoop loop, Duration sessionTimeout) {
        SeededRandomness chance = threads.randomness().fork("zookeeper");
        return connect(new ClientSide(threads.clock(), threads, loop, chance), sessionTimeout);
    }

    private SimZooKeeperClient connect(ClientSide side, Duration sessionTimeout) {
        SimZooKeeperClient client = new SimZooKeeperClient(this, side, sessionTimeout);
        client.start();
        return client;
    }

    /** The data, for checks after each step. */
    public ZkTree tree() {
        return tree;
    }

    /** Tells of each change of the data as it is made. */
    public void observe(ZkTree.Changes observer) {
        observers.add(observer);
    }

    /** Ends a session as if its timeout had passed. */
    public void expire(long sessionId) {
        endSession(sessionId);
    }

    /** Kills the ensemble: connections break, nothing is served. */
    public void stop() {
        stopped = true;
        paused = false;
        backlog.clear();
        sessions.values().forEach(this::detach);
    }

    /** Starts it again with all its data; every session has its whole timeout before it. */
    public void start() {
        stopped = false;
        sessions.values().forEach(session -> session.lastHeardNs = clock.monotonicNs());
    }

    /** Stops it in its tracks: messages pile up, nobody is answered, no session ends. */
    public void pause() {
        paused = true;
    }

    /** Goes on after a pause. Whether overdue sessions end before the messages that piled up are read is chance. */
    public void resume() {
        paused = false;
        if (randomness.nextInt(2) == 0) {
            expireSessions();
        }
        List<Runnable> waiting = List.copyOf(backlog);
        backlog.clear();
        waiting.forEach(Runnable::run);
    }

    /** One direction of a client's line; the line has the world's time, not its client's. */
    SimZooKeeperLink newLink(SeededRandomness chance) {
        return new SimZooKeeperLink(clock, scheduler, chance, settings);
    }

    ZkWatches watches() {
        return watches;
    }

    /** A client asks for a connection, in its session or, with 0, in a new one. */
    void onConnect(SimZooKeeperClient client, int connection, long sessionId, Duration timeout) {
        if (stopped) {
            client.toClient().send(() -> client.onRefused(connection));
            return;
        }
        serve(() -> {
            long id = sessionId == 0 ? openSession(timeout) : sessionId;
            Session session = sessions.get(id);
            if (session == null) {
                client.toClient().send(() -> client.onExpired(connection));
                return;
            }
            session.client = client;
            session.connection = connection;
            session.lastHeardNs = clock.monotonicNs();
            client.toClient().send(() -> client.onConnected(connection, id));
            List.copyOf(session.undelivered).forEach(fired -> deliver(session, fired));
        });
    }

    /** A client shows that it lives. */
    void onPing(SimZooKeeperClient client, int connection, long sessionId) {
        serve(() -> {
            if (hear(client, connection, sessionId) != null) {
                client.toClient().send(() -> client.onPong(connection));
            }
        });
    }

    /** An operation arrives; {@code operation} does it for a session. */
    <T> void onRequest(
            SimZooKeeperClient client, SimZooKeeperClient.Request<T> request, LongFunction<ZkResult<T>> operation) {
        serve(() -> {
            if (hear(client, request.connection(), request.sessionId()) == null) {
                return;
            }
            ZkResult<T> result = operation.apply(request.sessionId());
            if (client.takeLostReply()) {
                client.toClient().send(() -> client.onBroken(request.connection()));
            } else {
                client.toClient().send(() -> client.onReply(request, result));
            }
        });
    }

    /** A client ends its session. */
    void onClose(SimZooKeeperClient client, int connection, long sessionId) {
        serve(() -> {
            if (hear(client, connection, sessionId) != null) {
                endSession(sessionId);
            }
        });
    }

    /** A client has taken a watch; it will not be delivered again. */
    void onTaken(long sessionId, Fired fired) {
        Session session = sessions.get(sessionId);
        if (session != null) {
            session.undelivered.remove(fired);
        }
    }

    private void serve(Runnable message) {
        if (paused) {
            backlog.add(message);
        } else if (!stopped) {
            message.run();
        }
    }

    private @Nullable Session hear(SimZooKeeperClient client, int connection, long sessionId) {
        Session session = sessions.get(sessionId);
        boolean attached = session != null && session.client == client && session.connection == connection;
        if (session == null || !attached) {
            client.toClient().send(() -> client.onBroken(connection));
            return null;
        }
        session.lastHeardNs = clock.monotonicNs();
        return session;
    }

    private long openSession(Duration timeout) {
        long id = tree.openSession();
        sessions.put(id, new Session(timeout.toNanos()));
        return id;
    }

    private void expireSessions() {
        if (stopped || paused) {
            return;
        }
        List<Long> overdue = new ArrayList<>();
        sessions.forEach((id, session) -> {
            if (clock.monotonicNs() - session.lastHeardNs >= session.timeoutNs) {
                overdue.add(id);
            }
        });
        overdue.forEach(this::endSession);
    }

    private void endSession(long id) {
        Session session = sessions.remove(id);
        if (session != null) {
            watches.endSession(id);
            tree.endSession(id);
            detach(session);
        }
    }

    private void detach(Session session) {
        SimZooKeeperClient client = session.client;
        if (client != null) {
            int connection = session.connection;
            client.toClient().send(() -> client.onBroken(connection));
            session.client = null;
        }
    }

    private void fire(long sessionId, String path, ZkWatch watch) {
        Session session = sessions.get(sessionId);
        if (session != null) {
            Fired fired = new Fired(path, watch);
            session.undelivered.add(fired);
            deliver(session, fired);
        }
    }

    private static void deliver(Session session, Fired fired) {
        SimZooKeeperClient client = session.client;
        if (client != null) {
            int connection = session.connection;
            client.toClient().send(() -> client.onWatch(connection, fired));
        }
    }
}
