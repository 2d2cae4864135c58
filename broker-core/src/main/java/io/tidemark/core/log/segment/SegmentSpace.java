package io.tidemark.core.log.segment;

import io.tidemark.core.io.Files;
import java.nio.file.Path;

/**
 * Where the segments of one log live.
 *
 * @param io file system
 * @param directory the partition's directory
 * @param descriptors bounds open log files, shared by all logs
 * @param mappings bounds mapped index files, shared by all logs
 */
public record SegmentSpace(Files io, Path directory, ResourceCache descriptors, ResourceCache mappings) {}
