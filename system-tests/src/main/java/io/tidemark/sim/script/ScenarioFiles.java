package io.tidemark.sim.script;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A directory of scenarios, each in a file {@code NAME.txt}. */
public final class ScenarioFiles {
    private static final String SUFFIX = ".txt";

    private final Path directory;

    public ScenarioFiles(Path directory) {
        this.directory = directory;
    }

    /** The names of all scenarios, in order; throws {@link UncheckedIOException} if there is no such directory. */
    public List<String> names() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the scenario of that name; throws {@link UncheckedIOException} if there is none. */
    public SimScript.Parsed read(String name) {
        try {
            return SimScript.parse(Files.readString(directory.resolve(name + SUFFIX), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
