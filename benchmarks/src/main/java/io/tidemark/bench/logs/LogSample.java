package io.tidemark.bench.logs;

import org.jspecify.annotations.Nullable;

/**
 * What one process measured.
 *
 * @param round in which both systems had their turn
 * @param figure in the row's unit; null if there is none
 * @param failure why there is none
 */
record LogSample(
        LogRow row,
        LogSystem system,
        int round,
        @Nullable Double figure,
        @Nullable String failure) {}
