package io.tidemark.record;

/** How a batch's records are compressed; {@link #id()} is the low three bits of the batch attributes. */
public enum Codec {
    NONE(0),
    GZIP(1),
    SNAPPY(2),
    LZ4(3),
    ZSTD(4);

    private final int id;

    Codec(int id) {
        this.id = id;
    }

    public int id() {
        return id;
    }

    /** The codec with that id; throws {@link InvalidBatchException} for 5, 6 and 7. */
    public static Codec ofId(int id) {
        for (Codec codec : values()) {
            if (codec.id == id) {
                return codec;
            }
        }
        throw new InvalidBatchException("unknown compression codec " + id);
    }
}
