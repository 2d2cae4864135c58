package io.tidemark.core.log.cleaner;

/**
 * A log and where it is recorded how far it is clean.
 *
 * @param checkpoint of its log directory
 */
public record CleanerTarget(CleanableLog log, CleanerCheckpoint checkpoint) {}
