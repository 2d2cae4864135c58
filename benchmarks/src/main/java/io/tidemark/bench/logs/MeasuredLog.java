package io.tidemark.bench.logs;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The log of one partition as it is measured, whoever's it is. A call does the same for either system, or the comment says what
 * differs. What a log puts off, such as unlinking files, is not done before {@link #settle}, and then on the caller's thread: nothing
 * runs beside what is measured. For one thread.
 */
interface MeasuredLog extends AutoCloseable {
    /** The leader epoch in which it is written. */
    int EPOCH = 1;

    /**
     * What a leader does with a batch of a client: checks it, records included, gives it the next offsets and its epoch, in place, and
     * appends it.
     *
     * @param batch position to limit, which are not moved; its base offset is 0, as a client has it
     * @throws IllegalStateException if it is refused
     */
    void append(ByteBuffer batch);

    /** Offset behind the last record. */
    long endOffset();

    /**
     * Copies to the heap what a fetch from {@code offset} answers: batches from the one that holds it on, as far as its segment
     * goes, one at least. Kafka ends it at {@code maxBytes}, perhaps inside a batch; ours ends at the last whole batch, and checks
     * the batches of sealed segments.
     */
    ByteBuffer read(long offset, int maxBytes) throws IOException;

    /** Where the offset index of the first segment says to look for {@code offset}: a position in its file. */
    int lookUp(long offset) throws IOException;

    /** Makes it begin at 0, without a record. */
    void empty();

    /** Compacts all but the active segment, in one pass; of a log of that policy, once. */
    void compact();

    /** Does what it has put off. */
    void settle();

    /** Lets go of its files as they are, as the end of a killed process does. */
    void abandon();

    /** Stops as a broker that is told to. */
    @Override
    void close() throws IOException;
}
