package io.tidemark.core.log.cleaner;

/**
 * What one thread cleans with.
 *
 * @param map used by one pass at a time
 * @param ioBufferBytes for reading, and as much for writing
 */
record CleaningTools(OffsetMap map, int ioBufferBytes) {}
