package io.tidemark.history;

import java.io.IOException;
import java.io.Reader;
import java.util.Optional;

/** Lines of a text, none longer than a bound, whatever the input. */
final class BoundedLines {
    /** More than the largest poll needs, less than memory has. */
    static final int MAX_LINE_CHARS = 16 << 20;

    private final Reader reader;
    private final int maxLineChars;
    private final char[] buffer = new char[1 << 16];
    private int at;
    private int filled;
    private boolean tooLong;

    BoundedLines(Reader reader, int maxLineChars) {
        this.reader = reader;
        this.maxLineChars = maxLineChars;
    }

    /** The next line without its end, or none at the end of the text or behind a line that is too long. */
    Optional<String> next() throws IOException {
        StringBuilder line = new StringBuilder();
        boolean hasAny = false;
        while (!tooLong && (at < filled || fill())) {
            hasAny = true;
            int end = at;
            while (end < filled && buffer[end] != '\n') {
                end++;
            }
            line.append(buffer, at, end - at);
            tooLong = line.length() > maxLineChars;
            boolean isWhole = end < filled;
            at = isWhole ? end + 1 : end;
            if (isWhole && !tooLong) {
                return Optional.of(withoutReturn(line));
            }
        }
        return hasAny && !tooLong ? Optional.of(withoutReturn(line)) : Optional.empty();
    }

    /** Whether the reading ended at a line beyond the bound. */
    boolean isStuck() {
        return tooLong;
    }

    private boolean fill() throws IOException {
        at = 0;
        filled = Math.max(0, reader.read(buffer, 0, buffer.length));
        return filled > 0;
    }

    private static String withoutReturn(StringBuilder line) {
        int length = line.length();
        return length > 0 && line.charAt(length - 1) == '\r' ? line.substring(0, length - 1) : line.toString();
    }
}
