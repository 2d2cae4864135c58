package io.tidemark.core.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Files whose appended bytes stay in the memory of this process until they are forced: a kill -9 of the process loses
 * what a power loss would lose.
 *
 * <p>Everybody in the process reads the held bytes, also through another handle, after a close, and after a rename.
 * Names, and cuts of bytes that the delegate has, go through at once. A file of which more than the limit is
 * held is passed on without a force, as a kernel writes back.
 */
public final class HoldingFiles implements Files {
    private final Files delegate;
    private final long limitBytesPerFile;

    /** Files that are open or hold bytes, by their current path. Guarded by itself. */
    private final Map<Path, Entry> entries = new HashMap<>();

    /**
     * @param limitBytesPerFile most bytes of one file that are held in memory
     */
    public HoldingFiles(Files delegate, long limitBytesPerFile) {
        this.delegate = delegate;
        this.limitBytesPerFile = limitBytesPerFile;
    }

    /** Bytes that a kill would lose now. */
    public long heldBytes() {
        synchronized (entries) {
            return entries.values().stream()
                    .mapToLong(entry -> entry.file.heldBytes())
                    .sum();
        }
    }

    @Override
    public FileHandle openForRead(Path file) throws IOException {
        synchronized (entries) {
            return opened(file, delegate.openForRead(file), null);
        }
    }

    @Override
    public FileHandle openForAppend(Path file) throws IOException {
        synchronized (entries) {
            FileHandle handle = delegate.openForAppend(file);
            return opened(file, handle, handle);
        }
    }

    private FileHandle opened(Path file, FileHandle handle, @Nullable FileHandle writer) throws IOException {
        Path key = file.normalize();
        Entry entry = entries.get(key);
        if (entry == null) {
            entry = new Entry(key, new HeldFile(handle.size()));
            entries.put(key, entry);
        }
        entry.handles++;
        return new HoldingHandle(entry, handle, writer);
    }

    @Override
    public MappedFile mapReadOnly(Path file) throws IOException {
        if (held(file).map(HeldFile::heldBytes).orElse(0) == 0) {
            return delegate.mapReadOnly(file);
        }
        try (FileHandle handle = openForRead(file)) {
            ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(handle.size()));
            handle.read(content, 0);
            return new HeapMapping(file, content.array());
        }
    }

    @Override
    public long size(Path file) throws IOException {
        Optional<HeldFile> held = held(file);
        return held.isPresent() ? held.get().size() : delegate.size(file);
    }

    @Override
    public boolean exists(Path path) {
        return delegate.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return delegate.isDirectory(path);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return delegate.list(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Path source = from.normalize();
        Path target = to.normalize();
        synchronized (entries) {
            delegate.rename(from, to);
            if (source.equals(target)) {
                return;
            }
            unlink(entries.remove(target));
            List<Entry> moved = entries.values().stream()
                    .filter(entry -> entry.path.startsWith(source))
                    .toList();
            for (Entry entry : moved) {
                entries.remove(entry.path);
                // Resolving against an empty rest would leave a trailing separator.
                Path rest = source.relativize(entry.path);
                entry.path = rest.toString().isEmpty() ? target : target.resolve(rest);
                entries.put(entry.path, entry);
            }
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        synchronized (entries) {
            delegate.delete(path);
            unlink(entries.remove(path.normalize()));
        }
    }

    private static void unlink(@Nullable Entry entry) {
        if (entry != null) {
            entry.unlinked = true;
        }
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        delegate.createDirectory(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        delegate.forceDirectory(directory);
    }

    @Override
    public long freeSpaceBytes(Path path) throws IOException {
        return Math.max(0, delegate.freeSpaceBytes(path) - heldBytes());
    }

    @Override
    public DirectoryLock lock(Path file) throws IOException {
        return delegate.lock(file);
    }

    private Optional<HeldFile> held(Path file) {
        synchronized (entries) {
            return Optional.ofNullable(entries.get(file.normalize())).map(entry -> entry.file);
        }
    }

    private static final class Entry {
        private final HeldFile file;
        private int handles;
        private volatile Path path;

        /** The name is gone or leads to another file. */
        private volatile boolean unlinked;

        private Entry(Path path, HeldFile file) {
            this.path = path;
            this.file = file;
        }
    }

    private final class HoldingHandle implements FileHandle {
        private final Entry entry;
        private final FileHandle reader;
        private final @Nullable FileHandle writer;
        private boolean closed;

        private HoldingHandle(Entry entry, FileHandle reader, @Nullable FileHandle writer) {
            this.entry = entry;
            this.reader = reader;
            this.writer = writer;
        }

        @Override
        public void append(ByteBuffer... buffers) throws IOException {
            FileHandle open = openWriter();
            entry.file.append(buffers);
            if (entry.file.heldBytes() > limitBytesPerFile) {
                entry.file.passOn(open);
            }
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            requireOpen();
            return entry.file.read(reader, target, position);
        }

        @Override
        public long size() throws IOException {
            requireOpen();
            return entry.file.size();
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            entry.file.truncate(openWriter(), sizeBytes);
        }

        @Override
        public void force() throws IOException {
            requireOpen();
            if (writer != null) {
                entry.file.passOn(writer);
            } else if (entry.file.heldBytes() > 0 && !entry.unlinked) {
                try (FileHandle other = delegate.openForAppend(entry.path)) {
                    entry.file.passOn(other);
                }
            }
            reader.force();
        }

        @Override
        public void close() throws IOException {
            synchronized (entries) {
                if (closed) {
                    return;
                }
                closed = true;
                entry.handles--;
                if (entry.handles == 0 && entry.file.heldBytes() == 0) {
                    entries.remove(entry.path, entry);
                }
            }
            reader.close();
        }

        private FileHandle openWriter() throws IOException {
            if (writer == null || isClosed()) {
                throw new IOException("not open for writing: " + entry.path);
            }
            return writer;
        }

        private boolean isClosed() {
            synchronized (entries) {
                return closed;
            }
        }

        private void requireOpen() throws IOException {
            if (isClosed()) {
                throw new IOException("the handle is closed: " + entry.path);
            }
        }
    }
}
