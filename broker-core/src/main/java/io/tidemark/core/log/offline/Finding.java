package io.tidemark.core.log.offline;

import java.nio.file.Path;

/**
 * Something that is not as it should be.
 *
 * @param file in which it was found
 * @param position where in the file, in bytes; {@link #UNKNOWN} if it concerns the whole file
 * @param offset of the record or batch concerned; {@link #UNKNOWN} if none is known
 * @param what is wrong, one line for a person
 * @param next what the person can do
 */
public record Finding(Path file, long position, long offset, String what, String next) {
    /** There is no such number. */
    public static final long UNKNOWN = -1;

    static Finding ofFile(Path file, String what, String next) {
        return new Finding(file, UNKNOWN, UNKNOWN, what, next);
    }
}
