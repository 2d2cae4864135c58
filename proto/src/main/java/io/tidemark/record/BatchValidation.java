package io.tidemark.record;

import io.tidemark.model.ErrorCode;

/**
 * What {@link BatchValidator} found.
 *
 * @param error {@link ErrorCode#NONE} if every byte belongs to a valid batch, else why the first bad batch is refused
 * @param message what is wrong and where, for people; empty if nothing is
 * @param batchCount valid batches before the first bad one, or all
 * @param sizeBytes bytes of these batches: where recovery cuts
 * @param recordCount records of these batches by their headers
 */
public record BatchValidation(ErrorCode error, String message, int batchCount, int sizeBytes, long recordCount) {
    public boolean isValid() {
        return error == ErrorCode.NONE;
    }
}
