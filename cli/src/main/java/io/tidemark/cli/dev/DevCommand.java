package io.tidemark.cli.dev;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Listing;
import io.tidemark.cli.Output;
import io.tidemark.cli.OutputOption;
import io.tidemark.cli.Progress;
import io.tidemark.cli.ProgressOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark dev}: a local cluster in the background. */
@Command(
        name = "dev",
        description = "A local cluster of real processes, in the background.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark dev start --brokers 3 --dir /tmp/tm",
            "  tidemark dev kill 2 --dir /tmp/tm",
            "  tidemark dev stop --dir /tmp/tm"
        },
        subcommands = {
            DevCommand.Start.class,
            DevCommand.StatusOf.class,
            DevCommand.Stop.class,
            DevCommand.Kill.class,
            DevCommand.PauseOne.class,
            DevCommand.Resume.class,
            DevCommand.Restart.class
        })
public final class DevCommand {
    private static final Listing<LocalCluster.Status> LISTING = Listing.<LocalCluster.Status>of(
                    DevCommand::json, LocalCluster.Status::name)
            .text("NAME", LocalCluster.Status::name)
            .number("PID", LocalCluster.Status::pid)
            .text("ADDRESS", LocalCluster.Status::address)
            .text("STATE", status -> status.alive() ? status.readiness() : "not running");

    /** {@code --dir}. */
    static final class DirectoryOption {
        @Spec(Spec.Target.MIXEE)
        private CommandSpec command = CommandSpec.create();

        @Option(names = "--dir", paramLabel = "DIR", required = true, description = "directory of the cluster")
        private Path directory = Path.of(".");

        LocalCluster open() {
            return open(command.commandLine().getErr()::println);
        }

        LocalCluster open(Consumer<String> progress) {
            return LocalCluster.open(directory, progress);
        }
    }

    private static int show(LocalCluster cluster, Output output) {
        List<LocalCluster.Status> all = cluster.status();
        JsonArray processes = new JsonArray();
        all.forEach(status -> processes.add(json(status)));
        JsonObject root = new JsonObject();
        root.addProperty("bootstrap", cluster.bootstrap());
        root.add("processes", processes);
        output.tree(root, List.of(), LISTING, all);
        return all.stream()
                        .allMatch(status -> status.alive() && status.readiness().equals("ready"))
                ? ExitCode.OK
                : ExitCode.ANSWER_IS_NO;
    }

    private static JsonObject json(LocalCluster.Status status) {
        JsonObject json = new JsonObject();
        json.addProperty("name", status.name());
        json.addProperty("pid", status.pid());
        json.addProperty("address", status.address());
        json.addProperty("alive", status.alive());
        json.addProperty("state", status.readiness());
        return json;
    }

