package io.tidemark.record;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Decodes the records of one batch, in the order of their offsets. Of an uncompressed batch keys and values are views of
 * the batch's bytes, of a compressed one views of decompressed pieces of at least a record.
 *
 * <p>Whether the batch keeps its word ({@link RecordCursor}) is known behind its last record, so that record is held
 * back if bytes follow it. Frees the decompressor at the end and on an error. Not thread-safe.
 */
final class RecordIterator implements Iterator<LogRecord> {
    private final RecordBatch batch;
    private final RecordCursor cursor;
    private boolean failed;

    /** Throws {@link InvalidBatchException} if the header or the start of the compressed bytes is bad. */
    RecordIterator(RecordBatch batch, DecodeLimits limits) {
        this.batch = batch;
        this.cursor = new RecordCursor(batch, limits, RecordInput.Window.KEEP);
        if (!cursor.hasNext()) {
            try (cursor) {
                cursor.finish();
            }
        }
    }

    @Override
    public boolean hasNext() {
        return !failed && cursor.hasNext();
    }

    @Override
    public LogRecord next() {
        if (!hasNext()) {
            throw new NoSuchElementException("no record is left in " + batch);
        }
        LogRecord record = read();
        if (!cursor.hasNext()) {
            cursor.close();
        }
        return record;
    }

    private LogRecord read() {
        try {
            return cursor.next();
        } catch (InvalidBatchException e) {
            failed = true;
            cursor.close();
            throw e;
        }
    }
}
