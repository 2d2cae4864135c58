package io.tidemark.coordination.zookeeper;

import java.util.List;
import java.util.function.Consumer;

/**
 * A ZooKeeper session as a port: everything is asynchronous, nothing blocks, nothing is retried (DESIGN section 6).
 *
 * <p>Paths are absolute below the chroot; contents are UTF-8 text. Operations are sent in the order of the calls and answered in that order. Each
 * answer is given exactly once, on the loop that the session was made for and never inside the call, also after a loss
 * (then {@link ZkResult.Kind#CONNECTION_LOST}: the operation may or may not have been done; or {@link
 * ZkResult.Kind#SESSION_EXPIRED}: it was not done, or it was done in a session that is over). Whatever was asked of a
 * session is answered before {@link State#EXPIRED} is told. Callable from any thread.
 */
public interface ZkSession {
    /** Creates a node; parents must exist. */
    void create(String path, String data, CreateMode mode, Consumer<ZkResult<ZkStat>> answer);

    /** Deletes a node if its version is {@code version}; {@link #ANY_VERSION} matches all. */
    void delete(String path, int version, Consumer<ZkResult<Void>> answer);

    /** Replaces a node's data if its version is {@code version}. */
    void set(String path, String data, int version, Consumer<ZkResult<ZkStat>> answer);

    /** Reads a node; a {@link ZkWatch} other than NONE fires once, when the node changes or goes. */
    void get(String path, ZkWatch watch, Consumer<ZkResult<ZkNode>> answer);

    /** Whether a node exists, with its stat; a watch also fires when it is created. */
    void exists(String path, ZkWatch watch, Consumer<ZkResult<ZkStat>> answer);

    /** Names of the children, sorted; a watch fires when one comes or goes. */
    void children(String path, ZkWatch watch, Consumer<ZkResult<List<String>>> answer);

    /**
     * All or nothing, atomically. On {@link ZkResult.Kind#MULTI_FAILED} nothing was done, and the result names the
     * operation that failed. One stat per operation; that of a create does not know its czxid ({@link
     * ZkStat#UNKNOWN}), those of checks and deletes are {@link ZkStat#NONE}.
     */
    void multi(List<ZkOp> operations, Consumer<ZkResult<List<ZkStat>>> answer);

    /** The session's id; 0 before the first connection. Changes after an expiry. */
    long sessionId();

    /** Calls {@code listener} on the session's loop at each change; the current state is told at once. */
    void onState(Consumer<State> listener);

    /** Ends the session: its ephemeral nodes go. Idempotent. */
    void close();

    /** Matches every version. */
    int ANY_VERSION = -1;

    /** Kinds of nodes. */
    enum CreateMode {
        PERSISTENT,
        EPHEMERAL
    }

    /** States of the connection. After EXPIRED a new session follows by itself, with a new id and CONNECTED. */
    enum State {
        CONNECTED,
        /** Not connected; the session may live on. */
        SUSPENDED,
        /** The session is over: ephemeral nodes and watches are gone. */
        EXPIRED
    }

    /** A one-shot watch: called at most once, on the session's loop; lost when the session expires. */
    @FunctionalInterface
    interface ZkWatch {
        /** No watch. */
        ZkWatch NONE = path -> {};

        void fired(String path);
    }
}
