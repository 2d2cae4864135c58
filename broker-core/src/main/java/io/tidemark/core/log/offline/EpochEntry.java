package io.tidemark.core.log.offline;

/** An entry of an epoch file: where a leader epoch starts. */
public record EpochEntry(int epoch, long startOffset) {}
