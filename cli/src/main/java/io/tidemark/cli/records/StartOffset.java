package io.tidemark.cli.records;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.client.net.Wire.LogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Where reading begins: an end of the log, or an offset.
 *
 * @param end null for an offset
 */
record StartOffset(@Nullable LogPosition end, long offset) {
    /** Reads what {@code -o} was given; the command fails before anybody is asked if it means nothing. */
    static StartOffset parse(String text) {
        return switch (text) {
            case "start" -> new StartOffset(LogPosition.EARLIEST, 0);
            case "end" -> new StartOffset(LogPosition.LATEST, 0);
            default -> new StartOffset(null, number(text));
        };
    }

    private static long number(String text) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new CommandFailure(
                ExitCode.USAGE,
                "-o is start, end or an offset from 0, not \"" + text + "\"",
                "tidemark consume TOPIC -o start reads from the beginning");
    }
}
