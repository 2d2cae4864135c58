package io.tidemark.record;

/** The size of text in UTF-8, known without encoding it. */
final class Utf8 {
    private Utf8() {}

    /** Bytes that {@code String.getBytes(UTF_8)} gives; a lone surrogate is one byte there, a question mark. */
    static long sizeBytes(String text) {
        long size = 0;
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit < 0x80) {
                size += 1;
            } else if (unit < 0x800) {
                size += 2;
            } else if (!Character.isSurrogate(unit)) {
                size += 3;
            } else if (isPairAt(text, i)) {
                size += 4;
                i++;
            } else {
                size += 1;
            }
        }
        return size;
    }

    private static boolean isPairAt(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
    }
}
