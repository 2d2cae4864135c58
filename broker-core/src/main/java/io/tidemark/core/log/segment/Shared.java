package io.tidemark.core.log.segment;

import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open resource with counted users: it is closed when its owner has let go of it and the last user has left, at once and
 * without a garbage collection (KAFKA-7442). Thread-safe, without a lock.
 *
 * <p>The owner holds one use from the start; everybody else comes in by {@link #tryAcquire()}.
 */
final class Shared<T extends AutoCloseable> {
    private static final Logger LOG = LoggerFactory.getLogger(Shared.class);

    private final T resource;
    private final AtomicInteger users;
    private volatile boolean used;

    private Shared(T resource, int users) {
        this.resource = resource;
        this.users = new AtomicInteger(users);
    }

    /** With its owner alone. */
    static <T extends AutoCloseable> Shared<T> owned(T resource) {
        return new Shared<>(resource, 1);
    }

    /** With its owner and a first user, who does not count for {@link #wasUsed()}. */
    static <T extends AutoCloseable> Shared<T> acquired(T resource) {
        return new Shared<>(resource, 2);
    }

    /** The resource; only between an acquisition and its release. */
    T resource() {
        return resource;
    }

    /** Adds a user, who must {@link #release()}; false if the resource is closed. */
    boolean tryAcquire() {
        int count = users.get();
        while (count > 0) {
            if (users.compareAndSet(count, count + 1)) {
                markUsed();
                return true;
            }
            count = users.get();
        }
        return false;
    }

    /** A user, or the owner, leaves. A failed close loses nothing that was acknowledged: it is logged. */
    void release() {
        if (users.decrementAndGet() > 0) {
            return;
        }
        try {
            resource.close();
        } catch (Exception e) {
            LOG.warn("cannot close {}", resource, e);
        }
    }

    /** Whether there was a user since the last call. */
    boolean wasUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    private void markUsed() {
        if (!used) {
            used = true;
        }
    }
}
