package io.tidemark.checker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.history.Histories;
import io.tidemark.history.HistoryFile;
import io.tidemark.history.HistoryFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command: its exit codes and what it prints. */
final class CheckHistoryTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @Test
    void shouldPrintATableForPeople() {
        int exit = run(Histories.file("53-combo-truncation").toString());

        assertThat(exit).isEqualTo(CheckHistory.INVALID);
        assertThat(text(out))
                .isEqualTo(
                        """
                        INVALID: 25 operations (24 ok, 0 failed, 1 unknown), 11 values sent, 9 read, 2 faults
                        No consumer read everything at the end: whether records were lost after they were read is not known.

                        KIND                   STANDING       CASES  MEANING
                        inconsistent-offsets   bad                2  one offset held two values
                        lost-write             bad                2  readers passed an acknowledged record and nobody read it
                        unseen                 bad                1  acknowledged records that no poll returned

                        inconsistent-offsets:
                          key 0, offset 2, values 3 5
                          key 0, offset 3, values 4 6

                        lost-write:
                          key 0, value 3, writer 16
                          key 0, value 4, writer 20

                        unseen:
                          key 0, values 3 4
                        """);
    }

    @Test
    void shouldPrintJsonForPrograms() throws IOException {
        // given: the other format
        Path file = directory.resolve("history.jsonl");
        HistoryFile.convert(Histories.file("31-poll-skip-basic"), file, HistoryFormat.jsonLines());

        // when
        int exit = run(file.toString(), "-o", "json", "--sub-via", "subscribe", "--kafka-rules", "--ww-deps");

        // then
        JsonObject verdict = JsonParser.parseString(text(out)).getAsJsonObject();
        assertThat(exit).isEqualTo(CheckHistory.VALID);
        assertThat(verdict.get("valid").getAsBoolean()).isTrue();
        assertThat(verdict.get("reportedErrors").toString()).isEqualTo("[\"poll-skip\"]");
        assertThat(verdict.get("details").toString())
                .isEqualTo("{\"poll-skip\":[{\"key\":0,\"ops\":[30,36],\"skipped\":[2]}]}");
        assertThat(verdict.get("options").toString())
                .isEqualTo("{\"rules\":\"kafka_workload\",\"subVia\":\"subscribe\",\"wwDeps\":true}");
    }

    @Test
    void shouldSayWhatItCannotRead() throws IOException {
        Path file = Files.writeString(directory.resolve("bad.edn"), "{:index 0,\n");

        assertThat(run(file.toString())).isEqualTo(CheckHistory.UNREADABLE);
        assertThat(text(err)).isEqualTo(file + ": line 1, column 1: '{' is not closed\n");
        assertThat(run(directory.resolve("none").toString())).isEqualTo(CheckHistory.UNREADABLE);
    }

    @Test
    void shouldRefuseACommandLineThatItDoesNotKnow() {
        for (List<String> arguments :
                List.of(List.<String>of(), List.of("-o"), List.of("a", "b"), List.of("a", "--sub-via", "magic"))) {
            assertThat(run(arguments.toArray(String[]::new))).isEqualTo(CheckHistory.UNREADABLE);
        }
        assertThat(text(err)).contains("usage: CheckHistory FILE");
    }

    private int run(String... arguments) {
        return CheckHistory.run(List.of(arguments), stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
