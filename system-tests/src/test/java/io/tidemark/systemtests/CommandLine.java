package io.tidemark.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The installed {@code tidemark} command, as a person would call it. */
final class CommandLine {
    private static final int ANSWER_IS_NO = 2;

    private final Path command = Path.of(System.getProperty("tidemark.home"), "bin", "tidemark");
    private final Path scratch;

    /** @param scratch an existing directory for what commands print */
    CommandLine(Path scratch) {
        this.scratch = scratch;
    }

    /** Runs a command that has to succeed; answers what it printed. */
    String run(String... arguments) {
        return run(List.of(0), arguments);
    }

    /** Runs a command that may answer no; answers what it printed. */
    String print(String... arguments) {
        return run(List.of(0, ANSWER_IS_NO), arguments);
    }

    private String run(List<Integer> expected, String... arguments) {
        List<String> line = new ArrayList<>(List.of(command.toString()));
        line.addAll(List.of(arguments));
        try {
            Path out = Files.createTempFile(scratch, "command", ".out");
            Path err = Files.createTempFile(scratch, "command", ".err");
            int status = new ProcessBuilder(line)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start()
                    .waitFor();
            assertThat(status)
                    .as("%s: %s", line, Files.readString(err, StandardCharsets.UTF_8))
                    .isIn(expected);
            return Files.readString(out, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(line + " was interrupted", e);
        }
    }

    /** As {@link #run}, of a command that prints an object as JSON. */
    JsonObject json(String... arguments) {
        return JsonParser.parseString(run(arguments)).getAsJsonObject();
    }

    /** Where the clients of the cluster in {@code directory} begin. */
    static String bootstrapOf(Path directory) {
        try {
            return JsonParser.parseString(Files.readString(directory.resolve("cluster.json"), StandardCharsets.UTF_8))
                    .getAsJsonObject()
                    .get("bootstrap")
                    .getAsString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
