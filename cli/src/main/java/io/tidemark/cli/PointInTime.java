package io.tidemark.cli;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Times as people write them: ISO-8601 with a zone or in UTC, down to a day. Pure. */
public final class PointInTime {
    private PointInTime() {}

    /**
     * Milliseconds since 1970 of {@code 2026-03-01}, {@code 2026-03-01T10:00}, {@code 2026-03-01T10:00:00+01:00}.
     *
     * @throws DateTimeException if it is no such time, or one that no timestamp reaches
     */
    public static long parseIso(String text) {
        try {
            return parse(text);
        } catch (ArithmeticException e) {
            throw new DateTimeException("too far from 1970: " + text, e);
        }
    }

    private static long parse(String text) {
        if (!text.contains("T")) {
            return LocalDate.parse(text)
                    .atStartOfDay()
                    .toInstant(ZoneOffset.UTC)
                    .toEpochMilli();
        }
        return text.matches(".*(Z|[+-]\\d\\d(:?\\d\\d)?)")
                ? OffsetDateTime.parse(text).toInstant().toEpochMilli()
                : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC).toEpochMilli();
    }
}
