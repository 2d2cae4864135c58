package io.tidemark.core.log.offline;

import io.tidemark.record.ProducerStamp;

/**
 * A batch as it lies in a log file.
 *
 * @param position where it starts in the file
 * @param sizeBytes header included
 * @param baseOffset offset of its first record
 * @param lastOffset offset of the last record that it ever held
 * @param recordCount records that it holds
 * @param leaderEpoch epoch of the leader that wrote it
 * @param maxTimestampMs largest timestamp of its records
 * @param codec id of the codec of its records, which may be unknown
 * @param producer who sent it
 * @param crc stored CRC-32C
 * @param isCrcValid whether the bytes match it
 */
public record StoredBatch(
        int position,
        int sizeBytes,
        long baseOffset,
        long lastOffset,
        int recordCount,
        int leaderEpoch,
        long maxTimestampMs,
        int codec,
        ProducerStamp producer,
        long crc,
        boolean isCrcValid) {}
