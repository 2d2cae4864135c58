package io.tidemark.core.runtime;


/** Checks that are always on: a broken one is a bug near its cause, never a condition to handle. */
public final class Invariant {
    private Invariant() {}

    /** Throws {@link InvariantBrokenException} with the formatted message unless {@code condition} holds. */
    public static void check(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new InvariantBrokenException(String.format(message, arguments));
        }
    }

    /** A rule of the design does not hold. */
    public static final class InvariantBrokenException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        public InvariantBrokenException(String message) {
            super(message);
        }
    }
}
