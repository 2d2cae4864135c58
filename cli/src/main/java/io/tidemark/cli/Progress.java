package io.tidemark.cli;

import java.io.PrintWriter;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work under way: says on standard error how it goes, on a terminal in one line that changes, else in one plain line every
 * ten seconds; and knows what is still to be done when the process is told to end. Thread-safe; a daemon thread of its own
 * asks for the numbers.
 */
public final class Progress implements AutoCloseable {
    private static final long LIVE_PERIOD_MS = 200;
    private static final long PLAIN_PERIOD_MS = 10_000;
    private static final String ERASE_LINE = "\r\u001b[K";

    /** How progress is shown. */
    public enum Mode {
        /** One line that changes. */
        LIVE,
        /** A line every ten seconds. */
        PLAIN,
        /** Not at all. */
        NONE
    }

    /**
     * How far the work is.
     *
     * @param records so far
     * @param done part of {@code total}, in whatever unit that is
     * @param total 0 if the end is not known
     */
    public record Sample(long records, long done, long total) {
        /** Work whose end is not known. */
        public static Sample open(long records) {
            return new Sample(records, 0, 0);
        }

        /** Work that ends after so many records. */
        public static Sample of(long records, long total) {
            return new Sample(records, records, total);
        }
    }

    private final Mode mode;
    private final PrintWriter err;
    private final ScheduledExecutorService ticker;
    private @Nullable Thread hook;
    private boolean lineStands;
    private boolean closed;

    private Progress(Mode mode, PrintWriter err) {
        this.mode = mode;
        this.err = err;
        this.ticker = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "tidemark-progress");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Begins to say how the work goes, until it is closed.
     *
     * @param line the present line; is asked on another thread
     */
    public static Progress start(Mode mode, PrintWriter err, Supplier<String> line) {
        Progress progress = new Progress(mode, err);
        if (mode != Mode.NONE) {
            long periodMs = mode == Mode.LIVE ? LIVE_PERIOD_MS : PLAIN_PERIOD_MS;
            var unused = progress.ticker.scheduleAtFixedRate(
                    () -> progress.show(line.get()), periodMs, periodMs, TimeUnit.MILLISECONDS);
        }
        return progress;
    }

    /**
     * Sets what is still done when the process is told to end (Ctrl-C, SIGTERM) before this is closed. The process then
     * ends with the signal's status, 130 for Ctrl-C, whatever the command itself would have answered.
     *
     * @param action ends soon by itself, for the process waits for it; it may halt the process with another status
     */
    public synchronized void onInterrupt(Runnable action) {
        Thread thread = new Thread(
                () -> {
                    end();
                    action.run();
                },
                "tidemark-interrupted");
        Runtime.getRuntime().addShutdownHook(thread);
        hook = thread;
    }

    /** Says that a step is done, unless nothing is to be said: a line that stays, above the one that changes. */
    public void step(String text) {
        if (mode != Mode.NONE) {
            note(text);
        }
    }

    /** Says a warning, whatever the mode. */
    public synchronized void note(String text) {
        erase();
        err.println(text);
        err.flush();
    }

    /** Ends it and takes the changing line away: what was done is told by whoever did it. */
    @Override
    public synchronized void close() {
        end();
        Thread set = hook;
        hook = null;
        if (set != null) {
            forget(set);
        }
    }

    /** Takes the changing line away for good, because data is printed now; interruptions are still answered. */
    public synchronized void end() {
        closed = true;
        ticker.shutdownNow();
        erase();
        err.flush();
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // Then the action is under way.
        }
    }

    private synchronized void show(String text) {
        if (closed) {
            return;
        }
        erase();
        if (mode == Mode.LIVE) {
            err.print(text);
            lineStands = true;
        } else {
            err.println(text);
        }
        err.flush();
    }

    private void erase() {
        if (lineStands) {
            err.print(ERASE_LINE);
            lineStands = false;
        }
    }
}
