package io.tidemark.sim.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The values of a workload's records: numbers that nobody sends twice, as decimal text, so that a person can read a log. */
public final class RecordValues {
    /** Records that one client can send; its values begin at its id times this. */
    static final long OF_ONE_CLIENT = 1_000_000;

    private static final String KEY_PREFIX = "key-";

    private RecordValues() {}

    static ByteBuffer value(long value) {
        return text(Long.toString(value));
    }

    static ByteBuffer key(long key) {
        return text(KEY_PREFIX + key);
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The number that a record's value holds; throws {@link NumberFormatException} if it is none of a workload's. */
    public static long read(ByteBuffer value) {
        return Long.parseLong(StandardCharsets.UTF_8.decode(value.duplicate()).toString());
    }
}
