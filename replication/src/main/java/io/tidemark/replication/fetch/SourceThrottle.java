package io.tidemark.replication.fetch;

import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.throttle.ReplicationThrottle;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The leader's side of the throttle (scenario 52): which entries of a session get data, and the sessions that are looked at
 * again once there are tokens. An entry that is held counts for nothing while its session waits, so that it neither ends
 * the wait nor keeps the others from ending it; a timer, one for all sessions, brings it back.
 *
 * <p>Thread-safe. Sessions are woken in the order in which they began to wait, with no lock held.
 */
public final class SourceThrottle {
    private final ReplicationThrottle throttle;
    private final Purgatory<Long, DelayedOperation> followers;
    private final Clock clock;
    private final Scheduler scheduler;

    /** Sessions with held entries, the one that waits for longest first. Guarded by this. */
    private final LinkedHashSet<FetchSession> held = new LinkedHashSet<>();

    /** Whether a timer is set for when there are tokens, or about to be by the thread that found it was not. Guarded by this. */
    private boolean armed;

    /** The last one that was set. Guarded by this. */
    private Cancellable timer = () -> {};

    /** @param followers where followers' fetches wait, by session id */
    public SourceThrottle(
            ReplicationThrottle throttle,
            Purgatory<Long, DelayedOperation> followers,
            Clock clock,
            Scheduler scheduler) {
        this.throttle = throttle;
        this.followers = followers;
        this.clock = clock;
        this.scheduler = scheduler;
        throttle.listen(this::lookAgain);
    }

    /**
     * What the follower may have of the partition now. One that the high watermark waits for is never throttled: it would hold
     * up every acknowledgement.
     *
     * @param underWayBytes that the same answer brings under the throttle
     */
    Allowance allowance(Partition partition, int followerId, long underWayBytes) {
        if (!throttle.covers(partition.partition(), followerId) || partition.waitsFor(followerId)) {
            return Allowance.FREE;
        }
        return throttle.outgoing().isOpen(clock.monotonicNs(), underWayBytes) ? Allowance.COUNTED : Allowance.HELD;
    }

    /** The most to read at once under the throttle, unless a single batch is larger. */
    int chunkBytes() {
        return throttle.outgoing().chunkBytes();
    }

    /** An answer brought so many bytes under the throttle. */
    void passed(long bytes) {
        throttle.outgoing().passed(bytes, clock.monotonicNs());
    }

    /** The session has held entries: it is looked at again when there are tokens. */
    void await(FetchSession session) {
        synchronized (this) {
            if (held.add(session)) {
                held.removeIf(FetchSession::isClosed);
            }
        }
        arm();
    }

    /** Whoever comes second finds it armed; the scheduler is called without the lock. */
    private void arm() {
        long nowNs = clock.monotonicNs();
        synchronized (this) {
            if (armed || held.isEmpty()) {
                return;
            }
            armed = true;
        }
        long pauseNs = throttle.outgoing().opensAtNs(nowNs) - nowNs;
        Cancellable scheduled = scheduler.schedule(Duration.ofNanos(pauseNs), this::lookAgain);
        synchronized (this) {
            timer = scheduled;
        }
    }

    /** There are tokens, or other rules. Whoever finds the bucket empty again goes to the end of the queue. */
    private void lookAgain() {
        for (FetchSession session : disarm()) {
            int follower = session.follower().brokerId();
            wakeIf(session.releaseHeld(partition -> !throttle.covers(partition, follower)), session);
        }
        FetchSession next = nextIfOpen();
        while (next != null) {
            wakeIf(next.releaseHeld(partition -> true), next);
            next = nextIfOpen();
        }
        arm();
    }

    private List<FetchSession> disarm() {
        Cancellable last;
        List<FetchSession> waiting;
        synchronized (this) {
            last = timer;
            armed = false;
            waiting = List.copyOf(held);
        }
        // One that has just been replaced fires for nothing, at most once.
        last.cancel();
        return waiting;
    }

    private synchronized @Nullable FetchSession nextIfOpen() {
        held.removeIf(session -> !session.isHeld());
        if (held.isEmpty() || !throttle.outgoing().isOpen(clock.monotonicNs(), 0)) {
            return null;
        }
        FetchSession first = held.iterator().next();
        held.remove(first);
        return first;
    }

    private void wakeIf(boolean released, FetchSession session) {
        if (released) {
            followers.signal(session.id());
        }
    }
}
