package io.tidemark.sim;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Starts processes again that ended by themselves, after a pause: a service manager, and the operator who mends a disk. Whoever ends
 * or starts a process on purpose calls it off.
 */
final class Watchdog {
    /** Pause before a start, unless a run has another one. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private final Scheduler scheduler;
    private final Duration pause;
    private final SortedMap<Integer, Cancellable> starts = new TreeMap<>();

    /** @param scheduler the world's: it belongs to no process */
    Watchdog(Scheduler scheduler, Duration pause) {
        this.scheduler = scheduler;
        this.pause = pause;
    }

    /** The process of that host ended by itself. */
    void ended(int host, Runnable start) {
        callOff(host);
        starts.put(host, scheduler.schedule(pause, () -> {
            starts.remove(host);
            start.run();
        }));
    }

    /** The host's process is left as it is. */
    void callOff(int host) {
        Cancellable planned = starts.remove(host);
        if (planned != null) {
            planned.cancel();
        }
    }
}
