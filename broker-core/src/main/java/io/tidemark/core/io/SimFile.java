package io.tidemark.core.io;

import io.tidemark.runtime.Randomness;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The content of a simulated file, together with what the disk is sure to hold of it.
 *
 * <p>Durable content = the first {@code durableBytes} of {@code data}, then {@code durableTail}: the forced bytes that
 * were cut off since the last force, whose loss is no more certain than anything else that was not forced.
 */
final class SimFile implements SimNode {
    private static final int SECTOR_BYTES = 512;
    private static final byte[] NONE = new byte[0];

    private byte[] data = NONE;
    private int sizeBytes;
    private int durableBytes;
    private byte[] durableTail = NONE;
    private boolean linked = true;

    int size() {
        return sizeBytes;
    }

    /** Whether a name leads to the file; without one it uses no space. */
    boolean isLinked() {
        return linked;
    }

    void unlink() {
        linked = false;
    }

    void append(ByteBuffer source, int countBytes) {
        int end = Math.addExact(sizeBytes, countBytes);
        if (end > data.length) {
            data = Arrays.copyOf(data, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(end, data.length * 2L)));
        }
        source.get(data, sizeBytes, countBytes);
        sizeBytes = end;
    }

    int read(ByteBuffer target, long position) {
        if (position >= sizeBytes) {
            return 0;
        }
        int count = (int) Math.min(target.remaining(), sizeBytes - position);
        target.put(data, (int) position, count);
        return count;
    }

    void truncate(int newSizeBytes) {
        if (newSizeBytes < durableBytes) {
            byte[] cut = Arrays.copyOfRange(data, newSizeBytes, durableBytes);
            byte[] tail = Arrays.copyOf(cut, cut.length + durableTail.length);
            System.arraycopy(durableTail, 0, tail, cut.length, durableTail.length);
            durableTail = tail;
            durableBytes = newSizeBytes;
        }
        sizeBytes = newSizeBytes;
    }

    void corrupt(long position, int bits) {
        if (position < 0 || position >= sizeBytes) {
            throw new IllegalArgumentException("the file has " + sizeBytes + " bytes, none at " + position);
        }
        data[(int) position] ^= (byte) bits;
    }

    void force() {
        durableBytes = sizeBytes;
        durableTail = NONE;
    }

    byte[] content() {
        return Arrays.copyOf(data, sizeBytes);
    }

    @Override
    public long usedBytes() {
        return sizeBytes;
    }

    @Override
    public void losePower(Randomness randomness) {
        boolean cutIsUndone = durableTail.length > 0 && randomness.nextInt(2) == 0;
        if (cutIsUndone) {
            sizeBytes = durableBytes;
            append(ByteBuffer.wrap(durableTail), durableTail.length);
        } else {
            int surviving = randomness.nextInt(sizeBytes - durableBytes + 1);
            sizeBytes = durableBytes + surviving;
            if (surviving > 0 && randomness.nextInt(2) == 0) {
                tearTail(surviving, randomness);
            }
        }
        linked = true;
        force();
    }

    /** The size reached the disk, the last bytes did not: what stands there is zeros or whatever was there before. */
    private void tearTail(int survivingBytes, Randomness randomness) {
        int torn = 1 + randomness.nextInt(Math.min(survivingBytes, SECTOR_BYTES));
        boolean zeros = randomness.nextInt(2) == 0;
        for (int i = sizeBytes - torn; i < sizeBytes; i++) {
            data[i] = zeros ? 0 : (byte) randomness.nextLong();
        }
    }
}
