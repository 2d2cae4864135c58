package io.tidemark.core.log.segment;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A resource that is opened when somebody needs it and closed when the cache wants its place, or for good.
 *
 * <p>Thread-safe. A user of an open resource takes no lock; opening, and what ends the resource, take this object's
 * monitor, so nothing is opened under a name that a removal is changing (KAFKA-12964).
 */
final class OnDemand<T extends AutoCloseable> {
    private final ResourceCache cache;
    private final Opener<T> opener;
    private volatile @Nullable Shared<T> current;
    private boolean pinned;
    private boolean retired;

    /** Opens the resource. */
    @FunctionalInterface
    interface Opener<T> {
        /** Null if it must not be opened now; asked with the monitor held. */
        @Nullable
        T open() throws IOException;
    }

    /** What is done with the open resource. */
    @FunctionalInterface
    interface Use<T, R> {
        R of(T resource) throws IOException;
    }

    /** What must not happen beside an opening. */
    @FunctionalInterface
    interface Change {
        void run() throws IOException;
    }

    OnDemand(ResourceCache cache, Opener<T> opener) {
        this.cache = cache;
        this.opener = opener;
    }

    /**
     * The resource, open, for a user who must release it; null once it is {@linkplain #retire() retired}, and while the opener
     * refuses.
     */
    @Nullable
    Shared<T> acquire() throws IOException {
        Shared<T> open = current;
        if (open != null && open.tryAcquire()) {
            return open;
        }
        Shared<T> fresh;
        synchronized (this) {
            open = current;
            if (retired || (open != null && open.tryAcquire())) {
                return retired ? null : open;
            }
            T opened = opener.open();
            if (opened == null) {
                return null;
            }
            fresh = Shared.acquired(opened);
            current = fresh;
        }
        cache.admit(this);
        return fresh;
    }

    /** What {@code use} makes of the resource, which stays open meanwhile; null where {@link #acquire} gives null. */
    <R> @Nullable R use(Use<T, R> use) throws IOException {
        Shared<T> lease = acquire();
        if (lease == null) {
            return null;
        }
        try {
            return use.of(lease.resource());
        } finally {
            lease.release();
        }
    }

    /** Replaces what is open by {@code resource} and keeps it open, uncounted. */
    synchronized void pin(T resource) {
        letGo();
        current = Shared.owned(resource);
        pinned = true;
        cache.forget(this);
    }

    /** The pinned resource from now on counts, and may be closed, like any other. */
    void unpin() {
        synchronized (this) {
            if (!pinned) {
                return;
            }
            pinned = false;
        }
        cache.admit(this);
    }

    /** Closes the resource, if open, when its last user has left; nobody can acquire it any more. Idempotent. */
    synchronized void retire() {
        retired = true;
        pinned = false;
        letGo();
        cache.forget(this);
    }

    /** Closes the resource, as soon as nobody uses it; the next user opens it again. */
    synchronized void evict() {
        if (!pinned) {
            letGo();
        }
    }

    /** Makes a change that no opening sees half of, and lets go of what was open before it. */
    synchronized void replace(Change change) throws IOException {
        change.run();
        evict();
    }

    /** Whether somebody used it since the last call. */
    boolean wasUsed() {
        Shared<T> open = current;
        return open != null && open.wasUsed();
    }

    private void letGo() {
        Shared<T> open = current;
        current = null;
        if (open != null) {
            open.release();
        }
    }
}
