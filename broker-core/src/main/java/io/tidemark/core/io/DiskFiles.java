package io.tidemark.core.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The default file system of the machine.
 *
 * <p>Threads that read or write through it are never interrupted: the JDK closes a file under an interrupted thread, and
 * with it under everybody else.
 */
public final class DiskFiles implements Files {
    /**
     * Locks that this process holds. Static because the kernel's locks are the process's: closing any descriptor of a
     * locked file drops the lock, so an attempt that is bound to fail must not even open the file.
     */
    private static final Set<Path> LOCKED_BY_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    @Override
    public FileHandle openForRead(Path file) throws IOException {
        return new DiskHandle(file, FileChannel.open(file, StandardOpenOption.READ));
    }

    @Override
    public FileHandle openForAppend(Path file) throws IOException {
        return new DiskHandle(
                file,
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
    }

    @Override
    public MappedFile mapReadOnly(Path file) throws IOException {
        return DiskMapping.of(file);
    }

    @Override
    public long size(Path file) throws IOException {
        return java.nio.file.Files.size(file);
    }

    @Override
    public boolean exists(Path path) {
        return java.nio.file.Files.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return java.nio.file.Files.isDirectory(path);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        try (Stream<Path> children = java.nio.file.Files.list(directory)) {
            return children.map(child -> String.valueOf(child.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        java.nio.file.Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path path) throws IOException {
        java.nio.file.Files.delete(path);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        java.nio.file.Files.createDirectories(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public long freeSpaceBytes(Path path) throws IOException {
        return java.nio.file.Files.getFileStore(path).getUsableSpace();
    }

    @Override
    public DirectoryLock lock(Path file) throws IOException {
        Path key = lockKey(file);
        if (!LOCKED_BY_THIS_PROCESS.add(key)) {
            throw new LockHeldException(file);
        }
        boolean taken = false;
        try {
            FileChannel channel = lockedChannel(file);
            taken = true;
            return new DiskLock(key, channel);
        } finally {
            if (!taken) {
                LOCKED_BY_THIS_PROCESS.remove(key);
            }
        }
    }

    private static Path lockKey(Path file) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        Path name = absolute.getFileName();
        return parent == null || name == null ? absolute : parent.toRealPath().resolve(name);
    }

    private static FileChannel lockedChannel(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            LockHeldException held = new LockHeldException(file);
            held.initCause(e);
            throw held;
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new LockHeldException(file);
        }
        return channel;
    }

    /** Closing the channel releases the kernel's lock. */
    private record DiskLock(Path key, FileChannel channel) implements DirectoryLock {
        @Override
        public void close() throws IOException {
            if (channel.isOpen()) {
                channel.close();
                LOCKED_BY_THIS_PROCESS.remove(key);
            }
        }
    }
}
