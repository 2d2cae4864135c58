package io.tidemark.model;

import io.tidemark.runtime.Randomness;
import java.util.HexFormat;

/** The 128-bit identity of a topic: a topic that is deleted and created again under its old name has a new one. */
public record TopicId(long high, long low) implements Comparable<TopicId> {
    /** A new random id. */
    public static TopicId random(Randomness randomness) {
        return new TopicId(randomness.nextLong(), randomness.nextLong());
    }

    /** Reads the 32 hexadecimal digits that {@link #toString()} writes; throws {@link IllegalArgumentException} on others. */
    public static TopicId parse(String text) {
        if (text.length() != 32) {
            throw new IllegalArgumentException("a topic id has 32 hexadecimal digits, not " + text);
        }
        return new TopicId(HexFormat.fromHexDigitsToLong(text, 0, 16), HexFormat.fromHexDigitsToLong(text, 16, 32));
    }

    @Override
    public int compareTo(TopicId other) {
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
