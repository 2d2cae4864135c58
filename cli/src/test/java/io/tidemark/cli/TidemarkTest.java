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
                "produce orders --rate -1",
                "produce orders --bootstrap host:99999",
                "consume",
                "consume orders --format %x",
                "partition",
                "broker",
                "cluster",
                "perf",
                "consume orders -o json",
                "consume orders --offset -1",
                "consume orders -n -1",
                "consume orders --output name",
                "produce orders -o name",
                "topic list -o yaml",
                "topic list --timeout 0",
                "topic create orders -p -1",
                "topic alter orders",
                "topic alter orders -c nonsense",
                "cluster health --checks 0",
                "topic trim orders",
                "topic trim orders --partition 0",
                "topic trim orders --partition 0 --to -1",
                "topic trim orders --partition 0 --to soon",
                "topic trim orders --partition -1 --to 5",
                "partition transfer-leader orders 1",
                "perf produce load --records 0",
                "perf produce load --batch-size 0",
                "perf produce load --linger -1",
                "perf consume load --warm-up -1",
                "dev start --brokers 0 --dir /nonexistent",
                "dev start",
                "error NOT_A_CODE",
                "completion",
                "completion tcsh",
                "log",
                "log dump",
                "log dump file.txt"
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
            strings = {"topic create", "topic list -o yaml", "consume orders -o json", "topic crate", "log dump x"})
    void shouldSayWhatToDoNext(String arguments) {
        // when
        run(arguments.split(" ", -1));

        // then
        assertThat(err.toString()).containsPattern("  next: |Did you mean");
    }

    @Test
    void shouldSayWhatAnErrorMeans() {
        // when
        int code = run("error", "not-enough-replicas", "-o", "json");

        // then
        assertThat(code).isZero();
        assertThat(out.toString()).startsWith("{\"name\":\"NOT_ENOUGH_REPLICAS\",\"outcome\":\"FAILED_RETRY\",");
    }

    @Test
    void shouldReportAFileThatIsNotThere() {
        // when
        int code = run("log", "dump", "/nonexistent/0.log");

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("tidemark log dump: there is no file /nonexistent/0.log\n");
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
