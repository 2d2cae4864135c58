package io.tidemark.core.checkpoint;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.runtime.KafkaStorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A small file that is only ever replaced as a whole (S61): after a crash at any point, power loss included, it holds
 * the old content or the new one.
 *
 * <p>A write goes to {@code <name>.tmp}, which is forced, renamed to the name, and the directory forced: when {@link
 * #write} returns, the content is durable. A temporary file that a crash left over is ignored and overwritten by the
 * next write. An I/O error is a {@link KafkaStorageException} and leaves the previous content. One writer at a time.
 */
public final class AtomicFile {
    private static final String TEMPORARY_SUFFIX = ".tmp";

    /** Far beyond what is ever written; a larger file is somebody else's and is read up to here. */
    private static final int MAX_READ_BYTES = 256 << 20;

    private final Files files;
    private final Path path;
    private final Path temporary;
    private final Path directory;

    /** The file {@code name} in {@code directory}, which exists by the time of the first call. */
    public AtomicFile(Files files, Path directory, String name) {
        this.files = files;
        this.directory = directory;
        this.path = directory.resolve(name);
        this.temporary = directory.resolve(name + TEMPORARY_SUFFIX);
    }

    /** Where the file is. */
    public Path path() {
        return path;
    }

    /** Replaces the content, durably. */
    public void write(byte[] content) {
        try {
            writeTemporary(content);
            files.rename(temporary, path);
            files.forceDirectory(directory);
        } catch (IOException e) {
            throw new KafkaStorageException("write", path, e);
        }
    }

    private void writeTemporary(byte[] content) throws IOException {
        try (FileHandle handle = files.openForAppend(temporary)) {
            handle.truncate(0);
            handle.append(ByteBuffer.wrap(content));
            handle.force();
        }
    }

    /** The content, or empty if the file does not exist. */
    public Optional<byte[]> read() {
        try (FileHandle handle = files.openForRead(path)) {
            return Optional.of(handle.content(MAX_READ_BYTES));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new KafkaStorageException("read", path, e);
        }
    }

    /**
     * Deletes the file, durably.
     *
     * @return whether it was there
     */
    public boolean delete() {
        try {
            if (!files.deleteIfThere(path)) {
                return false;
            }
            files.forceDirectory(directory);
            return true;
        } catch (IOException e) {
            throw new KafkaStorageException("delete", path, e);
        }
    }

    /**
     * Renames the file to {@code <name>.damaged-<n>} with the smallest free n, so that somebody can look at it and
     * nobody reads it again. Beyond 99 damaged files the last is replaced.
     *
     * @return where it went
     */
    public Path moveAside() {
        int number = 1;
        while (number < 99 && files.exists(damaged(number))) {
            number++;
        }
        try {
            files.rename(path, damaged(number));
            files.forceDirectory(directory);
            return damaged(number);
        } catch (IOException e) {
            throw new KafkaStorageException("move aside", path, e);
        }
    }

    private Path damaged(int number) {
        return directory.resolve(path.getFileName() + ".damaged-" + number);
    }
}
