package io.tidemark.cli.dev;

import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits until something holds that nobody can tell us of: another process's state. */
public final class Pause {
    private static final Duration STEP = Duration.ofMillis(50);
    private static final Clock CLOCK = new SystemClock();

    private Pause() {}

    /** Looks every 50 ms; returns whether it held within {@code limit}. */
    public static boolean until(BooleanSupplier condition, Duration limit) {
        long startNs = CLOCK.monotonicNs();
        while (!condition.getAsBoolean()) {
            if (CLOCK.monotonicNs() - startNs >= limit.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
        return true;
    }
}
