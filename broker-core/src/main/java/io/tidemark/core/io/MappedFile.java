package io.tidemark.core.io;

import java.nio.ByteBuffer;

/**
 * A read-only mapping of a whole file.
 *
 * <p>Access through the buffer may raise {@link InternalError} when the file was cut underneath or the disk fails:
 * the caller turns that into a storage failure. After {@link #close()} the buffer must not be touched; whoever closes
 * makes sure that no reader is inside (KAFKA-7442).
 */
public interface MappedFile extends AutoCloseable {
    /** A buffer of its own position and limit over the mapping, big-endian. */
    ByteBuffer buffer();

    /** Releases the mapping at once, without waiting for a garbage collection. Idempotent. */
    @Override
    void close();
}
