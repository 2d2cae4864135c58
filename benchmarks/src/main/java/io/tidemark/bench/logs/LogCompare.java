package io.tidemark.bench.logs;

import io.tidemark.bench.disk.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command: each row in a JVM of its own for each system, one after the other, round after round, the order turned round each
 * time. Ends with 0 if every process gave a figure, whatever it is; 1 if one failed.
 */
@Command(
        name = "log-compare",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 120,
        description = "Measures the logs of Kafka 3.9.1 and Tidemark in turn on this machine, with the same batches.",
        footer = {
            "",
            "Examples:",
            "  benchmarks/log-compare --dir /tmp/logs --quick            does it work? (its figures mean nothing)",
            "  benchmarks/log-compare --dir /tmp/logs --rounds 5         the table of docs/performance.md",
            "  benchmarks/log-compare --dir /tmp/logs --rows append,cleaner"
        })
public final class LogCompare implements Callable<Integer> {
    private static final TimeValue ITERATION_LIMIT = TimeValue.minutes(2);
    private static final String OUTPUT = "jmh.txt";
    private static final TimeValue QUICK_TIME = TimeValue.milliseconds(300);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--dir", required = true, description = "directory whose disk is used; what is written there goes")
    private Path directory = Path.of(".");

    @Option(names = "--rows", split = ",", description = "rows, or beginnings of their names; default: all (${ROWS})")
    private List<String> rows = LogRow.keys();

    @Option(names = "--rounds", defaultValue = "3", description = "processes for each row and system; default 3")
    private int rounds;

    @Option(names = "--heap", defaultValue = "1g", description = "heap of each process; default 1g")
    private String heap = "";

    @Option(names = "--quick", description = "small logs, one round, hardly warmed up: does it work?")
    private boolean quick;

    /** Runs the command. */
    public static void main(String[] words) {
        System.setProperty("ROWS", String.join(" ", LogRow.keys()));
        System.exit(new CommandLine(new LogCompare()).execute(words));
    }

    @Override
    public Integer call() throws IOException {
        List<LogRow> selected = selected();
        List<LogSample> samples = new ArrayList<>();
        try (Workspace workspace = Workspace.below(directory, "log-compare")) {
            for (int round = 1; round <= (quick ? 1 : rounds); round++) {
                for (LogRow row : selected) {
                    samples.addAll(pair(row, round, workspace.path()));
                }
            }
        }
        LogTable table = new LogTable(selected, samples);
        System.out.print(table.columns().text());
        System.out.println();
        System.out.print(table.columns().markdown());
        if (quick) {
            System.out.println("--quick: these figures mean nothing");
        }
        return samples.stream().anyMatch(sample -> sample.figure() == null) ? 1 : 0;
    }

    private List<LogRow> selected() {
        if (rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds is at least 1");
        }
        try {
            return LogRow.select(rows);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--rows: " + e.getMessage());
        }
    }

    private List<LogSample> pair(LogRow row, int round, Path workspace) {
        boolean isOdd = round % 2 == 1;
        List<LogSystem> order =
                isOdd ? List.of(LogSystem.KAFKA, LogSystem.TIDEMARK) : List.of(LogSystem.TIDEMARK, LogSystem.KAFKA);
        return order.stream()
                .map(system -> measured(row, system, round, workspace))
                .toList();
    }

    private LogSample measured(LogRow row, LogSystem system, int round, Path workspace) {
        LogRow.Size size = quick ? LogRow.Size.QUICK : LogRow.Size.FULL;
        LogSample sample;
        try {
            Collection<RunResult> results =
                    new Runner(options(row, system, workspace, size).build()).run();
            double perSecond = results.iterator().next().getPrimaryResult().getScore();
            sample = new LogSample(row, system, round, row.figure(perSecond, size), null);
        } catch (RunnerException e) {
            sample = new LogSample(row, system, round, null, String.valueOf(e.getMessage()));
            System.err.println(said(workspace.resolve(OUTPUT)));
        }
        System.err.printf(
                "log-compare: round %d, %s, %s: %s%n",
                round,
                row.key(),
                system.key(),
                sample.figure() == null ? "failed: " + sample.failure() : sample.figure() + " " + row.unit());
        return sample;
    }

    private static String said(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return "what it said cannot be read: " + e;
        }
    }

    private ChainedOptionsBuilder options(LogRow row, LogSystem system, Path workspace, LogRow.Size size) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(row.pattern())
                .param("system", system.key())
                .forks(1)
                .jvmArgs(
                        "-Xms" + heap,
                        "-Xmx" + heap,
                        "-XX:+UseG1GC",
                        "-D" + RaceTrack.DIRECTORY + "=" + workspace,
                        "-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error")
                .timeout(ITERATION_LIMIT)
                .shouldFailOnError(true)
                .output(workspace.resolve(OUTPUT).toString());
        row.parameters(size).forEach(options::param);
        if (size == LogRow.Size.QUICK) {
            options.warmupIterations(1)
                    .warmupTime(QUICK_TIME)
                    .measurementIterations(1)
                    .measurementTime(QUICK_TIME);
        }
        return options;
    }
}
