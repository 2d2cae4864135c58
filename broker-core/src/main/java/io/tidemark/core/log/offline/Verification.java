package io.tidemark.core.log.offline;

import java.util.List;

/**
 * What was looked at, and what could not be known. The findings themselves were told one by one.
 *
 * @param files that were read
 * @param batches whose frame and CRC were checked
 * @param records that were decoded; 0 if that was not asked for
 * @param bytes of the batches
 * @param findings how many there were
 * @param unknown what these files cannot tell, one line each
 */
public record Verification(long files, long batches, long records, long bytes, long findings, List<String> unknown) {}
