package io.tidemark.core.io;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The content of a file as of the call, in the shape of a mapping. */
final class HeapMapping implements MappedFile {
    private final Path path;
    private final ByteBuffer content;
    private volatile boolean closed;

    HeapMapping(Path path, byte[] content) {
        this.path = path;
        this.content = ByteBuffer.wrap(content).asReadOnlyBuffer();
    }

    @Override
    public ByteBuffer buffer() {
        if (closed) {
            throw new IllegalStateException("the mapping is closed: " + path);
        }
        return content.duplicate();
    }

    @Override
    public void close() {
        closed = true;
    }
}
