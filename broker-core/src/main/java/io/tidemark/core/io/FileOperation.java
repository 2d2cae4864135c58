package io.tidemark.core.io;

import java.util.Locale;

/** The operations of {@link Files} and {@link FileHandle} that a {@link FaultRule} can name. */
public enum FileOperation {
    OPEN_FOR_READ,
    OPEN_FOR_APPEND,
    MAP_READ_ONLY,
    LIST,
    /** Of a file or directory; a rule names the old path. */
    RENAME,
    DELETE,
    CREATE_DIRECTORY,
    FORCE_DIRECTORY,
    FREE_SPACE,
    LOCK,
    APPEND,
    READ,
    /** The size of a file, by path or by handle. */
    SIZE,
    TRUNCATE,
    FORCE,
    CLOSE;

    /** The name in a fault's text: {@code FORCE_DIRECTORY} is {@code force-directory}. */
    public String specName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
