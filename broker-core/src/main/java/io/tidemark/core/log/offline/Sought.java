package io.tidemark.core.log.offline;

import java.nio.ByteBuffer;

/** What is looked for in a log: the first record that fits. */
public sealed interface Sought {
    /** A record at this offset, or the next one if there is none. */
    record AtOffset(long offset) implements Sought {}

    /** A record whose timestamp is at or after this time. */
    record AtTime(long timestampMs) implements Sought {}

    /** A record with this key. */
    record OfKey(ByteBuffer key) implements Sought {}
}
