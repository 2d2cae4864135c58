package io.tidemark.replication;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/** Which brokers are registered, as the controller last said. Thread-safe; a look takes no lock. */
public final class LiveBrokers {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile SortedSet<Integer> ids = new TreeSet<>();

    /** Whether the broker is registered. */
    public boolean isLive(int brokerId) {
        return ids.contains(brokerId);
    }

    /** Told after each change, on the thread that brought it. */
    public void listen(Runnable onChange) {
        listeners.add(onChange);
    }

    /** These are registered, and no others. */
    public void are(SortedSet<Integer> registered) {
        if (!registered.equals(ids)) {
            ids = new TreeSet<>(registered);
            listeners.forEach(Runnable::run);
        }
    }
}
