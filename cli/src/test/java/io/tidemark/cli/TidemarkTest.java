package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Exit codes are a contract. */
final class TidemarkTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = Tidemark.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "--nonsense",
                "topic",
                "topic nonsense",
                "topic create",
                "topic create orders --partitions many",
                "topic create orders --config nonsense",
                "topic create orders surplus",
                "topic describe orders --bootstrap nowhere",
                "produce",
                "produce orders --acks 7",
                "produce orders --compression nonsense",
                "produce orders --rate fast",
                "produce orders --bootstrap host:99999",
                "consume",
                "consume orders --format %x",
                "partition",
                "broker",
                "cluster",
                "perf",
                "log",
                "log dump"
            })
    void shouldSayThatTheCommandLineIsWrong(String arguments) {
        // when
        int code = run(arguments.split(" ", -1));

        // then
        assertThat(code).isEqualTo(64);
        assertThat(err.toString()).startsWith("tidemark");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldNeedACommand() {
        assertThat(run()).isEqualTo(64);
        assertThat(err.toString()).contains("a command is needed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--help", "--version", "topic --help", "topic create --help", "produce --help", "demo --help"})
    void shouldAnswerWhatAsksForHelp(String arguments) {
        // when
        int code = run(arguments.split(" ", -1));

        // then
        assertThat(code).isZero();
        assertThat(out.toString()).isNotBlank();
        assertThat(err.toString()).isEmpty();
    }
}
