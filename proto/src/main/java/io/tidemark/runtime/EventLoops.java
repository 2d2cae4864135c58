package io.tidemark.runtime;

/** Makes event loops: one real thread each in a broker, one shared queue in the simulator. Thread-safe. */
@FunctionalInterface
public interface EventLoops {
    /** A new loop; {@code name} names its thread and appears in logs. */
    Loop open(String name);

    /** A loop together with its end. */
    interface Loop extends EventLoop, AutoCloseable {
        /** Runs nothing further; a task that is running finishes. Idempotent; does not wait. */
        @Override
        void close();
    }
}
