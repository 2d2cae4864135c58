package io.tidemark.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Tidemark;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The script is tried in bash itself. */
final class CompletionTest {
    @TempDir
    private Path directory;

    private Path script;
    private Path command;

    @BeforeEach
    void writeScript() throws IOException {
        StringWriter out = new StringWriter();
        CommandLine line = Tidemark.commandLine();
        line.setOut(new PrintWriter(out));
        assertThat(line.execute("completion", "bash")).isZero();
        script = Files.writeString(directory.resolve("script"), out.toString());
        command = directory.resolve("tidemark");
        answering("printf 'orders\\npayments\\n'; echo \"$*\" >>" + directory.resolve("calls"));
    }

    private void answering(String body) throws IOException {
        Files.deleteIfExists(command);
        Files.createFile(command, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(command, "#!/usr/bin/env bash\n" + body + "\n");
    }

    /** However long a busy machine takes for the answer. */
    private List<String> complete(String typed) throws IOException {
        return complete("timeout() { shift; \"$@\"; }; ", typed);
    }

    private List<String> complete(String before, String typed) throws IOException {
        Path out = directory.resolve("out");
        String program = before + ". " + script + "; COMP_WORDS=(" + command + " " + typed
                + "); ((COMP_CWORD = ${#COMP_WORDS[@]} - 1));"
                + " _tidemark_with_topics; printf '%s\\n' \"${COMPREPLY[@]}\"";
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", program)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(out.toFile());
        bash.environment().put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        bash.environment().remove("TIDEMARK_BOOTSTRAP");
        try {
            bash.start().waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return Files.readString(out, StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "to, topic",
        "topic cr, create",
        "dev st, start|status|stop",
        "topic create --part, --partitions",
        "completion b, bash"
    })
    void shouldCompleteCommandsAndOptions(String typed, String expected) throws IOException {
        assertThat(complete(typed)).containsExactlyInAnyOrder(expected.split("\\|", -1));
    }

    @Test
    void shouldCompleteTopicsThatTheClusterHas() throws IOException {
        assertThat(complete("topic describe or")).containsExactly("orders");
        assertThat(complete("consume ''")).containsExactly("orders", "payments");
    }

    @Test
    void shouldAskOnceWithinThirtySeconds() throws IOException {
        // when
        complete("topic describe or");
        complete("topic delete pay");

        // then
        assertThat(directory.resolve("calls")).hasContent("topic list -o name");
    }

    // Fails if: bash expands what it is told, as compgen -W does.
    @Test
    void shouldRunNothingOfWhatABrokerSays() throws IOException {
        // given
        Path trace = directory.resolve("trace");
        answering("cat <<'END'\norders\norders$(touch " + trace + ")\n`touch " + trace + "`\n*\nEND");

        // then
        assertThat(complete("topic describe or")).containsExactly("orders");
        assertThat(complete("consume ''")).containsExactly("orders");
        assertThat(trace).doesNotExist();
    }

    @Test
    void shouldOfferNothingWhenNobodyAnswers() throws IOException {
        // given
        answering("exec sleep 60");

        // then
        assertThat(complete("", "topic describe or")).isEmpty();
    }
}
