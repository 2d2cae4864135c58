package io.tidemark.coordination.zookeeper.testkit;

import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkOp;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.coordination.zookeeper.ZkStat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What an ensemble agrees on: nodes, sessions and transaction numbers, without time or network. One step at a time, each
 * with the answer that a real server gives; changes that watches wait for go to {@link Changes}. Deterministic; not
 * thread-safe.
 */
public final class ZkTree {
    private static final String ROOT = "/";

    private final NavigableMap<String, Node> nodes = new TreeMap<>();
    private final SortedSet<Long> sessions = new TreeSet<>();
    private final Changes changes;
    private long lastZxid;
    private long lastSession = 0x1000;

    /** Told of each change after it was made, in order. */
    public interface Changes {
        /** The node was created, changed or deleted. */
        void node(String path);

        /** A child came or went, or the node itself went. */
        void children(String path);
    }

    private record Node(String data, int version, long czxid, long owner) {
        ZkStat stat() {
            return new ZkStat(version, czxid, owner);
        }
    }

    public ZkTree(Changes changes) {
        this.changes = changes;
        nodes.put(ROOT, new Node("", 0, 0, 0));
    }

    /** A new session; its id is not 0 and never given again. */
    public long openSession() {
        lastZxid++;
        sessions.add(++lastSession);
        return lastSession;
    }

    /** Whether the session lives. */
    public boolean isOpen(long session) {
        return sessions.contains(session);
    }

    /** Ends a session by expiry or close: its ephemeral nodes go. Nothing happens if it is over already. */
    public void endSession(long session) {
        if (!sessions.remove(session)) {
            return;
        }
        lastZxid++;
        List<String> owned = nodes.entrySet().stream()
                .filter(entry -> entry.getValue().owner == session)
                .map(Map.Entry::getKey)
                .toList();
        for (String path : owned) {
            nodes.remove(path);
            tellDeleted(path);
        }
    }

    public ZkResult<ZkStat> create(long session, String path, String data, CreateMode mode) {
        lastZxid++;
        Kind outcome = apply(session, new ZkOp.Create(path, data, mode), nodes);
        return outcome == Kind.OK ? told(new ZkOp.Create(path, data, mode), stat(path)) : ZkResult.failed(outcome);
    }

    public ZkResult<ZkStat> set(long session, String path, String data, int version) {
        lastZxid++;
        ZkOp operation = new ZkOp.SetData(path, data, version);
        Kind outcome = apply(session, operation, nodes);
        return outcome == Kind.OK ? told(operation, stat(path)) : ZkResult.failed(outcome);
    }

    public ZkResult<Void> delete(long session, String path, int version) {
        lastZxid++;
        ZkOp operation = new ZkOp.Delete(path, version);
        Kind outcome = apply(session, operation, nodes);
        return outcome == Kind.OK ? told(operation, null) : ZkResult.failed(outcome);
    }

    public ZkResult<ZkNode> get(String path) {
        Node node = nodes.get(path);
        return node == null ? ZkResult.failed(Kind.NO_NODE) : ZkResult.ok(new ZkNode(node.data, node.stat()));
    }

    public ZkResult<ZkStat> exists(String path) {
        Node node = nodes.get(path);
        return node == null ? ZkResult.failed(Kind.NO_NODE) : ZkResult.ok(node.stat());
    }

    /** Names of the children, sorted. */
    public ZkResult<List<String>> children(String path) {
        return nodes.containsKey(path) ? ZkResult.ok(childrenOf(path, nodes)) : ZkResult.failed(Kind.NO_NODE);
    }

