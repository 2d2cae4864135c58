package io.tidemark.runtime;

/**
 * The two clocks of a process. Thread-safe.
 *
 * <p>Timeouts, lags and sessions use {@link #monotonicNs()} alone; only record timestamps and retention use
 * {@link #wallMs()}, which may jump (KAFKA-4051).
 */
public interface Clock {
    /** Milliseconds since 1970-01-01T00:00Z by the wall clock. May go backwards. */
    long wallMs();

    /** Nanoseconds since an arbitrary origin. Never goes backwards; only differences mean anything. */
    long monotonicNs();
}
