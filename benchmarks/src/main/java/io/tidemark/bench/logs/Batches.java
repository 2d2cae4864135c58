package io.tidemark.bench.logs;

import io.tidemark.bench.micro.SampleBatches;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Batches that clients send, the same bytes for both systems and in each run: values of 100 bytes, no compression, no producer id. */
public final class Batches {
    private static final int RECORD_BYTES = 100;
    private static final int VALUES = 1_000;
    private static final long TIMESTAMP_MS = 1_700_000_000_000L;

    private final ByteBuffer[] values = SampleBatches.values(VALUES, RECORD_BYTES);
    private final Sequence keys = new Sequence(VALUES);
    private final int batchBytes;
    private int nextValue;

    /** @param batchBytes of each batch, or a little less */
    public Batches(int batchBytes) {
        this.batchBytes = batchBytes;
    }

    /** A batch without keys; always the same. */
    public ByteBuffer plain() {
        return SampleBatches.batch(Codec.NONE, batchBytes, values);
    }

    /** Another batch each time, of records whose keys are any of {@code distinct} ones. */
    public ByteBuffer keyed(int distinct) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, batchBytes, batchBytes);
        RecordBatchBuilder.Outcome outcome = RecordBatchBuilder.Outcome.APPENDED;
        while (outcome == RecordBatchBuilder.Outcome.APPENDED) {
            ByteBuffer key = ByteBuffer.wrap(("key-" + keys.next(distinct)).getBytes(StandardCharsets.US_ASCII));
            outcome = builder.tryAppend(TIMESTAMP_MS, key, values[nextValue++ % VALUES], List.of());
        }
        return builder.build(ProducerStamp.NONE);
    }

    /** Takes back what a leader wrote into the header of a batch. */
    public static void asSent(ByteBuffer batch) {
        batch.putLong(batch.position(), 0);
    }

    /** Records of a batch. */
    public static int records(ByteBuffer batch) {
        return RecordBatch.headerAt(batch, batch.position()).recordCount();
    }
}
