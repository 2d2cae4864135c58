package io.tidemark.record;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The whole batches between position and limit of a buffer, in order; headers only, nothing is copied.
 *
 * <p>A torn batch at the end is not an error: iteration stops before it and {@link #wholeBytes()} tells where; without
 * one whole batch it is empty (S4). A batch whose header is malformed raises {@link InvalidBatchException} from {@code
 * next()}, never from {@code hasNext()}, and so does a length too small for a header (negative or zero, as in a file's
 * preallocated tail) even if the rest is torn: more bytes could not heal it. The iterator does not pass such a batch.
 */
public final class RecordBatches implements Iterable<RecordBatch> {
    private final ByteBuffer buffer;

    private RecordBatches(ByteBuffer buffer) {
        this.buffer = buffer;
    }

    /** Views the remaining bytes of {@code buffer}, whose position and limit are not moved. */
    public static RecordBatches of(ByteBuffer buffer) {
        return new RecordBatches(buffer.duplicate());
    }

    /** Bytes that whole batches take, from the buffer's position; throws {@link InvalidBatchException} as iteration does. */
    public int wholeBytes() {
        int end = buffer.position();
        for (RecordBatch batch : this) {
            end += batch.sizeBytes();
        }
        return end - buffer.position();
    }

    @Override
    public Iterator<RecordBatch> iterator() {
        return new Iterator<>() {
            private int next = buffer.position();

            @Override
            public boolean hasNext() {
                int available = buffer.limit() - next;
                if (available < RecordBatch.ENTRY_OVERHEAD_BYTES) {
                    return false;
                }
                int length = buffer.getInt(next + RecordBatch.LENGTH_AT);
                return length < RecordBatch.MIN_LENGTH || length <= available - RecordBatch.ENTRY_OVERHEAD_BYTES;
            }

            @Override
            public RecordBatch next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("no whole batch is left");
                }
                RecordBatch batch = RecordBatch.at(buffer, next);
                next += batch.sizeBytes();
                return batch;
            }
        };
    }
}
