package io.tidemark.record;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The records' bytes of one batch, read forward: straight from the batch if it is not compressed, else through a window
 * that the decompressor fills piece by piece, so that memory grows with what was really decompressed.
 *
 * <p>Every failure to deliver, of the decompressor too, is an {@link InvalidBatchException}. Not thread-safe.
 */
final class RecordInput implements AutoCloseable {
    /** What becomes of bytes in the window that have been read. */
    enum Window {
        /** They stay as they are: {@link #take} hands out views of them. */
        KEEP,
        /** They are overwritten: nothing is handed out, one window serves the whole batch. */
        REUSE
    }

    private static final int MIN_CHUNK_BYTES = 512;
    private static final int MAX_CHUNK_BYTES = 64 * 1024;
    private static final int USUAL_RATIO = 4;

    private final Codec codec;
    private final Window mode;
    private final long maxBytes;
    private final @Nullable InputStream stream;
    private byte[] chunk;
    /** Readable bytes from its position to its limit; behind the limit the chunk is still free. */
    private ByteBuffer window;
    /** Bytes that were ever put into the window. */
    private long filled;

    private boolean ended;

    private RecordInput(Codec codec, ByteBuffer bytes, Window mode, long maxBytes) {
        this.codec = codec;
        this.mode = mode;
        this.maxBytes = maxBytes;
        if (codec == Codec.NONE || !bytes.hasRemaining()) {
            this.stream = null;
            this.chunk = new byte[0];
            this.window = bytes;
            this.filled = bytes.remaining();
        } else {
            long guess = Math.max(MIN_CHUNK_BYTES, (long) USUAL_RATIO * bytes.remaining());
            this.chunk = new byte[(int) Math.min(MAX_CHUNK_BYTES, guess)];
            this.window = readable(0, 0);
            this.stream = open(codec, bytes);
        }
    }

    /** The records of {@code batch}, whose decompressed form may have {@code maxBytes} at most. */
    static RecordInput of(RecordBatch batch, Window mode, long maxBytes) {
        return new RecordInput(batch.codec(), batch.recordBytes(), mode, maxBytes);
    }

    private static InputStream open(Codec codec, ByteBuffer bytes) {
        try {
            return Compression.decompressing(codec, bytes);
        } catch (IOException | RuntimeException e) {
            throw undecodable(codec, e);
        }
    }

    private static InvalidBatchException undecodable(Codec codec, Exception cause) {
        return new InvalidBatchException(
                "the records do not decompress as " + codec.configName() + ": " + cause.getMessage(), cause);
    }

    /** Decompressed bytes read so far. */
    long consumedBytes() {
        return filled - window.remaining();
    }

    /** Whether no byte is left; decompresses further to find out. */
    boolean isExhausted() {
        return !prefetch(1);
    }

    byte readByte() {
        if (!prefetch(1)) {
            throw cutOff(1);
        }
        return window.get();
    }

    int readVarint() {
        prefetch(Varint.MAX_INT_BYTES);
        return Varint.readInt(window);
    }

    long readVarlong() {
        prefetch(Varint.MAX_LONG_BYTES);
        return Varint.readLong(window);
    }

    /** The next {@code size} bytes as a read-only view that stays as it is; only in {@link Window#KEEP}. */
    ByteBuffer take(int size) {
        if (!prefetch(size)) {
            throw cutOff(size);
        }
        ByteBuffer view = window.slice(window.position(), size);
        window.position(window.position() + size);
        return view;
    }

    /** Passes {@code size} bytes. */
    void skip(int size) {
        int left = size;
        while (left > 0) {
            if (!prefetch(1)) {
                throw cutOff(left);
            }
            int step = Math.min(left, window.remaining());
            window.position(window.position() + step);
            left -= step;
        }
    }

    private static InvalidBatchException cutOff(int size) {
        return new InvalidBatchException("the records end where " + size + " more bytes were announced");
    }

    /** Fills until {@code size} bytes lie in the window; false if the end comes first. */
    private boolean prefetch(int size) {
        while (window.remaining() < size) {
            if (stream == null || ended || !fill(stream, size)) {
                return false;
            }
        }
        return true;
    }

    private boolean fill(InputStream from, int wantedBytes) {
        if (window.limit() == chunk.length) {
            makeRoom(wantedBytes);
        }
        int end = window.limit();
        int size = read(from, end);
        if (size < 0) {
            ended = true;
            return false;
        }
        filled += size;
        if (filled > maxBytes) {
            throw new InvalidBatchException("the records decompress to more than " + maxBytes + " bytes");
        }
        window.limit(end + size);
        return true;
    }

    private int read(InputStream from, int at) {
        try {
            return from.read(chunk, at, chunk.length - at);
        } catch (IOException | RuntimeException e) {
            throw undecodable(codec, e);
        }
    }

    /** Moves what is not read yet to the start of a chunk; a chunk doubles only when it is full of unread bytes. */
    private void makeRoom(int wantedBytes) {
        int unread = window.remaining();
        byte[] target = chunk;
        if (mode == Window.KEEP || unread == chunk.length) {
            long doubled = Math.min(wantedBytes, 2L * unread);
            target = new byte[(int) Math.max(chunk.length, doubled)];
        }
        System.arraycopy(chunk, window.position(), target, 0, unread);
        chunk = target;
        window = readable(0, unread);
    }

    private ByteBuffer readable(int from, int to) {
        return ByteBuffer.wrap(chunk).asReadOnlyBuffer().position(from).limit(to);
    }

    @Override
    public void close() {
        if (stream == null) {
            return;
        }
        try {
            stream.close();
        } catch (IOException e) {
            throw undecodable(codec, e);
        }
    }
}
