package io.tidemark.core.log.segment;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Bounds how many resources of one kind are open at once, over all logs of a broker: hosts cap descriptors and mappings
 * (DESIGN section 3). Who was not used since the last look goes first. Thread-safe.
 *
 * <p>Resources that somebody is inside of are closed when the last user leaves, so the bound may be passed by the number of
 * concurrent readers. The active segments' descriptors are pinned and do not count.
 */
public final class ResourceCache {
    private final int capacity;
    private final Set<OnDemand<?>> open = new LinkedHashSet<>();

    /**
     * @param capacity resources that stay open, at least 1
     */
    public ResourceCache(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a cache needs room for one: " + capacity);
        }
        this.capacity = capacity;
    }

    /** Resources that are open and not pinned. */
    public synchronized int size() {
        return open.size();
    }

    /** Counts a resource that was just opened, and closes others beyond the bound. The caller holds no lock. */
    void admit(OnDemand<?> opened) {
        for (OnDemand<?> victim : admitAndSelect(opened)) {
            victim.evict();
        }
    }

    /** Stops counting a resource that is closed for good, or pinned. */
    synchronized void forget(OnDemand<?> resource) {
        open.remove(resource);
    }

    private synchronized List<OnDemand<?>> admitAndSelect(OnDemand<?> opened) {
        open.add(opened);
        List<OnDemand<?>> victims = new ArrayList<>();
        int chances = open.size();
        while (open.size() > capacity) {
            OnDemand<?> oldest = open.iterator().next();
            open.remove(oldest);
            if (chances > 0 && (oldest == opened || oldest.wasUsed())) {
                open.add(oldest);
            } else {
                victims.add(oldest);
            }
            chances--;
        }
        return victims;
    }
}
