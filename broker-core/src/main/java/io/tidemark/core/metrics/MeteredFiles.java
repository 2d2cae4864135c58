package io.tidemark.core.metrics;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.MappedFile;
import io.tidemark.runtime.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Measures appends to segments and their forces; hands everything on as it is. Thread-safe. */
public final class MeteredFiles implements Files {
    private static final String SEGMENT_SUFFIX = ".log";

    private final Files delegate;
    private final LogMetrics metrics;
    private final Clock clock;

    public MeteredFiles(Files delegate, LogMetrics metrics, Clock clock) {
        this.delegate = delegate;
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public FileHandle openForAppend(Path file) throws IOException {
        FileHandle handle = delegate.openForAppend(file);
        return file.toString().endsWith(SEGMENT_SUFFIX) ? new MeteredHandle(handle) : handle;
    }

    @Override
    public FileHandle openForRead(Path file) throws IOException {
        return delegate.openForRead(file);
    }

    @Override
    public MappedFile mapReadOnly(Path file) throws IOException {
        return delegate.mapReadOnly(file);
    }

    @Override
    public long size(Path file) throws IOException {
        return delegate.size(file);
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
        delegate.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        delegate.delete(path);
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
        return delegate.freeSpaceBytes(path);
    }

    @Override
    public DirectoryLock lock(Path file) throws IOException {
        return delegate.lock(file);
    }

    /** A segment that is written to. */
    private final class MeteredHandle implements FileHandle {
        private final FileHandle handle;

        MeteredHandle(FileHandle handle) {
            this.handle = handle;
        }

        @Override
        public void append(ByteBuffer... buffers) throws IOException {
            long sizeBytes = 0;
            for (ByteBuffer buffer : buffers) {
                sizeBytes += buffer.remaining();
            }
            long begunAtNs = clock.monotonicNs();
            handle.append(buffers);
            metrics.appended(sizeBytes, since(begunAtNs));
        }

        @Override
        public void force() throws IOException {
            long begunAtNs = clock.monotonicNs();
            handle.force();
            metrics.flushed(since(begunAtNs));
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return handle.read(target, position);
        }

        @Override
        public long size() throws IOException {
            return handle.size();
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            handle.truncate(sizeBytes);
        }

        @Override
        public void close() throws IOException {
            handle.close();
        }

        private Duration since(long begunAtNs) {
            return Duration.ofNanos(clock.monotonicNs() - begunAtNs);
        }
    }
}
