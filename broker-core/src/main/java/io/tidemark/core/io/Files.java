package io.tidemark.core.io;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Every file operation of a broker. Thread-safe.
 *
 * <p>Paths are names only: no implementation but the disk's touches the default file system. Errors are {@link
 * IOException}s that name the path; a missing file is {@link NoSuchFileException}. Nothing here
 * is durable until {@link FileHandle#force()} (content) and {@link #forceDirectory} (names) have returned.
 */
public interface Files {
    /** Opens an existing file for reading only. */
    FileHandle openForRead(Path file) throws IOException;

    /** Opens a file for reading, appending and truncating; creates it when it is missing. */
    FileHandle openForAppend(Path file) throws IOException;

    /** Maps the whole of a file that nobody writes any more. */
    MappedFile mapReadOnly(Path file) throws IOException;

    /** Size in bytes. */
    long size(Path file) throws IOException;

    boolean exists(Path path);

    /** Whether the path exists and is a directory. */
    boolean isDirectory(Path path);

    /** Names (not paths) of what the directory holds, sorted. */
    List<String> list(Path directory) throws IOException;

    /** Renames a file or directory atomically, replacing a file of the new name. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file or an empty directory. */
    void delete(Path path) throws IOException;

    /**
     * Deletes a file that may be missing.
     *
     * @return whether it was there
     */
    default boolean deleteIfThere(Path file) throws IOException {
        try {
            delete(file);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Creates the directory and its missing parents; nothing happens if it exists. */
    void createDirectory(Path directory) throws IOException;

    /** {@link #createDirectory}, with the names that are new on disk when it returns: a power loss leaves them where they are. */
    default void createDurableDirectory(Path directory) throws IOException {
        List<Path> changed = new ArrayList<>();
        Path missing = directory;
        while (missing != null && !exists(missing)) {
            missing = missing.getParent();
            if (missing != null) {
                changed.add(missing);
            }
        }
        createDirectory(directory);
        for (Path parent : changed) {
            forceDirectory(parent);
        }
    }

    /** Makes the names in the directory durable: creations, renames and deletions done so far. */
    void forceDirectory(Path directory) throws IOException;

    /** Bytes that can still be written to the file system of the path. */
    long freeSpaceBytes(Path path) throws IOException;

    /**
     * Takes the exclusive lock that {@code file} stands for, creating it when it is missing; it ends with the process
     * or with {@link DirectoryLock#close()}.
     *
     * @throws LockHeldException if another process, or another holder in this one, has it
     */
    DirectoryLock lock(Path file) throws IOException;

    /** A lock that is held. */
    interface DirectoryLock extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /** Somebody else holds the lock. */
    final class LockHeldException extends IOException {
        private static final long serialVersionUID = 1L;

        public LockHeldException(Path file) {
            super("lock is held by another process: " + file);
        }
    }
}
