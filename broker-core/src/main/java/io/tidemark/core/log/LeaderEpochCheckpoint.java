package io.tidemark.core.log;

import io.tidemark.core.checkpoint.AtomicFile;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.LeaderEpochs.EpochStart;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code leader-epoch-checkpoint} of a partition directory, in Kafka's text format:
 *
 * <pre>
 * 0                       version
 * 2                       number of entries
 * 0 0                     epoch, start offset
 * 5 4711
 * </pre>
 *
 * <p>Batch headers are the truth: a damaged file is reported, ignored, and written anew after the history was rebuilt from
 * them. One writer at a time.
 */
public final class LeaderEpochCheckpoint {
    /** Name of the file. */
    public static final String FILE_NAME = "leader-epoch-checkpoint";

    private static final Logger LOG = LoggerFactory.getLogger(LeaderEpochCheckpoint.class);
    private static final String VERSION = "0";
    private static final int HEADER_LINES = 2;

    private final AtomicFile file;

    public LeaderEpochCheckpoint(Files files, Path partitionDirectory) {
        this.file = new AtomicFile(files, partitionDirectory, FILE_NAME);
    }

    /** Replaces the file, durably. */
    void write(LeaderEpochHistory history) {
        StringBuilder text = new StringBuilder(VERSION)
                .append('\n')
                .append(history.entries().size())
                .append('\n');
        for (EpochStart entry : history.entries()) {
            text.append(entry.epoch()).append(' ').append(entry.startOffset()).append('\n');
        }
        file.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** The entries of the file; empty if it is missing or damaged. */
    public Optional<List<EpochStart>> read() {
        Optional<byte[]> content = file.read();
        if (content.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(new String(content.get(), StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            LOG.warn("{} is damaged and will be rebuilt from the log: {}", file.path(), e.getMessage());
            return Optional.empty();
        }
    }

    private static List<EpochStart> parse(String text) {
        List<String> lines = text.lines().toList();
        if (lines.size() < HEADER_LINES || !lines.get(0).strip().equals(VERSION)) {
            throw new IllegalArgumentException("no version " + VERSION + " in the first line");
        }
        int count = Integer.parseInt(lines.get(1).strip());
        if (count != lines.size() - HEADER_LINES) {
            throw new IllegalArgumentException(
                    count + " entries are announced, found " + (lines.size() - HEADER_LINES));
        }
        List<EpochStart> entries = new ArrayList<>();
        for (String line : lines.subList(HEADER_LINES, lines.size())) {
            entries.add(parseEntry(line));
        }
        return List.copyOf(entries);
    }

    private static EpochStart parseEntry(String line) {
        int space = line.indexOf(' ');
        if (space < 0) {
            throw new IllegalArgumentException("not an entry: " + line);
        }
        int epoch = Integer.parseInt(line.substring(0, space));
        long startOffset = Long.parseLong(line.substring(space + 1).strip());
        if (epoch < 0 || startOffset < 0) {
            throw new IllegalArgumentException("negative: " + line);
        }
        return new EpochStart(epoch, startOffset);
    }
}
