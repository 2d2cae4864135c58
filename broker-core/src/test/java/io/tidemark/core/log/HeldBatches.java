package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.LogModel.Written;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a log holds, and what it knows of who wrote it. */
final class HeldBatches {
    private HeldBatches() {}

    /** The last of these batches that the producer has sent, or null. */
    static Written lastOf(long producerId, List<Written> among) {
        Written last = null;
        for (Written batch : among) {
            last = batch.producer().producerId() == producerId ? batch : last;
        }
        return last;
    }

    /** How many records it had. */
    static int sizeOf(Written batch) {
        return (int) (batch.last() - batch.base()) + 1;
    }

    /** The last batch of the producer among those that the log holds is known to be there. */
    static void requireKnown(long producerId, Log log, List<Written> held, int epoch) {
        Written last = lastOf(producerId, held);
        if (last != null) {
            String[] values = new String[sizeOf(last)];
            Arrays.fill(values, "again");
            assertThat(log.appendAsLeader(Batches.of(last.producer(), values), epoch))
                    .isEqualTo(new AppendResult.Duplicate(last.base(), last.last(), log.end()));
        }
    }

    /** All that can be read; batches that the cleaner has left empty are none. */
    static List<Written> of(Log log) {
        List<Written> found = new ArrayList<>();
        long offset = log.startOffset();
        while (offset < log.end().offset()) {
            ByteBuffer bytes = readFrom(log, offset);
            if (!bytes.hasRemaining()) {
                break;
            }
            for (RecordBatch batch : RecordBatches.of(bytes)) {
                if (batch.recordCount() > 0) {
                    found.add(Written.of(batch));
                }
                offset = batch.nextOffset();
            }
        }
        return found;
    }

    /** A place that is taken for damaged is no answer, and no wrong one. */
    private static ByteBuffer readFrom(Log log, long offset) {
        ReadResult result = log.read(new ReadRequest(offset, 200, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH));
        if (result instanceof ReadResult.Corrupt corrupt) {
            throw new InvalidBatchException("taken for damaged: " + corrupt);
        }
        return ((ReadResult.Data) result).batches();
    }
}
