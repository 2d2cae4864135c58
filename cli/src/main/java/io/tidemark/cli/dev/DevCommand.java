package io.tidemark.cli.dev;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.OutputOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark dev}: a local cluster in the background. */
@Command(
        name = "dev",
        description = "A local cluster of real processes, in the background.",
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
    /** {@code --dir} and the progress of long work. */
    static final class DirectoryOption {
        @Option(names = "--dir", required = true, description = "directory of the cluster")
        Path directory = Path.of(".");

        LocalCluster open() {
            return LocalCluster.open(directory, System.err::println);
        }
    }

    private static int show(LocalCluster cluster, Output output) {
        List<LocalCluster.Status> all = cluster.status();
        if (output.isJson()) {
            JsonArray processes = new JsonArray();
            for (LocalCluster.Status status : all) {
                JsonObject process = new JsonObject();
                process.addProperty("name", status.name());
                process.addProperty("pid", status.pid());
                process.addProperty("address", status.address());
                process.addProperty("alive", status.alive());
                process.addProperty("state", status.readiness());
                processes.add(process);
            }
            JsonObject root = new JsonObject();
            root.addProperty("bootstrap", cluster.bootstrap());
            root.add("processes", processes);
            output.json(root);
        } else {
            List<List<String>> rows = new ArrayList<>();
            all.forEach(status -> rows.add(List.of(
                    status.name(),
                    Long.toString(status.pid()),
                    status.address(),
                    status.alive() ? status.readiness() : "not running")));
            output.table(List.of("NAME", "PID", "ADDRESS", "STATE"), rows);
        }
        return all.stream()
                        .allMatch(status -> status.alive() && status.readiness().equals("ready"))
                ? ExitCode.OK
                : ExitCode.ANSWER_IS_NO;
    }

    /** Starts, or starts again what does not run. */
    @Command(
            name = "start",
            description = "Start a cluster, or what does not run of an existing one.",
            footer = {"", "Example: tidemark dev start --brokers 3 --dir /tmp/tm --config min.insync.replicas=2"})
    static final class Start implements Callable<Integer> {
        @Mixin
        private DirectoryOption directory = new DirectoryOption();

        @Mixin
        private OutputOption output = new OutputOption();

        @Option(names = "--brokers", defaultValue = "3", description = "number of brokers of a new cluster; default 3")
        private int brokers;

        @Option(names = "--config", description = "a broker setting, key=value; may be repeated")
        private Map<String, String> config = new LinkedHashMap<>();

        @Option(
                names = "--broker-heap",
                defaultValue = LocalCluster.DEFAULT_BROKER_HEAP,
                description = "heap of each broker of a new cluster; default ${DEFAULT-VALUE}")
        private String brokerHeap = "";

        @Override
        public Integer call() {
            LocalCluster cluster = LocalCluster.openOrCreate(
                    directory.directory, new LocalCluster.Plan(brokers, brokerHeap, config), System.err::println);
            cluster.start();
            return show(cluster, output.output());
        }
    }

    /** Shows what runs. */
    @Command(name = "status", description = "Show what runs; exit code 2 if something does not.")
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
    @Command(name = "stop", description = "Stop brokers gracefully, then ZooKeeper.")
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
    @Command(name = "kill", description = "End one process with SIGKILL.")
    static final class Kill extends OnOne {
        @Override
        void act(LocalCluster cluster, String process) {
            cluster.kill(process);
        }
    }

    /** SIGSTOP. */
    @Command(name = "pause", description = "Freeze one process with SIGSTOP: its connections stay open.")
    static final class PauseOne extends OnOne {
        @Override
        void act(LocalCluster cluster, String process) {
            cluster.pause(process);
        }
    }

    /** SIGCONT. */
    @Command(name = "resume", description = "Let a frozen process go on.")
    static final class Resume extends OnOne {
        @Override
        void act(LocalCluster cluster, String process) {
            cluster.resume(process);
        }
    }

    /** Stop and start. */
    @Command(name = "restart", description = "Stop one process gracefully if it runs, and start it.")
    static final class Restart extends OnOne {
        @Override
        void act(LocalCluster cluster, String process) {
            cluster.restart(process);
        }
    }
}
