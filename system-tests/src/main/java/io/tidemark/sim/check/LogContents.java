package io.tidemark.sim.check;

import io.tidemark.core.log.Log;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.ReadResult;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads logs for the checks. */
public final class LogContents {
    private static final int READ_BYTES = 1 << 20;

    private LogContents() {}

    /** The batches from the one that holds {@code from} up to the end of the log, or to its first damage. */
    public static List<BatchMark> read(Log log, long from) {
        List<BatchMark> marks = new ArrayList<>();
        long next = Math.max(from, log.startOffset());
        while (next < log.end().offset()) {
            ReadRequest request = new ReadRequest(next, READ_BYTES, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH);
            if (!(log.read(request) instanceof ReadResult.Data data)
                    || !data.batches().hasRemaining()) {
                return marks;
            }
            for (RecordBatch batch : RecordBatches.of(data.batches())) {
                marks.add(mark(batch));
                next = batch.nextOffset();
            }
        }
        return marks;
    }

    private static BatchMark mark(RecordBatch batch) {
        List<RecordMark> records = new ArrayList<>(batch.recordCount());
        for (LogRecord each : batch.records()) {
            records.add(new RecordMark(each.offset(), text(each.key()), text(each.value())));
        }
        return new BatchMark(
                batch.baseOffset(), batch.lastOffset(), batch.partitionLeaderEpoch(), batch.crc(), records);
    }

    private static @Nullable String text(@Nullable ByteBuffer bytes) {
        return bytes == null
                ? null
                : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }
}
