package io.tidemark.record;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A header of a record: a key that is never null and a value that may be. */
public record Header(String key, @Nullable ByteBuffer value) {}
