package io.tidemark.sim.check;

import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a record.
 *
 * @param key as text, null if it has none
 * @param value as text, null for a tombstone
 */
public record RecordMark(
        long offset, @Nullable String key, @Nullable String value) {}
