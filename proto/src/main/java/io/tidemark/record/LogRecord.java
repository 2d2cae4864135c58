package io.tidemark.record;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One record as a consumer sees it. The buffers are read-only views over the batch's (decompressed) bytes.
 *
 * @param offset its own offset; gaps between neighbours are normal (S3)
 * @param timestampMs create or append time by the batch's timestamp type
 * @param key null and empty are distinct (S7)
 * @param value null is a tombstone
 */
public record LogRecord(
        long offset,
        long timestampMs,
        @Nullable ByteBuffer key,
        @Nullable ByteBuffer value,
        List<Header> headers) {}
