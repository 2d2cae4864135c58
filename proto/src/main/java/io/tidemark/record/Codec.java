package io.tidemark.record;

import java.util.Locale;

/** How a batch's records are compressed; {@link #id()} is the low three bits of the batch attributes. */
public enum Codec {
    NONE(0),
    GZIP(1),
    SNAPPY(2),
    LZ4(3),
    ZSTD(4);

    private static final Codec[] BY_ID = values();

    private final int id;
    private final String configName;

    Codec(int id) {
        this.id = id;
        this.configName = name().toLowerCase(Locale.ROOT);
    }

    public int id() {
        return id;
    }

    /** The name in configuration, for example {@code zstd}. */
    public String configName() {
        return configName;
    }

    /** Whether a codec has that id: true for 0 to 4. */
    public static boolean isKnown(int id) {
        return id >= 0 && id < BY_ID.length;
    }

    /** The codec with that id; throws {@link InvalidBatchException} for 5, 6 and 7. */
    public static Codec ofId(int id) {
        if (!isKnown(id)) {
            throw new InvalidBatchException("unknown compression codec " + id);
        }
        return BY_ID[id];
    }

    /**
     * Reads a configuration value, one of {@code none}, {@code gzip}, {@code snappy}, {@code lz4} and {@code zstd}, in
     * lower case as operators know it.
     *
     * @throws IllegalArgumentException that quotes any other text
     */
    public static Codec parse(String text) {
        for (Codec codec : BY_ID) {
            if (codec.configName.equals(text)) {
                return codec;
            }
        }
        throw new IllegalArgumentException("expected none, gzip, snappy, lz4 or zstd, not \"" + text + "\"");
    }
}
