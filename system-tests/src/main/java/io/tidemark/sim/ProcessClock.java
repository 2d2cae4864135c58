package io.tidemark.sim;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.runtime.Clock;
import java.time.Duration;

/**
 * The clock of one process: it starts with the world's and may run faster or slower from then on, and its wall hand may jump.
 * Its monotonic hand never goes back.
 */
public final class ProcessClock implements Clock {
    private static final long MILLION = 1_000_000L;
    private static final int MOST_PPM = 500_000;

    private final ManualClock world;
    private long baseWorldNs;
    private long baseNs;
    private long ppm;
    private long wallJumpMs;

    ProcessClock(ManualClock world) {
        this.world = world;
        this.baseWorldNs = world.monotonicNs();
        this.baseNs = baseWorldNs;
    }

    @Override
    public long monotonicNs() {
        long elapsedNs = world.monotonicNs() - baseWorldNs;
        return baseNs + elapsedNs + gainedNs(elapsedNs);
    }

    @Override
    public long wallMs() {
        return world.wallMs() + (monotonicNs() - world.monotonicNs()) / MILLION + wallJumpMs;
    }

    /** From now on this clock is faster by so many millionths, or slower. */
    void driftPpm(int newPpm) {
        if (Math.abs(newPpm) > MOST_PPM) {
            throw new IllegalArgumentException("a clock that drifts by " + newPpm + " ppm");
        }
        baseNs = monotonicNs();
        baseWorldNs = world.monotonicNs();
        ppm = newPpm;
    }

    /** Moves the wall hand alone (KAFKA-4051). */
    void jumpWall(Duration by) {
        wallJumpMs += by.toMillis();
    }

    /** Time of the world until this clock shows {@code dueNs}; zero or less if it does already. */
    long worldDelayNs(long dueNs) {
        long remainingNs = dueNs - monotonicNs();
        if (ppm == 0 || remainingNs <= 0 || remainingNs > Long.MAX_VALUE / 4) {
            return remainingNs;
        }
        long rate = MILLION + ppm;
        return remainingNs / rate * MILLION + Math.floorDiv(remainingNs % rate * MILLION + rate - 1, rate);
    }

    private long gainedNs(long elapsedNs) {
        return ppm == 0 ? 0 : elapsedNs / MILLION * ppm + Math.floorDiv(elapsedNs % MILLION * ppm, MILLION);
    }
}
