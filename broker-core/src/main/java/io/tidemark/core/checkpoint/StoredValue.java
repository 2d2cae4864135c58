package io.tidemark.core.checkpoint;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a small file was found to hold. A damaged file is never half trusted and never stops a start by itself: the
 * reader of the file decides what it means that nothing is known.
 */
public sealed interface StoredValue<T> {
    /** The file is whole. */
    record Present<T>(T content) implements StoredValue<T> {}

    /** There is no such file. */
    record Absent<T>() implements StoredValue<T> {}

    /**
     * The file is there and makes no sense.
     *
     * @param reason what is wrong with it, for a person
     * @param movedTo where it was moved, if it was
     */
    record Damaged<T>(Path file, String reason, Optional<Path> movedTo) implements StoredValue<T> {}

    /** The content, or empty if it is absent or damaged. */
    default Optional<T> value() {
        return this instanceof Present<T> present ? Optional.of(present.content()) : Optional.empty();
    }
}
