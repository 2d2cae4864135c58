package io.tidemark.core.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Files whose operations fail, come short or are slow as a {@link FaultPlan} says; otherwise those of a delegate. */
public final class FaultFiles implements Files {
    private final Files delegate;
    private final FaultPlan plan;
    private final Consumer<Duration> pause;

    /**
     * @param pause makes the calling thread wait: for {@link FaultRule.Effect#SLOW}
     */
    public FaultFiles(Files delegate, FaultPlan plan, Consumer<Duration> pause) {
        this.delegate = delegate;
        this.plan = plan;
        this.pause = pause;
    }

    @Override
    public FileHandle openForRead(Path file) throws IOException {
        pass(FileOperation.OPEN_FOR_READ, file);
        return new FaultHandle(file, delegate.openForRead(file));
    }

    @Override
    public FileHandle openForAppend(Path file) throws IOException {
        pass(FileOperation.OPEN_FOR_APPEND, file);
        return new FaultHandle(file, delegate.openForAppend(file));
    }

    @Override
    public MappedFile mapReadOnly(Path file) throws IOException {
        pass(FileOperation.MAP_READ_ONLY, file);
        return delegate.mapReadOnly(file);
    }

    @Override
    public long size(Path file) throws IOException {
        pass(FileOperation.SIZE, file);
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
        pass(FileOperation.LIST, directory);
        return delegate.list(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        pass(FileOperation.RENAME, from);
        delegate.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        pass(FileOperation.DELETE, path);
        delegate.delete(path);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        pass(FileOperation.CREATE_DIRECTORY, directory);
        delegate.createDirectory(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        pass(FileOperation.FORCE_DIRECTORY, directory);
        delegate.forceDirectory(directory);
    }

    @Override
    public long freeSpaceBytes(Path path) throws IOException {
        pass(FileOperation.FREE_SPACE, path);
        return delegate.freeSpaceBytes(path);
    }

    @Override
    public DirectoryLock lock(Path file) throws IOException {
        pass(FileOperation.LOCK, file);
        return delegate.lock(file);
    }

    /** Counts the call and throws if it is hit, for operations that cannot be done by half. */
    private void pass(FileOperation operation, Path path) throws IOException {
        if (meet(operation, path).effect() != null) {
            throw injected(operation, path);
        }
    }

    private FaultPlan.Fault meet(FileOperation operation, Path path) {
        FaultPlan.Fault fault = plan.onCall(operation, path);
        if (!fault.delay().isZero()) {
            pause.accept(fault.delay());
        }
        return fault;
    }

    private static IOException injected(FileOperation operation, Path path) {
        return new IOException("injected fault: " + operation.specName() + " " + path);
    }

    private final class FaultHandle implements FileHandle {
        private final Path path;
        private final FileHandle handle;

        private FaultHandle(Path path, FileHandle handle) {
            this.path = path;
            this.handle = handle;
        }

        @Override
        public void append(ByteBuffer... buffers) throws IOException {
            FaultRule.Effect effect = meet(FileOperation.APPEND, path).effect();
            if (effect == null) {
                handle.append(buffers);
                return;
            }
            if (effect == FaultRule.Effect.SHORT) {
                appendHalf(buffers);
            }
            throw injected(FileOperation.APPEND, path);
        }

        private void appendHalf(ByteBuffer[] buffers) throws IOException {
            long total = 0;
            for (ByteBuffer buffer : buffers) {
                total += buffer.remaining();
            }
            long left = total / 2;
            for (ByteBuffer buffer : buffers) {
                int count = (int) Math.min(left, buffer.remaining());
                handle.append(buffer.slice(buffer.position(), count));
                left -= count;
            }
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            FaultRule.Effect effect = meet(FileOperation.READ, path).effect();
            if (effect == null) {
                return handle.read(target, position);
            }
            if (effect == FaultRule.Effect.FAIL) {
                throw injected(FileOperation.READ, path);
            }
            int limit = target.limit();
            target.limit(target.position() + target.remaining() / 2);
            try {
                return handle.read(target, position);
            } finally {
                target.limit(limit);
            }
        }

        @Override
        public long size() throws IOException {
            pass(FileOperation.SIZE, path);
            return handle.size();
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            pass(FileOperation.TRUNCATE, path);
            handle.truncate(sizeBytes);
        }

        @Override
        public void force() throws IOException {
            pass(FileOperation.FORCE, path);
            handle.force();
        }

        @Override
        public void close() throws IOException {
            // The descriptor is released even when closing reports an error, as the kernel does it.
            try (handle) {
                pass(FileOperation.CLOSE, path);
            }
        }
    }
}
