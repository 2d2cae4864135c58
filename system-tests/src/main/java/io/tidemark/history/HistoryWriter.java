package io.tidemark.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes events to a file as they come, with one buffer of memory. Not thread-safe: a recorder calls it in turn. */
public final class HistoryWriter implements EventSink, AutoCloseable {
    private final HistoryFormat format;
    private final BufferedWriter out;

    private HistoryWriter(HistoryFormat format, BufferedWriter out) {
        this.format = format;
        this.out = out;
    }

    /** A new file, or an old one whose content goes. */
    public static HistoryWriter create(Path file, HistoryFormat format) throws IOException {
        HistoryWriter writer = new HistoryWriter(format, Files.newBufferedWriter(file));
        if (format.header().isPresent()) {
            writer.line(format.header().get());
        }
        return writer;
    }

    /** Buffered: on disk after {@link #close}. Throws {@link UncheckedIOException} when the disk fails. */
    @Override
    public void accept(HistoryEvent event) {
        try {
            line(format.encode(event));
        } catch (IOException e) {
            throw new UncheckedIOException("the history cannot be written", e);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void line(String line) throws IOException {
        out.write(line);
        out.write('\n');
    }
}
