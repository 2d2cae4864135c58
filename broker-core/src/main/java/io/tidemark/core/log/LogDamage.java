package io.tidemark.core.log;

import java.nio.file.Path;

/**
 * Where a log cannot be read: from {@code firstBadOffset} to below {@code behindOffset}. Everything else is readable.
 *
 * @param firstBadOffset the first offset that cannot be read: the one behind the last sound batch in front
 * @param behindOffset the first that can be read again
 * @param file the segment's
 * @param position in the file, of the bad batch
 * @param behindPosition in the file, where reading goes on
 * @param what is wrong with it
 */
public record LogDamage(
        long firstBadOffset, long behindOffset, Path file, int position, int behindPosition, String what) {
    /** Whether the offset cannot be read. */
    public boolean covers(long offset) {
        return firstBadOffset <= offset && offset < behindOffset;
    }

    /** For people: names the file and the position, by the partition's directory and not by the broker's. */
    public String message() {
        Path directory = file.getParent();
        Path partition = directory == null ? null : directory.getFileName();
        Path name = file.getFileName();
        return "damaged from offset " + firstBadOffset + " to below " + behindOffset + ": "
                + (partition == null ? "" : partition + "/") + name + " at position " + position + ": " + what;
    }
}
