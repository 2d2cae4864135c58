package io.tidemark.bench.micro;

import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Batches like those of a real producer: words that compress a few times, the same in each run. */
public final class SampleBatches {
    private static final String[] WORDS = {
        "order",
        "customer",
        "shipped",
        "pending",
        "amount",
        "currency",
        "warehouse",
        "invoice",
        "2026",
        "EUR",
        "retry",
        "confirmed"
    };
    /** Of Knuth's 64-bit linear congruential generator. */
    private static final long MULTIPLIER = 6364136223846793005L;

    private static final long INCREMENT = 1442695040888963407L;
    private static final long TIMESTAMP_MS = 1_700_000_000_000L;
    private static final int MAX_BATCH_BYTES = 1 << 20;

    private SampleBatches() {}

    /** Different values of exactly {@code sizeBytes} each. */
    public static ByteBuffer[] values(int count, int sizeBytes) {
        ByteBuffer[] values = new ByteBuffer[count];
        long state = sizeBytes;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.setLength(0);
            while (text.length() < sizeBytes) {
                state = state * MULTIPLIER + INCREMENT;
                text.append(WORDS[(int) Long.remainderUnsigned(state >>> 33, WORDS.length)])
                        .append(' ');
            }
            values[i] = ByteBuffer.wrap(text.substring(0, sizeBytes).getBytes(StandardCharsets.US_ASCII));
        }
        return values;
    }

    /** A batch of as many records as fit {@code batchBytes} before compression. */
    public static ByteBuffer batch(Codec codec, int batchBytes, ByteBuffer[] values) {
        RecordBatchBuilder builder = new RecordBatchBuilder(codec, batchBytes, Math.max(batchBytes, MAX_BATCH_BYTES));
        int next = 0;
        while (builder.tryAppend(TIMESTAMP_MS + next, null, values[next % values.length], List.of())
                == RecordBatchBuilder.Outcome.APPENDED) {
            next++;
        }
        return builder.build(ProducerStamp.NONE);
    }
}
