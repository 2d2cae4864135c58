package io.tidemark.cli.demo;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.OutputOption;
import io.tidemark.cli.dev.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark demo}: shows that a leader's death loses nothing. */
@Command(
        name = "demo",
        description = {
            "Start ZooKeeper and three brokers, produce with acks=all, kill the leader in the middle with SIGKILL,",
            "consume everything and compare. Exit code 0 only if nothing acknowledged is missing and order held."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int BROKERS = 3;

    @Option(names = "--records", defaultValue = "100000", description = "records to produce; default ${DEFAULT-VALUE}")
    private int records;

    @Option(names = "--dir", description = "where to put the cluster; default: a temporary directory")
    private @Nullable Path directory;

    @Option(names = "--keep", description = "leave the cluster running and its files where they are")
    private boolean keep;

    @Mixin
    private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (records < 10) {
            throw new CommandFailure(ExitCode.USAGE, "--records must be at least 10: the leader dies in the middle");
        }
        Path given = directory;
        Path place = given == null ? Files.createTempDirectory("tidemark-demo-") : given;
        if (given != null && Files.exists(given) && !isEmpty(given)) {
            throw new CommandFailure(ExitCode.REFUSED, given + " is not empty: the demo needs a directory of its own");
        }
        LocalCluster cluster = LocalCluster.openOrCreate(place, LocalCluster.Plan.of(BROKERS), System.err::println);
        Thread killOnInterrupt = new Thread(cluster::killAll);
        Runtime.getRuntime().addShutdownHook(killOnInterrupt);
        try {
            cluster.start();
            DemoReport report = new Demo(cluster, records, System.err::println).run();
            show(report, output.output());
            return report.isGood() ? ExitCode.OK : ExitCode.FAILED;
        } finally {
            Runtime.getRuntime().removeShutdownHook(killOnInterrupt);
            cleanUp(cluster, place, given == null ? Ownership.TEMPORARY : Ownership.GIVEN);
        }
    }

    private enum Ownership {
        TEMPORARY,
        GIVEN
    }

    private void cleanUp(LocalCluster cluster, Path place, Ownership ownership) {
        if (keep) {
            System.err.println("the cluster goes on in " + place + "; stop it with: tidemark dev stop --dir " + place);
            return;
        }
        cluster.killAll();
        if (ownership == Ownership.TEMPORARY) {
            delete(place);
        }
    }

    private static void show(DemoReport report, Output output) {
        if (output.isJson()) {
            output.json(report.toJson());
            return;
        }
        List<List<String>> rows = report.toJson().entrySet().stream()
                .map(entry -> List.of(entry.getKey(), entry.getValue().getAsString()))
                .toList();
        output.table(List.of("RESULT", ""), rows);
        output.line(
                report.isGood()
                        ? "Nothing acknowledged was lost, and order held."
                        : "FAILED: see lost, duplicated and outOfOrder above.");
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.deleteIfExists(path);
                } catch (IOException e) {
                    System.err.println("cannot delete " + path + ": " + e.getMessage());
                }
            });
        } catch (IOException e) {
            System.err.println("cannot delete " + directory + ": " + e.getMessage());
        }
    }
}
