package io.tidemark.server.rpc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that requests of one listener hold from their receipt to the end of {@code Log.append} (DESIGN section 7).
 * Thread-safe; never blocks.
 *
 * <p>A request is let in while there is any room at all, whatever its size, so a budget smaller than one batch slows
 * streams down and stops none. The excess is at most one message of each stream that was let in.
 */
public final class InFlightBytes {
    private final long budgetBytes;
    private final AtomicLong charged = new AtomicLong();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /** @param budgetBytes at least 1 */
    public InFlightBytes(long budgetBytes) {
        if (budgetBytes < 1) {
            throw new IllegalArgumentException("the budget must be at least 1 byte, not " + budgetBytes);
        }
        this.budgetBytes = budgetBytes;
    }

    /** A budget that is never used up. */
    public static InFlightBytes unlimited() {
        return new InFlightBytes(Long.MAX_VALUE);
    }

    /** Bytes charged now: the gauge {@code tidemark_inflight_bytes}. */
    public long bytes() {
        return charged.get();
    }

    boolean hasRoom() {
        return charged.get() < budgetBytes;
    }

    void charge(long sizeBytes) {
        charged.addAndGet(sizeBytes);
    }

    void release(long sizeBytes) {
        charged.addAndGet(-sizeBytes);
        wake();
    }

    /** Runs {@code resume} once, on this or another thread, as soon as there is room; it may find the room gone again. */
    void whenRoom(Runnable resume) {
        waiting.add(resume);
        wake();
    }

    /** Keeps nothing of {@code resume} any more; it does not run, unless it is about to. */
    void forget(Runnable resume) {
        waiting.removeIf(each -> each == resume);
    }

    /** How many wait for room. */
    int waiting() {
        return waiting.size();
    }

    private void wake() {
        while (hasRoom()) {
            Runnable next = waiting.poll();
            if (next == null) {
                return;
            }
            next.run();
        }
    }
}
