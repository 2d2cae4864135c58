package io.tidemark.core.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Path;

/** An open file of the default file system. */
final class DiskHandle implements FileHandle {
    /**
     * What is read to the heap, or written from there, at once. The JDK puts a direct buffer of that size in between, which it
     * keeps for the thread: one that is small stays in the processor's cache, and memory outside the heap does not grow with the
     * largest read or write.
     */
    private static final int HEAP_PIECE_BYTES = 64 * 1024;

    private final Path path;
    private final FileChannel channel;

    /** Where the channel stands: the end of the file as of this handle's last write. Used by the one writer only. */
    private long writePosition;

    DiskHandle(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    @Override
    public void append(ByteBuffer... buffers) throws IOException {
        try {
            moveToEnd();
            for (ByteBuffer buffer : buffers) {
                while (buffer.hasRemaining()) {
                    writePosition += writeSome(buffer);
                }
            }
        } catch (NonWritableChannelException e) {
            throw new IOException("not open for writing: " + path, e);
        } catch (IOException e) {
            throw named("append to", e);
        }
    }

    /** Another handle may have cut or extended the file; writing at a stale position would leave a hole. */
    private void moveToEnd() throws IOException {
        long end = channel.size();
        if (writePosition != end) {
            channel.position(end);
            writePosition = end;
        }
    }

    private int writeSome(ByteBuffer source) throws IOException {
        int limit = limitToPiece(source);
        try {
            int written = channel.write(source);
            if (written <= 0) {
                throw new IOException("the file system accepts no more bytes");
            }
            return written;
        } finally {
            source.limit(limit);
        }
    }

    /** Returns the limit that the buffer had. */
    private static int limitToPiece(ByteBuffer buffer) {
        int limit = buffer.limit();
        if (!buffer.isDirect()) {
            buffer.limit(buffer.position() + Math.min(buffer.remaining(), HEAP_PIECE_BYTES));
        }
        return limit;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int total = 0;
        try {
            while (target.hasRemaining()) {
                int count = readSome(target, position + total);
                if (count <= 0) {
                    break;
                }
                total += count;
            }
        } catch (IOException e) {
            throw named("read", e);
        }
        return total;
    }

    private int readSome(ByteBuffer target, long position) throws IOException {
        int limit = limitToPiece(target);
        try {
            return channel.read(target, position);
        } finally {
            target.limit(limit);
        }
    }

    @Override
    public long size() throws IOException {
        try {
            return channel.size();
        } catch (IOException e) {
            throw named("measure", e);
        }
    }

    @Override
    public void truncate(long sizeBytes) throws IOException {
        try {
            channel.truncate(sizeBytes);
            writePosition = channel.position();
        } catch (NonWritableChannelException e) {
            throw new IOException("not open for writing: " + path, e);
        } catch (IOException e) {
            throw named("truncate", e);
        }
    }

    @Override
    public void force() throws IOException {
        try {
            channel.force(false);
        } catch (IOException e) {
            throw named("force", e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } catch (IOException e) {
            throw named("close", e);
        }
    }

    private IOException named(String action, IOException cause) {
        String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new IOException("cannot " + action + " " + path + ": " + reason, cause);
    }
}
