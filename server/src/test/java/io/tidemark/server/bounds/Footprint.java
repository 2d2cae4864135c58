package io.tidemark.server.bounds;

import io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent;
import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;

/**
 * What this process holds, after a collection.
 *
 * @param directBytes of the JDK's direct buffers and of the transport's own pool, which keeps chunks of 4 MiB for each of its threads
 * @param descriptors open ones
 */
record Footprint(long heapBytes, long directBytes, int descriptors) {
    /** The serial collector leaves some garbage where it lies, but not in every fourth collection. */
    private static final int COLLECTIONS = 4;

    static Footprint now() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return new Footprint(heap(), direct(), descriptorsNow());
    }

    /** What was there at the end of the last collection: the buffers that threads have taken since are a megabyte each. */
    private static long heap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
    }

    static long direct() {
        long jdk = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return jdk + Math.max(0, PlatformDependent.usedDirectMemory());
    }

    static int descriptorsNow() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }
}
