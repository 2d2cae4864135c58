package io.tidemark.core.runtime;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads with the name of what they serve and a number. */
final class NamedDaemons implements ThreadFactory {
    private final String name;
    private final AtomicInteger created = new AtomicInteger();

    NamedDaemons(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name + "-" + created.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
