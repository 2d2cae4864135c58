package io.tidemark.record;

import java.nio.ByteBuffer;

/**
 * Zig-zag variable-length integers: seven bits a byte, lowest first, the top bit set on all but the last byte; 0, -1, 1,
 * -2, ... are coded as 0, 1, 2, 3, ... so that small negative numbers are short too.
 *
 * <p>Reading is bounded: a number that does not end within {@link #MAX_INT_BYTES} or {@link #MAX_LONG_BYTES} bytes, or
 * within the buffer, or that holds more bits than its type, raises {@link InvalidBatchException}.
 */
final class Varint {
    /** The longest 32-bit number. */
    static final int MAX_INT_BYTES = 5;

    /** The longest 64-bit number. */
    static final int MAX_LONG_BYTES = 10;

    private static final int INT_LAST_SHIFT = 28;
    private static final int LONG_LAST_SHIFT = 63;

    private Varint() {}

    /** Reads a 32-bit number at the buffer's position and moves behind it. */
    static int readInt(ByteBuffer buffer) {
        byte first = next(buffer);
        int raw = first >= 0 ? first : longerInt(buffer, first & 0x7f);
        return (raw >>> 1) ^ -(raw & 1);
    }

    /** Apart, for most numbers have one byte and the compiler then puts the reading of that where it is wanted. */
    private static int longerInt(ByteBuffer buffer, int lowestBits) {
        int raw = lowestBits;
        for (int shift = 7; shift <= INT_LAST_SHIFT; shift += 7) {
            byte next = next(buffer);
            raw |= (next & 0x7f) << shift;
            if (next >= 0) {
                // Of the fifth byte only four bits fit.
                if (shift == INT_LAST_SHIFT && next > 0x0f) {
                    break;
                }
                return raw;
            }
        }
        throw new InvalidBatchException("a varint is longer than 32 bits");
    }

    /** Reads a 64-bit number at the buffer's position and moves behind it. */
    static long readLong(ByteBuffer buffer) {
        byte first = next(buffer);
        long raw = first >= 0 ? first : longerLong(buffer, first & 0x7fL);
        return (raw >>> 1) ^ -(raw & 1);
    }

    private static long longerLong(ByteBuffer buffer, long lowestBits) {
        long raw = lowestBits;
        for (int shift = 7; shift <= LONG_LAST_SHIFT; shift += 7) {
            byte next = next(buffer);
            raw |= (next & 0x7fL) << shift;
            if (next >= 0) {
                // Of the tenth byte only one bit fits.
                if (shift == LONG_LAST_SHIFT && next > 1) {
                    break;
                }
                return raw;
            }
        }
        throw new InvalidBatchException("a varlong is longer than 64 bits");
    }

    private static byte next(ByteBuffer buffer) {
        if (!buffer.hasRemaining()) {
            throw new InvalidBatchException("the bytes end inside a varint");
        }
        return buffer.get();
    }

    /** Writes {@code value} at the buffer's position; needs {@link #intBytes} bytes of room. */
    static void writeInt(ByteBuffer buffer, int value) {
        int raw = (value << 1) ^ (value >> 31);
        while ((raw & ~0x7f) != 0) {
            buffer.put((byte) (raw | 0x80));
            raw >>>= 7;
        }
        buffer.put((byte) raw);
    }

    /** Writes {@code value} at the buffer's position; needs {@link #longBytes} bytes of room. */
    static void writeLong(ByteBuffer buffer, long value) {
        long raw = (value << 1) ^ (value >> 63);
        while ((raw & ~0x7fL) != 0) {
            buffer.put((byte) (raw | 0x80));
            raw >>>= 7;
        }
        buffer.put((byte) raw);
    }

    /** Bytes that {@link #writeInt} takes for {@code value}. */
    static int intBytes(int value) {
        int raw = (value << 1) ^ (value >> 31);
        return (38 - Integer.numberOfLeadingZeros(raw | 1)) / 7;
    }

    /** Bytes that {@link #writeLong} takes for {@code value}. */
    static int longBytes(long value) {
        long raw = (value << 1) ^ (value >> 63);
        return (70 - Long.numberOfLeadingZeros(raw | 1)) / 7;
    }
}
