package io.tidemark.core.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The bytes of one file that {@link HoldingFiles} keeps back: they follow the first {@code passedBytes}, which the
 * delegate has. Shared by all handles of the file; its methods are guarded by itself.
 */
final class HeldFile {
    private static final byte[] NONE = new byte[0];

    private long passedBytes;
    private byte[] held = NONE;
    private int heldBytes;

    HeldFile(long passedBytes) {
        this.passedBytes = passedBytes;
    }

    synchronized long size() {
        return passedBytes + heldBytes;
    }

    synchronized int heldBytes() {
        return heldBytes;
    }

    synchronized void append(ByteBuffer... buffers) {
        for (ByteBuffer buffer : buffers) {
            int count = buffer.remaining();
            int end = Math.addExact(heldBytes, count);
            if (end > held.length) {
                held = Arrays.copyOf(held, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(end, held.length * 2L)));
            }
            buffer.get(held, heldBytes, count);
            heldBytes = end;
        }
    }

    synchronized int read(FileHandle delegate, ByteBuffer target, long position) throws IOException {
        int count = 0;
        if (position < passedBytes) {
            int limit = target.limit();
            target.limit(target.position() + (int) Math.min(target.remaining(), passedBytes - position));
            try {
                count = delegate.read(target, position);
            } finally {
                target.limit(limit);
            }
        }
        long heldPosition = position + count - passedBytes;
        if (heldPosition < 0 || heldPosition >= heldBytes) {
            return count;
        }
        int fromHeld = (int) Math.min(target.remaining(), heldBytes - heldPosition);
        target.put(held, (int) heldPosition, fromHeld);
        return count + fromHeld;
    }

    synchronized void truncate(FileHandle delegate, long sizeBytes) throws IOException {
        if (sizeBytes < passedBytes) {
            delegate.truncate(sizeBytes);
            passedBytes = sizeBytes;
            heldBytes = 0;
        } else {
            heldBytes = (int) Math.min(heldBytes, sizeBytes - passedBytes);
        }
    }

    /** Hands everything to the delegate; after an error what it did not take is still held. */
    synchronized void passOn(FileHandle delegate) throws IOException {
        if (heldBytes == 0) {
            return;
        }
        try {
            delegate.append(ByteBuffer.wrap(held, 0, heldBytes));
        } finally {
            long taken = delegate.size() - passedBytes;
            heldBytes -= (int) taken;
            System.arraycopy(held, (int) taken, held, 0, heldBytes);
            passedBytes += taken;
        }
    }
}
