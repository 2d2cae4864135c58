package io.tidemark.cli.demo;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.Progress;
import io.tidemark.cli.ProgressOption;
import io.tidemark.cli.ReportOption;
import io.tidemark.cli.dev.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
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
            "Show that a leader's death loses nothing.",
            "Start ZooKeeper and three brokers, produce with acks=all, kill the leader in the middle with SIGKILL,",
            "consume everything and compare. Exit code 0 only if nothing acknowledged is missing and order held."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark demo",
            "  tidemark demo --records 1000000 -o json",
            "  tidemark demo --dir /tmp/tm-demo --keep"
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int BROKERS = 3;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "100000",
            description = "records to produce; default ${DEFAULT-VALUE}")
    private int records;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "where to put the cluster; default: a temporary directory")
    private @Nullable Path directory;

    @Option(names = "--keep", description = "leave the cluster running and its files where they are; default: clean up")
    private boolean keep;

    @Mixin
    private ReportOption output = new ReportOption();

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (records < 10) {
            throw new CommandFailure(ExitCode.USAGE, "--records must be at least 10: the leader dies in the middle");
        }
        Path given = directory;
        Path place = given == null ? Files.createTempDirectory("tidemark-demo-") : given;
        if (given != null && Files.exists(given) && !isEmpty(given)) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    given + " is not empty: the demo needs a directory of its own",
                    "name another --dir, or none");
        }
        Ownership ownership = given == null ? Ownership.TEMPORARY : Ownership.GIVEN;
        Output out = output.output();
        DemoProgress counts = new DemoProgress(records);
        try (Progress shown = progress.start(progress.mode(out), counts::line)) {
            LocalCluster cluster = LocalCluster.openOrCreate(place, LocalCluster.Plan.of(BROKERS), shown::step);
            shown.onInterrupt(() -> stop(cluster, counts, shown));
            try {
                cluster.start();
                DemoReport report = new Demo(cluster, counts, shown).run();
                shown.end();
                show(report, out);
                return report.isGood() ? ExitCode.OK : ExitCode.FAILED;
            } finally {
                cleanUp(cluster, place, ownership, shown);
            }
        }
    }

    private static void stop(LocalCluster cluster, DemoProgress counts, Progress shown) {
        cluster.killAll();
        shown.note("interrupted: " + counts.line() + "; the cluster is stopped");
    }

    private enum Ownership {
        TEMPORARY,
        GIVEN
    }

    private void cleanUp(LocalCluster cluster, Path place, Ownership ownership, Progress shown) {
        if (keep) {
            shown.note("the cluster goes on in " + place + "; stop it with: tidemark dev stop --dir " + place);
            return;
        }
        cluster.killAll();
        if (ownership == Ownership.TEMPORARY) {
            delete(place, shown);
        }
    }

    private static void show(DemoReport report, Output out) {
        out.facts(report.toJson(), report.facts());
        out.remark(
                report.isGood()
                        ? "Nothing acknowledged was lost, and order held."
                        : "FAILED: see lost, duplicated and out of order above.");
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private static void delete(Path directory, Progress shown) {
        try (Stream<Path> paths = Files.walk(directory)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.deleteIfExists(path);
                } catch (IOException e) {
                    shown.note("cannot delete " + path + ": " + e.getMessage());
                }
            });
        } catch (IOException e) {
            shown.note("cannot delete " + directory + ": " + e.getMessage());
        }
    }
}
