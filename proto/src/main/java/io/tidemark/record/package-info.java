/**
 * The batch codec: the same bytes in memory, on the wire and on disk (DESIGN section 3).
 *
 * <p>Producers make batches with {@link io.tidemark.record.RecordBatchBuilder}; brokers check them with {@link
 * io.tidemark.record.BatchValidator} and from then on touch headers only, through {@link
 * io.tidemark.record.RecordBatches} and {@link io.tidemark.record.RecordBatch}; consumers read {@link
 * io.tidemark.record.RecordBatch#records}. The layouts stand in {@code RecordBatch} and {@code RecordCursor}.
 */
package io.tidemark.record;
