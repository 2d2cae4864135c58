package io.tidemark.runtime;

/** The clocks of the machine. */
public final class SystemClock implements Clock {
    @Override
    public long wallMs() {
        return System.currentTimeMillis();
    }

    @Override
    public long monotonicNs() {
        return System.nanoTime();
    }
}
