package io.tidemark.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The histories of which another checker's verdicts are known. */
public final class Histories {
    private static final String SUFFIX = ".edn";

    private Histories() {}

    /** Their names, in order. */
    public static List<String> names() {
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Path file(String name) {
        return directory().resolve(name + SUFFIX);
    }

    public static Path verdict(String name) {
        return directory().resolve(name + ".expected.json");
    }

    public static History load(String name) throws IOException {
        HistoryFile.Loaded loaded = HistoryFile.load(file(name));
        return loaded.history().orElseThrow(() -> new IllegalStateException(name + ": " + loaded.unreadable()));
    }

    private static Path directory() {
        URL url = Objects.requireNonNull(Histories.class.getResource("/histories"));
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
