package io.tidemark.server.rpc;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Batches between messages and buffers without a copy of our own (DESIGN section 7: at most one user-space copy each way,
 * and the transport already makes it).
 */
public final class Bytes {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private Bytes() {}

    /**
     * The bytes of a received field as a writable buffer, so that the leader can assign offsets in place. The message must
     * not be used for anything else afterwards.
     */
    public static ByteBuffer writable(ByteString received) {
        if (received.isEmpty()) {
            return EMPTY.duplicate();
        }
        Claim claim = new Claim(received.size());
        try {
            UnsafeByteOperations.unsafeWriteTo(received, claim);
        } catch (IOException e) {
            throw new UncheckedIOException("a copy in memory cannot fail", e);
        }
        return claim.result();
    }

    /** A field over the buffer's remaining bytes, which must not change any more. */
    public static ByteString wrap(ByteBuffer buffer) {
        return buffer.hasRemaining() ? UnsafeByteOperations.unsafeWrap(buffer) : ByteString.EMPTY;
    }

    /** Takes a lone array as it is; gathers several pieces, or a buffer that is not an array, into a new one. */
    private static final class Claim extends ByteOutput {
        private final int size;
        private @Nullable ByteBuffer result;

        Claim(int size) {
            this.size = size;
        }

        ByteBuffer result() {
            ByteBuffer claimed = target();
            return claimed.position() == 0 ? claimed : claimed.flip();
        }

        @Override
        public void write(byte value) {
            target().put(value);
        }

        @Override
        public void write(byte[] value, int offset, int length) {
            target().put(value, offset, length);
        }

        @Override
        public void write(ByteBuffer value) {
            target().put(value);
        }

        @Override
        public void writeLazy(byte[] value, int offset, int length) {
            if (length == size) {
                result = ByteBuffer.wrap(value, offset, length).slice();
            } else {
                target().put(value, offset, length);
            }
        }

        @Override
        public void writeLazy(ByteBuffer value) {
            target().put(value);
        }

        private ByteBuffer target() {
            ByteBuffer claimed = result;
            if (claimed == null) {
                claimed = ByteBuffer.allocate(size);
                result = claimed;
            }
            return claimed;
        }
    }
}
