package io.tidemark.history;

import io.tidemark.history.HistoryFormat.Decoded;
import io.tidemark.history.HistoryFormat.Flaw;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads histories in either format, which the first line gives away: JSON lines begin with <code>{"</code>. Memory holds
 * one line and the operations; a line is at most {@value BoundedLines#MAX_LINE_CHARS} characters.
 */
public final class HistoryFile {
    private HistoryFile() {}

    /** What came of reading a file: a history, or what is wrong with the file. Just one of the two is there. */
    public record Loaded(Optional<History> history, Optional<Unreadable> unreadable) {}

    /**
     * Where a file is no history.
     *
     * @param line from 1
     * @param column from 1
     */
    public record Unreadable(long line, int column, String message) {
        @Override
        public String toString() {
            return "line " + line + ", column " + column + ": " + message;
        }
    }

    /** The operations of a file. Throws {@link IOException} only when the file cannot be read at all. */
    public static Loaded load(Path file) throws IOException {
        HistoryBuilder builder = new HistoryBuilder();
        Optional<Unreadable> unreadable = read(file, builder::add);
        return unreadable.isPresent()
                ? new Loaded(Optional.empty(), unreadable)
                : new Loaded(Optional.of(builder.build()), Optional.empty());
    }

    /** Writes the events of a file in another format, or says where the file is none and leaves what it wrote until then. */
    public static Optional<Unreadable> convert(Path from, Path to, HistoryFormat format) throws IOException {
        try (HistoryWriter writer = HistoryWriter.create(to, format)) {
            return read(from, event -> {
                writer.accept(event);
                return Optional.empty();
            });
        }
    }

    /** Passes events to {@code take}, which may object; the first objection or flaw ends the reading. */
    private static Optional<Unreadable> read(Path file, Function<HistoryEvent, Optional<String>> take)
            throws IOException {
        long lineNumber = 0;
        try (Reader reader = Files.newBufferedReader(file)) {
            BoundedLines lines = new BoundedLines(reader, BoundedLines.MAX_LINE_CHARS);
            HistoryFormat format = null;
            for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                lineNumber++;
                HistoryFormat known = format == null ? formatOf(line.get()) : format;
                format = known;
                Optional<Flaw> flaw = take(known.decode(line.get()), take);
                if (flaw.isPresent()) {
                    return Optional.of(new Unreadable(
                            lineNumber, flaw.get().column(), flaw.get().message()));
                }
            }
            return lines.isStuck()
                    ? Optional.of(new Unreadable(lineNumber + 1, 1, "a line beyond the bound of length"))
                    : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.of(new Unreadable(lineNumber + 1, 1, "not UTF-8 (near this line)"));
        }
    }

    private static Optional<Flaw> take(Decoded decoded, Function<HistoryEvent, Optional<String>> take) {
        if (decoded.event().isEmpty()) {
            return decoded.flaw();
        }
        return take.apply(decoded.event().get()).map(objection -> new Flaw(1, objection));
    }

    private static HistoryFormat formatOf(String firstLine) {
        return firstLine.stripLeading().startsWith("{\"") ? HistoryFormat.jsonLines() : HistoryFormat.edn();
    }
}
