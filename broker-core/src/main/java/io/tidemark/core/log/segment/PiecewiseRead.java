package io.tidemark.core.log.segment;

import io.tidemark.core.io.FileHandle;
import io.tidemark.record.InvalidBatchException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A part of a file that comes to the heap piece by piece, as it is asked for: who checks the bytes of a long read on the way finds
 * them in the processor's cache. For one thread.
 */
final class PiecewiseRead {
    private static final int PIECE_BYTES = 64 * 1024;

    private final FileHandle file;
    private final int start;
    private final ByteBuffer target;
    private final ByteBuffer bytes;

    /**
     * @param start position in the file
     * @param sizeBytes from there on, all of which are published
     */
    PiecewiseRead(FileHandle file, int start, int sizeBytes) {
        this.file = file;
        this.start = start;
        this.bytes = ByteBuffer.allocate(sizeBytes);
        this.target = bytes.duplicate();
    }

    /** Position in the file of the first byte. */
    int start() {
        return start;
    }

    int sizeBytes() {
        return bytes.limit();
    }

    /**
     * The bytes, of which the first {@code neededBytes} are there at least.
     *
     * @throws InvalidBatchException if the file ends before them
     */
    ByteBuffer upTo(int neededBytes) throws IOException {
        int have = target.position();
        if (have < neededBytes) {
            target.limit(Math.min(bytes.limit(), Math.max(neededBytes, have + PIECE_BYTES)));
            file.read(target, start + have);
            if (target.hasRemaining()) {
                throw new InvalidBatchException("the file ends at " + (start + target.position()) + ", published are "
                        + (start + target.limit()) + " bytes or more");
            }
        }
        return bytes;
    }
}
