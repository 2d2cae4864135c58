package io.tidemark.core.runtime;

import io.tidemark.runtime.EventLoop;
import java.util.function.Supplier;

/** Checks that are always on: a broken one is a bug near its cause, never a condition to handle. */
public final class Invariant {
    private Invariant() {}

    /** Throws {@link InvariantBrokenException} unless {@code condition} holds. */
    public static void check(boolean condition, String message) {
        if (!condition) {
            throw new InvariantBrokenException(message);
        }
    }

    /** As {@link #check(boolean, String)}, for a message that is worth building only when it is needed. */
    public static void check(boolean condition, Supplier<String> message) {
        if (!condition) {
            throw new InvariantBrokenException(message.get());
        }
    }

    /** Checks that the calling code runs on {@code loop}, whose state it is about to touch. */
    public static void onLoop(EventLoop loop) {
        check(loop.inLoop(), () -> "not on its loop " + loop + ": " + Thread.currentThread());
    }

    /** A rule of the design does not hold. */
    public static final class InvariantBrokenException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        public InvariantBrokenException(String message) {
            super(message);
        }
    }
}
