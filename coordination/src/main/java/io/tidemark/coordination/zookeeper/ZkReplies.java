package io.tidemark.coordination.zookeeper;

import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one mapper from what ZooKeeper's client answers to the port's values. */
final class ZkReplies {
    private static final Logger LOG = LoggerFactory.getLogger(ZkReplies.class);

    private ZkReplies() {}

    static CreateMode mode(ZkSession.CreateMode mode) {
        return mode == ZkSession.CreateMode.EPHEMERAL ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT;
    }

    static Kind kind(int code, String path) {
        return switch (Code.get(code)) {
            case OK -> Kind.OK;
            case NONODE -> Kind.NO_NODE;
            case NODEEXISTS -> Kind.NODE_EXISTS;
            case BADVERSION -> Kind.BAD_VERSION;
            case NOTEMPTY -> Kind.NOT_EMPTY;
            // The last two: a server that has not heard of the session's move, or that did not answer in time.
            case CONNECTIONLOSS, SESSIONMOVED, OPERATIONTIMEOUT, REQUESTTIMEOUT -> Kind.CONNECTION_LOST;
            case SESSIONEXPIRED -> Kind.SESSION_EXPIRED;
            case NOAUTH, AUTHFAILED, INVALIDACL, SESSIONCLOSEDREQUIRESASLAUTH -> Kind.NOT_AUTHORISED;
            default -> unexpected(code, path);
        };
    }

    private static Kind unexpected(int code, String path) {
        LOG.error("ZooKeeper answered {} ({}) for {}", Code.get(code), code, path);
        return Kind.FAILED;
    }

    static <T> ZkResult<T> result(int code, String path, @Nullable T value) {
        Kind kind = kind(code, path);
        return kind == Kind.OK ? ZkResult.ok(value) : ZkResult.failed(kind);
    }

    static ZkResult<ZkStat> stat(int code, String path, @Nullable Stat stat) {
        return result(code, path, stat == null ? null : of(stat));
    }

    static ZkResult<ZkNode> node(int code, String path, byte @Nullable [] data, @Nullable Stat stat) {
        String text = data == null ? "" : new String(data, StandardCharsets.UTF_8);
        return result(code, path, stat == null ? null : new ZkNode(text, of(stat)));
    }

    static ZkResult<List<String>> children(int code, String path, @Nullable List<String> names) {
        return result(code, path, names == null ? null : names.stream().sorted().toList());
    }

    /** @param results null if the answer is not the server's */
    static ZkResult<List<ZkStat>> multi(
            int code, List<ZkOp> operations, @Nullable List<OpResult> results, long sessionId) {
        if (code == Code.OK.intValue() && results != null) {
            List<ZkStat> stats = new ArrayList<>();
            for (int i = 0; i < operations.size(); i++) {
                stats.add(stat(operations.get(i), results.get(i), sessionId));
            }
            return ZkResult.ok(List.copyOf(stats));
        }
        int failed = results == null ? -1 : firstFailure(results);
        return failed < 0 ? ZkResult.failed(kind(code, "multi")) : ZkResult.multiFailed(failed);
    }

    /** Operations before the failed one are marked OK, those behind it RUNTIMEINCONSISTENCY. */
    private static int firstFailure(List<OpResult> results) {
        for (int i = 0; i < results.size(); i++) {
            boolean failed = results.get(i) instanceof OpResult.ErrorResult error
                    && error.getErr() != Code.OK.intValue()
                    && error.getErr() != Code.RUNTIMEINCONSISTENCY.intValue();
            if (failed) {
                return i;
            }
        }
        return -1;
    }

    private static ZkStat stat(ZkOp operation, OpResult result, long sessionId) {
        if (result instanceof OpResult.SetDataResult set) {
            return of(set.getStat());
        }
        if (operation instanceof ZkOp.Create create) {
            long owner = create.mode() == ZkSession.CreateMode.EPHEMERAL ? sessionId : 0;
            return new ZkStat(0, ZkStat.UNKNOWN, owner);
        }
        return ZkStat.NONE;
    }

    private static ZkStat of(Stat stat) {
        return new ZkStat(stat.getVersion(), stat.getCzxid(), stat.getEphemeralOwner());
    }
}
