package io.tidemark.coordination.zookeeper;

import org.jspecify.annotations.Nullable;

/**
 * The answer to an operation.
 *
 * @param kind what happened
 * @param value present when {@code kind} is OK and the operation has a value
 * @param failedOperation index of the operation that failed a multi, else -1
 */
public record ZkResult<T>(Kind kind, @Nullable T value, int failedOperation) {
    /** What happened. */
    public enum Kind {
        OK,
        NO_NODE,
        NODE_EXISTS,
        BAD_VERSION,
        NOT_EMPTY,
        /** One operation of a multi failed, nothing was done. */
        MULTI_FAILED,
        /** The reply was lost: done or not done. Re-read, compare, decide. */
        CONNECTION_LOST,
        SESSION_EXPIRED,
        /** Refused by ACL or authentication. */
        NOT_AUTHORISED,
        /** Anything else; the log has it. */
        FAILED
    }

    public static <T> ZkResult<T> ok(@Nullable T value) {
        return new ZkResult<>(Kind.OK, value, -1);
    }

    public static <T> ZkResult<T> failed(Kind kind) {
        return new ZkResult<>(kind, null, -1);
    }

    /** A multi of which operation {@code index} failed. */
    public static <T> ZkResult<T> multiFailed(int index) {
        return new ZkResult<>(Kind.MULTI_FAILED, null, index);
    }

    public boolean isOk() {
        return kind == Kind.OK;
    }
}
