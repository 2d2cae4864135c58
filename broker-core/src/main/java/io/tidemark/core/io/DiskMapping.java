package io.tidemark.core.io;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;

/** A mapping by the kernel, released without waiting for a garbage collection. */
final class DiskMapping implements MappedFile {
    private static final MethodHandle UNMAP = findUnmap();

    private final Path path;
    private final ByteBuffer mapping;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DiskMapping(Path path, ByteBuffer mapping) {
        this.path = path;
        this.mapping = mapping;
    }

    static MappedFile of(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long sizeBytes = channel.size();
            if (sizeBytes == 0) {
                return new HeapMapping(file, new byte[0]);
            }
            if (sizeBytes > Integer.MAX_VALUE) {
                throw new IOException("too large to map: " + file + " has " + sizeBytes + " bytes");
            }
            return new DiskMapping(file, channel.map(FileChannel.MapMode.READ_ONLY, 0, sizeBytes));
        }
    }

    @Override
    public ByteBuffer buffer() {
        if (closed.get()) {
            throw new IllegalStateException("the mapping is closed: " + path);
        }
        return mapping.duplicate();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            unmap();
        }
    }

    private void unmap() {
        try {
            UNMAP.invoke(mapping);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("cannot unmap " + path, e);
        }
    }

    /** {@code sun.misc.Unsafe} by name: naming the class in source is a warning that no option turns off. */
    private static MethodHandle findUnmap() {
        try {
            Class<?> unsafeClass = Class.forName("sun.misc.Unsafe");
            Field instance = unsafeClass.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            return MethodHandles.lookup()
                    .findVirtual(unsafeClass, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(instance.get(null));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
