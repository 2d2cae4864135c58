package io.tidemark.record;

/**
 * What a reader is willing to decode from one batch; a batch beyond it raises {@link InvalidBatchException}.
 *
 * <p>The limits hold while bytes are read, not before: memory grows with what was really there, so a batch that claims
 * more than it holds costs no more than it holds.
 *
 * @param maxRecords records in a batch
 * @param maxRecordBytes one record, decompressed
 * @param maxDecompressedBytes all records of a batch, decompressed; for an uncompressed batch its length is the limit
 */
public record DecodeLimits(int maxRecords, int maxRecordBytes, long maxDecompressedBytes) {
    private static final int DEFAULT_BYTES = 256 * 1024 * 1024;

    /**
     * 256 MiB of decompressed bytes in a batch: 256 times the default {@code max.message.bytes}, a ratio that honest
     * data seldom reaches, and what a small heap survives. It bounds the number and the size of records too.
     */
    public static final DecodeLimits DEFAULT = new DecodeLimits(Integer.MAX_VALUE, DEFAULT_BYTES, DEFAULT_BYTES);

    public DecodeLimits {
        if (maxRecords < 0 || maxRecordBytes < 0 || maxDecompressedBytes < 0) {
            throw new IllegalArgumentException("negative limit: " + maxRecords + " records, " + maxRecordBytes
                    + " bytes in a record, " + maxDecompressedBytes + " bytes in all");
        }
    }
}
