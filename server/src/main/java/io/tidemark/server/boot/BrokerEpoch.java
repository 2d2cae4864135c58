package io.tidemark.server.boot;

import java.util.concurrent.atomic.AtomicLong;

/** The broker epoch of the current registration, which requests carry. Thread-safe. */
final class BrokerEpoch {
    private static final long NONE = -1;

    private final AtomicLong epoch = new AtomicLong(NONE);

    long current() {
        return epoch.get();
    }

    boolean isRegistered() {
        return epoch.get() != NONE;
    }

    void registered(long newEpoch) {
        epoch.set(newEpoch);
    }
}
