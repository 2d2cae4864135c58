package io.tidemark.core.runtime;

import io.tidemark.core.metrics.LoopMetrics;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoops;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Event loops with a real daemon thread each.
 *
 * <p>A task that throws is handed to the {@link TaskFailureHandler} and the loop goes on. Thread-safe.
 */
public final class SystemEventLoops implements EventLoops, AutoCloseable {
    private final Clock clock;
    private final TaskFailureHandler failures;
    private final LoopMetrics metrics;
    private final Set<SystemEventLoop> loops = new LinkedHashSet<>();

    public SystemEventLoops(Clock clock, TaskFailureHandler failures, LoopMetrics metrics) {
        this.clock = clock;
        this.failures = failures;
        this.metrics = metrics;
    }

    @Override
    public Loop open(String name) {
        SystemEventLoop loop = new SystemEventLoop(name, clock, failures, this::ended);
        synchronized (loops) {
            loops.add(loop);
        }
        metrics.opened(name, loop::size);
        loop.start();
        return loop;
    }

    /** Closes all loops. Idempotent; does not wait. */
    @Override
    public void close() {
        running().forEach(SystemEventLoop::close);
    }

    /** Waits until the threads of all closed loops have ended; false if one did not in time. */
    public boolean awaitStopped(Duration timeout) throws InterruptedException {
        long deadlineNs = clock.monotonicNs() + timeout.toNanos();
        for (SystemEventLoop loop : running()) {
            long leftNs = deadlineNs - clock.monotonicNs();
            if (loop.isClosed() && !loop.join(Duration.ofNanos(Math.max(0, leftNs)))) {
                return false;
            }
        }
        return true;
    }

    private List<SystemEventLoop> running() {
        synchronized (loops) {
            return List.copyOf(loops);
        }
    }

    private void ended(SystemEventLoop loop) {
        synchronized (loops) {
            loops.remove(loop);
        }
        metrics.closed(loop.name());
    }
}
