package io.tidemark.sim;

import java.nio.file.Path;

/**
 * A bit that turned over on a disk.
 *
 * @param position of its byte in the file
 * @param batchOffset base offset of the batch that it is in: the first that is not what was written
 */
public record FlippedBit(Path file, int position, long batchOffset) {
    @Override
    public String toString() {
        return "byte " + position + " of " + file;
    }
}
