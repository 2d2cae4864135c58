package io.tidemark.record;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the JVM counts of heap allocations. */
final class Allocations {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    static long ofThisThreadBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
