package io.tidemark.core.log.offline;

import io.tidemark.record.LogRecord;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where something was found.
 *
 * @param file the segment
 * @param batch that holds it
 * @param record empty if the batch cannot be decoded, or if the record at its last offsets was compacted away
 */
public record FoundRecord(Path file, StoredBatch batch, Optional<LogRecord> record) {}
