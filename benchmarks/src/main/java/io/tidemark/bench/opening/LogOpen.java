package io.tidemark.bench.opening;

import io.tidemark.bench.disk.Workspace;
import io.tidemark.bench.report.Spread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command. Ends with 0 if everything was measured, whatever came out of it. */
@Command(
        name = "log-open",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 120,
        description = {
            "Makes many logs of three segments each, and has a fresh process open them: after a clean stop,",
            "and after a kill with different amounts of data beyond the recovery points."
        },
        footer = {
            "",
            "Examples:",
            "  benchmarks/log-open --dir /tmp/open --quick          does it work? (its figures mean nothing)",
            "  benchmarks/log-open --dir /tmp/open                  the table of docs/performance.md"
        })
public final class LogOpen implements Callable<Integer> {
    private static final int KIBIBYTE = 1 << 10;
    private static final int QUICK_PARTITIONS = 100;
    private static final int QUICK_SEGMENT_KIBIBYTES = 64;
    private static final int QUICK_PART = 8;
    private static final long STEP_LIMIT_MINUTES = 10;
    private static final double NS_PER_SECOND = 1e9;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--dir", required = true, description = "directory whose disk is used; what is written there goes")
    private Path directory = Path.of(".");

    @Option(names = "--rounds", defaultValue = "3", description = "how often each is measured; default 3")
    private int rounds;

    @Option(names = "--partitions", defaultValue = "2000", description = "how many logs; default 2000")
    private int partitions;

    @Option(names = "--segment-kib", defaultValue = "512", description = "size of a segment; default 512")
    private int segmentKibibytes;

    @Option(
            names = "--beyond-kib",
            split = ",",
            description = "two amounts beyond each recovery point, the smaller first; default 48,384")
    private int[] beyondKibibytes = {48, 384};

    @Option(
            names = "--threads",
            defaultValue = "1",
            description = "num.recovery.threads.per.data.dir; default 1, as a broker's")
    private int threads;

    @Option(names = "--heap", defaultValue = "1g", description = "heap of each process; default 1g")
    private String heap = "";

    @Option(names = "--quick", description = "100 small logs, one round: does it work?")
    private boolean quick;

    /** Runs the command. */
    public static void main(String[] words) {
        System.exit(new CommandLine(new LogOpen()).execute(words));
    }

    @Override
    public Integer call() throws IOException {
        requireSense();
        if (quick) {
            partitions = Math.min(partitions, QUICK_PARTITIONS);
            segmentKibibytes = QUICK_SEGMENT_KIBIBYTES;
            beyondKibibytes = Arrays.stream(beyondKibibytes)
                    .map(each -> Math.max(16, each / QUICK_PART))
                    .toArray();
            rounds = 1;
        }
        try (Workspace workspace = Workspace.below(directory, "log-open")) {
            OpenTable table = measure(workspace.path());
            System.out.print(table.columns().text());
            System.out.println();
            System.out.print(table.columns().markdown());
        }
        if (quick) {
            System.out.println("--quick: these figures mean nothing");
        }
        return 0;
    }

    private void requireSense() {
        boolean areAmounts = beyondKibibytes.length == 2
                && beyondKibibytes[0] * KIBIBYTE >= Partitions.BATCH_BYTES
                && beyondKibibytes[1] > beyondKibibytes[0];
        if (!areAmounts || rounds < 1 || partitions < 1 || segmentBytes() < Partitions.BATCH_BYTES) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--beyond-kib is two amounts, the smaller first and at least 16; --segment-kib is at least 16, "
                            + "--rounds and --partitions at least 1");
        }
    }

    private OpenTable measure(Path logs) throws IOException {
        step("create", logs, partitions);
        List<Double> clean = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            clean.add(open(logs, 0));
        }
        OpenTable.Unclean small = unclean(logs, (long) beyondKibibytes[0] * KIBIBYTE);
        OpenTable.Unclean large = unclean(logs, (long) beyondKibibytes[1] * KIBIBYTE);
        return new OpenTable(spread(clean), small, large);
    }

    private OpenTable.Unclean unclean(Path logs, long bytesEach) throws IOException {
        List<Double> seconds = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            step("append", logs, bytesEach);
            seconds.add(open(logs, bytesEach));
        }
        long bytes = partitions * new Partitions(logs, segmentBytes()).addedBytes(bytesEach);
        return new OpenTable.Unclean(bytes, spread(seconds));
    }

    private double open(Path logs, long bytesEach) throws IOException {
        double seconds = Long.parseLong(step("open", logs, partitions, bytesEach, threads)) / NS_PER_SECOND;
        System.err.printf(
                "log-open: %,d logs, %,d bytes beyond each recovery point: %.2f s%n", partitions, bytesEach, seconds);
        return seconds;
    }

    private static Spread spread(List<Double> seconds) {
        return Spread.of(seconds.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private int segmentBytes() {
        return segmentKibibytes * KIBIBYTE;
    }

    private String step(String name, Path logs, long... numbers) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heap,
                "-Xmx" + heap,
                "-XX:+UseG1GC",
                "-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                OpenStep.class.getName(),
                name,
                logs.toString(),
                Integer.toString(segmentBytes())));
        Arrays.stream(numbers).mapToObj(Long::toString).forEach(words::add);
        Process process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return outputOf(process, name);
    }

    /** What it prints, once it has ended; it does not outlive this process, nor its limit. */
    private static String outputOf(Process process, String name) throws IOException {
        Thread atExit = new Thread(process::destroyForcibly, "step-end");
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            // A line at most, so that it does not wait for a reader.
            if (!process.waitFor(STEP_LIMIT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException("the step " + name + " failed, or did not end in time");
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(atExit);
        }
    }
}