    /** Starts, or starts again what does not run. */
    @Command(
            name = "start",
            description = "Start a cluster, or what does not run of an existing one.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  tidemark dev start --brokers 3 --dir /tmp/tm",
                "  tidemark dev start --brokers 1 --dir /tmp/tm1 --config num.partitions=6"
            })
    static final class Start implements Callable<Integer> {
        @Mixin
        private DirectoryOption directory = new DirectoryOption();

        @Mixin
        private OutputOption output = new OutputOption();

        @Mixin
        private ProgressOption progress = new ProgressOption();

        @Option(
                names = "--brokers",
                paramLabel = "N",
                defaultValue = "3",
                description = "number of brokers of a new cluster; default ${DEFAULT-VALUE}")
        private int brokers;

        @Option(
                names = "--config",
                paramLabel = "KEY=VALUE",
                description = "a broker setting of a new cluster; may be repeated; default: the brokers' own")
        private Map<String, String> config = new LinkedHashMap<>();

        @Option(
                names = "--broker-heap",
                paramLabel = "SIZE",
                defaultValue = LocalCluster.DEFAULT_BROKER_HEAP,
                description = "heap of each broker of a new cluster; default ${DEFAULT-VALUE}")
        private String brokerHeap = "";

        @Option(
                names = "--zookeeper",
                paramLabel = "HOST:PORT,..",
                description = "an ensemble that somebody else runs, for a new cluster; default: one of its own")
        private String zookeeper = "";

        @Override
        public Integer call() {
            if (brokers < 1) {
                throw new CommandFailure(ExitCode.USAGE, "--brokers is at least 1, not " + brokers);
            }
            Output out = output.output();
            String line = "waiting for the processes to be ready";
            try (Progress shown = progress.start(progress.mode(out), () -> line)) {
                LocalCluster cluster = LocalCluster.openOrCreate(
                        directory.directory,
                        new LocalCluster.Plan(brokers, brokerHeap, config, zookeeper),
                        shown::step);
                cluster.start();
                shown.end();
                return show(cluster, out);
            }
        }
    }

    /** Shows what runs. */
    @Command(
            name = "status",
            description = "Show what runs; exit code 2 if something does not.",
            footerHeading = "%nExamples:%n",
            footer = {"  tidemark dev status --dir /tmp/tm", "  tidemark dev status --dir /tmp/tm -o json"})
    static final class StatusOf implements Callable<Integer> {
        @Mixin
        private DirectoryOption directory = new DirectoryOption();

        @Mixin
        private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            return show(directory.open(), output.output());
        }
    }

    /** Stops all. */
    @Command(
            name = "stop",
            description = "Stop brokers gracefully, then ZooKeeper.",
            footerHeading = "%nExamples:%n",
            footer = {"  tidemark dev stop --dir /tmp/tm", "  tidemark dev stop --dir /tmp/tm && rm -r /tmp/tm"})
    static final class Stop implements Callable<Integer> {
        @Mixin
        private DirectoryOption directory = new DirectoryOption();

        @Override
        public Integer call() {
            directory.open().stop();
            return ExitCode.OK;
        }
    }

    /** What is done to one process. */
    abstract static class OnOne implements Callable<Integer> {
        @Mixin
        private DirectoryOption directory = new DirectoryOption();

        @Parameters(paramLabel = "ID|zookeeper", description = "a broker's id, or zookeeper")
        private String name = "";

        @Override
        public Integer call() {
            act(directory.open(), name);
            return ExitCode.OK;
        }

        abstract void act(LocalCluster cluster, String process);
    }

    /** SIGKILL. */
    @Command(
            name = "kill",
            description = "End one process with SIGKILL.",
            footerHeading = "%nExamples:%n",
            footer = {"  tidemark dev kill 2 --dir /tmp/tm", "  tidemark dev kill zookeeper --dir /tmp/tm"})
    static final class Kill extends OnOne {
        @Override
        void act(LocalCluster cluster, String process) {
            cluster.kill(process);
        }
    }

    /** SIGSTOP. */
    @Command(
            name = "pause",
            description = "Freeze one process with SIGSTOP: its connections stay open.",
            footerHeading = "%nExamples:%n",
            footer = {"  tidemark dev pause 2 --dir /tmp/tm", "  tidemark dev pause zookeeper --dir /tmp/tm"})
    static final class PauseOne extends OnOne {
        @Override
        void act(LocalCluster cluster, String process) {
            cluster.pause(process);
        }
    }

    /** SIGCONT. */
    @Command(
            name = "resume",
            description = "Let a frozen process go on.",
            footerHeading = "%nExamples:%n",
            footer = {"  tidemark dev resume 2 --dir /tmp/tm", "  tidemark dev resume zookeeper --dir /tmp/tm"})
    static final class Resume extends OnOne {
        @Override
        void act(LocalCluster cluster, String process) {
            cluster.resume(process);
        }
    }

    /** Stop and start. */
    @Command(
            name = "restart",
            description = "Stop one process gracefully if it runs, and start it.",
            footerHeading = "%nExamples:%n",
            footer = {"  tidemark dev restart 2 --dir /tmp/tm", "  tidemark dev restart zookeeper --dir /tmp/tm"})
    static final class Restart extends OnOne {
        @Override
        void act(LocalCluster cluster, String process) {
            cluster.restart(process);
        }
    }
}
