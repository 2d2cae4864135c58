package io.tidemark.coordination.zookeeper;

import io.tidemark.coordination.zookeeper.ZkAnswers.Slot;
import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import io.tidemark.runtime.EventLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link ZkSession} over a real ensemble, through Curator's client (see {@link ZkHandles} for how much of it). State is
 * confined to the loop; the client's threads only queue tasks on it.
 *
 * <p>{@code CONNECTED} is told once the chroot is there. Until the first time operations answer {@link
 * Kind#CONNECTION_LOST}; while suspended they wait for the next attempt to connect, which takes at most the session
 * timeout. {@code EXPIRED} is told when ZooKeeper's client says so: the server ended the session, or the client has not
 * heard from any server for 4/3 of the session timeout. In the second case a server that comes back may still hold the old
 * session for a while, and its nodes stand beside the new session (KNOWN_BUGS 45, 46).
 */
public final class CuratorZkSession implements ZkSession, ZkHandles.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(CuratorZkSession.class);

    private final ZkSettings settings;
    private final EventLoop loop;
    private final List<ACL> acl;
    private final ZkHandles handles;
    private final ZkAnswers answers = new ZkAnswers();
    private final List<Consumer<State>> listeners = new ArrayList<>();
    private @Nullable ZooKeeper current;
    private State state = State.SUSPENDED;
    private boolean chrootReady;
    private boolean closed;
    private volatile long sessionId;

    private CuratorZkSession(ZkSettings settings, EventLoop loop) {
        this.settings = settings;
        this.loop = loop;
        this.acl = settings.digest().isEmpty() ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL;
        this.handles = new ZkHandles(settings, this);
    }

    /** Starts to connect and returns at once. */
    public static CuratorZkSession open(ZkSettings settings, EventLoop loop) {
        CuratorZkSession session = new CuratorZkSession(settings, loop);
        session.handles.start();
        return session;
    }

    @Override
    public void create(String path, String data, CreateMode mode, Consumer<ZkResult<ZkStat>> answer) {
        submit(
                answer,
                (handle, slot) -> handle.create(
                        absolute(path),
                        bytes(data),
                        acl,
                        ZkReplies.mode(mode),
                        (code, name, context, created, stat) -> reply(slot, ZkReplies.stat(code, path, stat)),
                        null));
    }

    @Override
    public void delete(String path, int version, Consumer<ZkResult<Void>> answer) {
        submit(
                answer,
                (handle, slot) -> handle.delete(
                        absolute(path),
                        version,
                        (code, name, context) -> reply(slot, ZkReplies.result(code, path, null)),
                        null));
    }

    @Override
    public void set(String path, String data, int version, Consumer<ZkResult<ZkStat>> answer) {
        submit(
                answer,
                (handle, slot) -> handle.setData(
                        absolute(path),
                        bytes(data),
                        version,
                        (code, name, context, stat) -> reply(slot, ZkReplies.stat(code, path, stat)),
                        null));
    }

    @Override
    public void get(String path, ZkWatch watch, Consumer<ZkResult<ZkNode>> answer) {
        submit(
                answer,
                (handle, slot) -> handle.getData(
                        absolute(path),
                        watcher(path, watch),
                        (code, name, context, data, stat) -> reply(slot, ZkReplies.node(code, path, data, stat)),
                        null));
    }

    @Override
    public void exists(String path, ZkWatch watch, Consumer<ZkResult<ZkStat>> answer) {
        submit(
                answer,
                (handle, slot) -> handle.exists(
                        absolute(path),
                        watcher(path, watch),
                        (code, name, context, stat) -> reply(slot, ZkReplies.stat(code, path, stat)),
                        null));
    }

    @Override
    public void children(String path, ZkWatch watch, Consumer<ZkResult<List<String>>> answer) {
        submit(
                answer,
                (handle, slot) -> handle.getChildren(
                        absolute(path),
                        watcher(path, watch),
                        (code, name, context, names) -> reply(slot, ZkReplies.children(code, path, names)),
                        null));
    }

    @Override
    public void multi(List<ZkOp> operations, Consumer<ZkResult<List<ZkStat>>> answer) {
        List<ZkOp> asked = List.copyOf(operations);
        submit(answer, (handle, slot) -> {
            List<Op> parts = asked.stream().map(this::part).toList();
            handle.multi(
                    parts,
                    (code, name, context, results) ->
                            reply(slot, ZkReplies.multi(code, asked, results, handle.getSessionId())),
                    null);
        });
    }

    @Override
    public long sessionId() {
        return sessionId;
    }

    @Override
    public void onState(Consumer<State> listener) {
        loop.execute(() -> {
            listeners.add(listener);
            listener.accept(state);
        });
    }

    /** Ends the session in the background: see {@link #awaitClosed}. */
    @Override
    public void close() {
        onLoop(() -> {
            if (!closed) {
                closed = true;
                handles.close();
                loop.execute(() -> answers.failAll(Kind.CONNECTION_LOST));
            }
        });
    }

    /** After {@link #close()}: waits until the server knows, for a process that is about to end. Not on the loop. */
    public boolean awaitClosed(Duration limit) throws InterruptedException {
        return handles.awaitClosed(limit.toMillis());
    }

    @Override
    public void opened(ZooKeeper handle) {
        loop.execute(() -> current = handle);
    }

    @Override
    public void changed(ZooKeeper handle, KeeperState keeperState, long id) {
        loop.execute(() -> {
            if (!closed && handle == current) {
                onKeeperState(handle, keeperState, id);
            }
        });
    }

    private void onKeeperState(ZooKeeper handle, KeeperState keeperState, long id) {
        switch (keeperState) {
            case SyncConnected -> onConnected(handle, id);
            case Disconnected -> tell(State.SUSPENDED);
            case Expired -> onExpired();
            case AuthFailed -> LOG.error("ZooKeeper at {} refuses the configured authentication", settings.servers());
            default -> LOG.debug("ZooKeeper client is {}", keeperState);
        }
    }

    private void onConnected(ZooKeeper handle, long id) {
        if (chrootReady) {
            // Not before everything that the loop still has to tell of the session before.
            loop.execute(() -> sessionId = id);
            tell(State.CONNECTED);
            return;
        }
        ZkChroot.ensure(handle, settings.chroot(), acl, code -> loop.execute(() -> onChroot(handle, id, code)));
    }

    private void onChroot(ZooKeeper handle, long id, Kind outcome) {
        // After a loss the next connection tries again; other failures show in the operations that follow.
        if (outcome != Kind.CONNECTION_LOST && outcome != Kind.SESSION_EXPIRED && handle == current && !closed) {
            chrootReady = true;
            onConnected(handle, id);
        }
    }

    private void onExpired() {
        answers.failAll(Kind.SESSION_EXPIRED);
        LOG.warn("ZooKeeper session 0x{} expired", Long.toHexString(sessionId));
        tell(State.EXPIRED);
    }

    private void tell(State next) {
        boolean repeated = next == state && next != State.CONNECTED;
        boolean stillExpired = state == State.EXPIRED && next == State.SUSPENDED;
        if (repeated || stillExpired) {
            return;
        }
        state = next;
        // One task each, so that a listener that fails takes nothing from the others.
        List.copyOf(listeners).forEach(listener -> loop.execute(() -> listener.accept(next)));
    }

    private <T> void submit(Consumer<ZkResult<T>> answer, BiConsumer<ZooKeeper, Slot<T>> call) {
        onLoop(() -> {
            Slot<T> slot = answers.open(answer);
            ZooKeeper handle = current;
            if (closed || !chrootReady || handle == null) {
                reply(slot, ZkResult.failed(closed ? Kind.SESSION_EXPIRED : Kind.CONNECTION_LOST));
                return;
            }
            try {
                call.accept(handle, slot);
            } catch (IllegalArgumentException e) {
                LOG.error("ZooKeeper operation that makes no sense", e);
                reply(slot, ZkResult.failed(Kind.FAILED));
            }
        });
    }

    private <T> void reply(Slot<T> slot, ZkResult<T> result) {
        loop.execute(() -> answers.complete(slot, result));
    }

    private void onLoop(Runnable task) {
        if (loop.inLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    private @Nullable Watcher watcher(String path, ZkWatch watch) {
        if (watch == ZkWatch.NONE) {
            return null;
        }
        return event -> {
            if (event.getType() != Watcher.Event.EventType.None) {
                loop.execute(() -> fire(path, watch));
            }
        };
    }

    private void fire(String path, ZkWatch watch) {
        if (!closed) {
            watch.fired(path);
        }
    }

    private Op part(ZkOp operation) {
        String path = absolute(operation.path());
        if (operation instanceof ZkOp.Create create) {
            return Op.create(path, bytes(create.data()), acl, ZkReplies.mode(create.mode()));
        }
        if (operation instanceof ZkOp.SetData set) {
            return Op.setData(path, bytes(set.data()), set.version());
        }
        if (operation instanceof ZkOp.Delete delete) {
            return Op.delete(path, delete.version());
        }
        return Op.check(path, ((ZkOp.Check) operation).version());
    }

    private String absolute(String path) {
        return path.equals("/") && !settings.chroot().isEmpty() ? settings.chroot() : settings.chroot() + path;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