    /** All or nothing; all parts have one transaction number. */
    public ZkResult<List<ZkStat>> multi(long session, List<ZkOp> operations) {
        lastZxid++;
        Map<String, @Nullable Node> before = new LinkedHashMap<>();
        List<ZkStat> stats = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            ZkOp operation = operations.get(i);
            if (!before.containsKey(operation.path())) {
                before.put(operation.path(), nodes.get(operation.path()));
            }
            if (apply(session, operation, nodes) != Kind.OK) {
                undo(before);
                return ZkResult.multiFailed(i);
            }
            stats.add(statInMulti(operation));
        }
        operations.forEach(this::tell);
        return ZkResult.ok(List.copyOf(stats));
    }

    /** Every path and its content, in order: what two runs can be compared by. */
    public NavigableMap<String, String> contents() {
        NavigableMap<String, String> contents = new TreeMap<>();
        nodes.forEach((path, node) -> contents.put(path, node.data));
        return contents;
    }

    private Kind apply(long session, ZkOp operation, NavigableMap<String, Node> target) {
        if (operation instanceof ZkOp.Create create) {
            return applyCreate(session, create, target);
        }
        Node node = target.get(operation.path());
        if (node == null) {
            return Kind.NO_NODE;
        }
        if (operation instanceof ZkOp.SetData set) {
            if (!matches(set.version(), node)) {
                return Kind.BAD_VERSION;
            }
            target.put(set.path(), new Node(set.data(), node.version + 1, node.czxid, node.owner));
            return Kind.OK;
        }
        if (operation instanceof ZkOp.Delete delete) {
            return applyDelete(delete, node, target);
        }
        return matches(((ZkOp.Check) operation).version(), node) ? Kind.OK : Kind.BAD_VERSION;
    }

    private Kind applyCreate(long session, ZkOp.Create create, NavigableMap<String, Node> target) {
        Node parent = target.get(parent(create.path()));
        if (parent == null) {
            return Kind.NO_NODE;
        }
        if (target.containsKey(create.path())) {
            return Kind.NODE_EXISTS;
        }
        if (parent.owner != 0) {
            return Kind.FAILED;
        }
        long owner = create.mode() == CreateMode.EPHEMERAL ? session : 0;
        target.put(create.path(), new Node(create.data(), 0, lastZxid, owner));
        return Kind.OK;
    }

    private static Kind applyDelete(ZkOp.Delete delete, Node node, NavigableMap<String, Node> target) {
        if (delete.path().equals(ROOT)) {
            return Kind.FAILED;
        }
        if (!matches(delete.version(), node)) {
            return Kind.BAD_VERSION;
        }
        if (!childrenOf(delete.path(), target).isEmpty()) {
            return Kind.NOT_EMPTY;
        }
        target.remove(delete.path());
        return Kind.OK;
    }

    private static boolean matches(int version, Node node) {
        return version == ZkSession.ANY_VERSION || version == node.version;
    }

    private void undo(Map<String, @Nullable Node> before) {
        before.forEach((path, node) -> {
            if (node == null) {
                nodes.remove(path);
            } else {
                nodes.put(path, node);
            }
        });
    }

    private <T> ZkResult<T> told(ZkOp operation, @Nullable T value) {
        tell(operation);
        return ZkResult.ok(value);
    }

    private void tell(ZkOp operation) {
        if (operation instanceof ZkOp.Create) {
            changes.node(operation.path());
            changes.children(parent(operation.path()));
        } else if (operation instanceof ZkOp.SetData) {
            changes.node(operation.path());
        } else if (operation instanceof ZkOp.Delete) {
            tellDeleted(operation.path());
        }
    }

    private void tellDeleted(String path) {
        changes.node(path);
        changes.children(path);
        changes.children(parent(path));
    }

    private @Nullable ZkStat stat(String path) {
        Node node = nodes.get(path);
        return node == null ? null : node.stat();
    }

    private ZkStat statInMulti(ZkOp operation) {
        ZkStat stat = stat(operation.path());
        if (stat == null || operation instanceof ZkOp.Check) {
            return ZkStat.NONE;
        }
        boolean created = operation instanceof ZkOp.Create;
        return created ? new ZkStat(0, ZkStat.UNKNOWN, stat.ephemeralOwner()) : stat;
    }

    private static List<String> childrenOf(String path, NavigableMap<String, Node> all) {
        String prefix = path.equals(ROOT) ? ROOT : path + "/";
        List<String> names = new ArrayList<>();
        for (String candidate : all.tailMap(prefix, false).keySet()) {
            if (!candidate.startsWith(prefix)) {
                break;
            }
            if (candidate.indexOf('/', prefix.length()) < 0) {
                names.add(candidate.substring(prefix.length()));
            }
        }
        return List.copyOf(names);
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? ROOT : path.substring(0, slash);
    }
}
