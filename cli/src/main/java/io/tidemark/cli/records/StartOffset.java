package io.tidemark.cli.records;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.PointInTime;
import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.runtime.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where to begin reading, as {@code -o} says it: {@code start}, {@code end}, an offset, {@code @TIME} or {@code -AGE}.
 *
 * <p>TIME is milliseconds since 1970 or ISO-8601, with a zone or in UTC, down to a day ({@code 2026-03-01}); AGE is a number
 * and one of ms, s, m, h, d ({@code -5m}, also {@code @-5m}). Pure.
 *
 * @param position asked of the broker; null if the offset is given
 * @param offset the offset that is given, else -1
 */
record StartOffset(@Nullable LogPosition position, long offset) {
    static final String USAGE = "start, end, an offset, @TIME (ISO-8601 or epoch milliseconds), or an age as -5m";

    private static final Pattern OFFSET = Pattern.compile("\\d{1,19}");
    private static final Pattern AGE = Pattern.compile("@?-(\\d{1,9})(ms|s|m|h|d)");
    private static final Pattern EPOCH_MS = Pattern.compile("@(\\d{1,18})");

    /** Reads what {@code -o} was given; the command fails before anybody is asked if it means nothing. */
    static StartOffset parse(String text, Clock clock) {
        if (text.equals("start")) {
            return new StartOffset(LogPosition.EARLIEST, -1);
        }
        if (text.equals("end")) {
            return new StartOffset(LogPosition.LATEST, -1);
        }
        Matcher age = AGE.matcher(text);
        if (age.matches()) {
            return atTime(clock.wallMs()
                    - unit(age.group(2))
                            .multipliedBy(Long.parseLong(age.group(1)))
                            .toMillis());
        }
        Matcher epoch = EPOCH_MS.matcher(text);
        if (epoch.matches()) {
            return atTime(Long.parseLong(epoch.group(1)));
        }
        if (text.startsWith("@")) {
            return atTime(instant(text.substring(1)));
        }
        if (OFFSET.matcher(text).matches()) {
            return offset(text);
        }
        throw refused(text);
    }

    private static StartOffset offset(String text) {
        try {
            return new StartOffset(null, Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw refused(text);
        }
    }

    private static StartOffset atTime(long timestampMs) {
        return new StartOffset(LogPosition.atTime(Math.max(0, timestampMs)), -1);
    }

    private static long instant(String text) {
        try {
            return PointInTime.parseIso(text);
        } catch (DateTimeException e) {
            throw refused("@" + text);
        }
    }

    private static Duration unit(String name) {
        return switch (name) {
            case "ms" -> Duration.ofMillis(1);
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            default -> Duration.ofDays(1);
        };
    }

    private static CommandFailure refused(String text) {
        return new CommandFailure(
                ExitCode.USAGE,
                "-o is " + USAGE + ", not \"" + text + "\"",
                "tidemark consume TOPIC -o start reads from the beginning");
    }
}
