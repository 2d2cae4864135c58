package io.tidemark.core.log.offline;

import java.nio.file.Path;

/** Compares the batches of a log, in order, with what another file says about them. */
interface CrossCheck {
    /** The next batch. */
    void onBatch(Path logFile, StoredBatch batch);

    /** The log, or the segment of an index, has ended; {@code endOffset} is behind its last batch. */
    void onEnd(long endOffset);
}
