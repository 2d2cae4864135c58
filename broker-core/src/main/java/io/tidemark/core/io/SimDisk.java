package io.tidemark.core.io;

import io.tidemark.runtime.Randomness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that forgets what was not forced. The same calls and the same random numbers give the same disk.
 *
 * <p>{@link #powerLoss} leaves of each file its forced bytes and a random part, possibly torn, of what was appended
 * since; of each directory the names that were forced and a random prefix of the changes since (creations, renames,
 * deletions, in order). A cut that was not forced may be undone. {@link #processCrash} loses nothing: the page cache
 * survives a process. After either, handles and locks of the process that died are void.
 *
 * <p>Simplification: a rename from one directory to another makes the names of both durable.
 */
public final class SimDisk implements Files {
    private final SimDirectory root = new SimDirectory();
    private final Map<Path, SimLock> locks = new HashMap<>();
    private long capacityBytes = Long.MAX_VALUE;
    private long usedBytes;
    private long lives;

    /** Loses what was not forced and ends the process that used the disk. */
    public synchronized void powerLoss(Randomness randomness) {
        processCrash();
        root.losePower(randomness);
        usedBytes = root.usedBytes();
    }

    /** Ends the process that used the disk: its handles and locks are void, what it wrote stays. */
    public synchronized void processCrash() {
        lives++;
        locks.clear();
    }

    /** Sets the size of the disk: an append beyond it writes what fits and fails. */
    public synchronized void limitCapacity(long bytes) {
        capacityBytes = bytes;
    }

    /**
     * Turns over bits of one byte that the disk holds, as a failing medium does: whoever reads it next finds it changed, and a force
     * keeps it so. Pages that are mapped already are not read again.
     *
     * @param bits those of the byte that change; at least one of the low eight
     */
    public synchronized void corrupt(Path file, long position, int bits) throws IOException {
        if ((bits & 0xFF) == 0) {
            throw new IllegalArgumentException("no bit of " + file + " would change");
        }
        existingFile(file).corrupt(position, bits);
    }

    /** Bytes of all files that have a name. */
    public synchronized long usedBytes() {
        return usedBytes;
    }

    @Override
    public synchronized FileHandle openForRead(Path file) throws IOException {
        return new SimHandle(file, existingFile(file), false);
    }

    @Override
    public synchronized FileHandle openForAppend(Path file) throws IOException {
        return new SimHandle(file, createdFile(file), true);
    }

    @Override
    public synchronized MappedFile mapReadOnly(Path file) throws IOException {
        return new HeapMapping(file, existingFile(file).content());
    }

    @Override
    public synchronized long size(Path file) throws IOException {
        return existingFile(file).size();
    }

    @Override
    public synchronized boolean exists(Path path) {
        return find(path) != null;
    }

    @Override
    public synchronized boolean isDirectory(Path path) {
        return find(path) instanceof SimDirectory;
    }

    @Override
    public synchronized List<String> list(Path directory) throws IOException {
        return existingDirectory(directory).names();
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        SimNode node = existing(from);
        SimNode replaced = find(to);
        if (node == replaced) {
            return;
        }
        if (replaced != null) {
            refuseUnlike(node, replaced, to);
            unlink(replaced);
        }
        SimDirectory source = parent(from);
        SimDirectory target = parent(to);
        if (source == target) {
            source.move(name(from), name(to), node);
        } else {
            target.put(name(to), node);
            source.remove(name(from));
            target.force();
            source.force();
        }
    }

    private static void refuseUnlike(SimNode node, SimNode replaced, Path to) throws IOException {
        if (node instanceof SimDirectory != replaced instanceof SimDirectory) {
            throw new FileSystemException(to.toString(), null, "a file and a directory do not replace each other");
        }
        if (replaced instanceof SimDirectory directory && !directory.isEmpty()) {
            throw new DirectoryNotEmptyException(to.toString());
        }
    }

    @Override
    public synchronized void delete(Path path) throws IOException {
        SimNode node = existing(path);
        if (node instanceof SimDirectory directory && !directory.isEmpty()) {
            throw new DirectoryNotEmptyException(path.toString());
        }
        unlink(node);
        parent(path).remove(name(path));
    }

    @Override
    public synchronized void createDirectory(Path directory) throws IOException {
        SimDirectory current = root;
        for (Path name : directory.normalize()) {
            SimNode child = current.child(name.toString());
            if (child == null) {
                child = new SimDirectory();
                current.put(name.toString(), child);
            }
            if (!(child instanceof SimDirectory next)) {
                throw new FileAlreadyExistsException(directory.toString());
            }
            current = next;
        }
    }

    @Override
    public synchronized void forceDirectory(Path directory) throws IOException {
        existingDirectory(directory).force();
    }

    @Override
    public synchronized long freeSpaceBytes(Path path) throws IOException {
        existing(path);
        return Math.max(0, capacityBytes - usedBytes);
    }

    @Override
    public synchronized DirectoryLock lock(Path file) throws IOException {
        Path key = file.normalize();
        if (locks.containsKey(key)) {
            throw new LockHeldException(file);
        }
        createdFile(file);
        SimLock lock = new SimLock(key);
        locks.put(key, lock);
        return lock;
    }

    private @Nullable SimNode find(Path path) {
        SimNode current = root;
        for (Path name : path.normalize()) {
            // A path of no name at all is iterated as one empty name.
            if (!name.toString().isEmpty()) {
                current = current instanceof SimDirectory directory ? directory.child(name.toString()) : null;
            }
            if (current == null) {
                return null;
            }
        }
        return current;
    }

    private SimNode existing(Path path) throws IOException {
        SimNode node = find(path);
        if (node == null) {
            throw new NoSuchFileException(path.toString());
        }
        return node;
    }

    private SimFile existingFile(Path path) throws IOException {
        if (existing(path) instanceof SimFile file) {
            return file;
        }
        throw new FileSystemException(path.toString(), null, "Is a directory");
    }

    private SimDirectory existingDirectory(Path path) throws IOException {
        if (existing(path) instanceof SimDirectory directory) {
            return directory;
        }
        throw new NotDirectoryException(path.toString());
    }

    private SimFile createdFile(Path path) throws IOException {
        SimDirectory directory = parent(path);
        if (find(path) == null) {
            directory.put(name(path), new SimFile());
        }
        return existingFile(path);
    }

    private SimDirectory parent(Path path) throws IOException {
        Path parent = path.normalize().getParent();
        if (parent == null) {
            return root;
        }
        if (find(parent) instanceof SimDirectory directory) {
            return directory;
        }
        throw new NoSuchFileException(path.toString());
    }

    private static String name(Path path) {
        return String.valueOf(path.normalize().getFileName());
    }

    private void unlink(SimNode node) {
        if (node instanceof SimFile file) {
            usedBytes -= file.size();
            file.unlink();
        }
    }

    private final class SimLock implements DirectoryLock {
        private final Path key;

        private SimLock(Path key) {
            this.key = key;
        }

        @Override
        public void close() {
            synchronized (SimDisk.this) {
                locks.remove(key, this);
            }
        }
    }

    private final class SimHandle implements FileHandle {
        private final Path path;
        private final SimFile file;
        private final boolean writable;
        private final long life = lives;
        private boolean closed;

        private SimHandle(Path path, SimFile file, boolean writable) {
            this.path = path;
            this.file = file;
            this.writable = writable;
        }

        @Override
        public void append(ByteBuffer... buffers) throws IOException {
            synchronized (SimDisk.this) {
                requireWritable();
                for (ByteBuffer buffer : buffers) {
                    long free = file.isLinked() ? capacityBytes - usedBytes : Long.MAX_VALUE;
                    int fitting = (int) Math.max(0, Math.min(buffer.remaining(), free));
                    file.append(buffer, fitting);
                    charge(fitting);
                    if (buffer.hasRemaining()) {
                        throw new IOException("cannot append to " + path + ": No space left on device");
                    }
                }
            }
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            synchronized (SimDisk.this) {
                requireUsable();
                if (position < 0) {
                    throw new IllegalArgumentException("negative position in " + path + ": " + position);
                }
                return file.read(target, position);
            }
        }

        @Override
        public long size() throws IOException {
            synchronized (SimDisk.this) {
                requireUsable();
                return file.size();
            }
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            synchronized (SimDisk.this) {
                requireWritable();
                if (sizeBytes < file.size()) {
                    charge(sizeBytes - file.size());
                    file.truncate((int) sizeBytes);
                }
            }
        }

        @Override
        public void force() throws IOException {
            synchronized (SimDisk.this) {
                requireUsable();
                file.force();
            }
        }

        @Override
        public void close() {
            synchronized (SimDisk.this) {
                closed = true;
            }
        }

        private void charge(long bytes) {
            if (file.isLinked()) {
                usedBytes += bytes;
            }
        }

        private void requireWritable() throws IOException {
            requireUsable();
            if (!writable) {
                throw new IOException("not open for writing: " + path);
            }
        }

        private void requireUsable() throws IOException {
            if (closed) {
                throw new IOException("the handle is closed: " + path);
            }
            if (life != lives) {
                throw new IOException("the process that opened it crashed: " + path);
            }
        }
    }
}
