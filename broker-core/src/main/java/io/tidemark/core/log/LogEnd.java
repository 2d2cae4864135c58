package io.tidemark.core.log;

/**
 * Where a log ends.
 *
 * @param offset the log end offset: the next one to be written
 * @param position bytes since the first segment; leader-local, meaningless across restarts and truncations
 * @param lastEpoch epoch of the last batch, or -1 if the log holds none
 */
public record LogEnd(long offset, long position, int lastEpoch) {}
