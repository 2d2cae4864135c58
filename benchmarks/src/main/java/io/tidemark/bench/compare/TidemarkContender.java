package io.tidemark.bench.compare;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.bench.compare.Settings.Heaps;
import io.tidemark.bench.compare.Settings.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Tidemark: {@code tidemark dev} starts it, {@code tidemark perf} measures it. */
final class TidemarkContender implements Contender {
    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final Path directory;
    private final Installation installation;
    private final Heaps heaps;
    private final Tool tool;
    private final ProcFs proc;
    private final int zooKeepers;
    private final ZooKeeperEnsemble ensemble;
    private volatile String bootstrap = "";
    private volatile SortedMap<Integer, Long> brokers = new TreeMap<>();
    private volatile List<Long> coordination = List.of();

    /**
     * @param directory of the cluster, which does not exist yet
     * @param zooKeepers how many servers agree; one is that of {@code tidemark dev}
     */
    TidemarkContender(Path directory, Installation installation, Heaps heaps, Tool tool, ProcFs proc, int zooKeepers) {
        this.directory = directory;
        this.installation = installation;
        this.zooKeepers = zooKeepers;
        this.ensemble = new ZooKeeperEnsemble(directory.resolve("ensemble"), classPath(installation), proc);
        this.heaps = heaps;
        this.tool = tool;
        this.proc = proc;
    }

    @Override
    public String name() {
        return "tidemark";
    }

    @Override
    public void start() throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "dev",
                "start",
                "--brokers",
                Integer.toString(Workload.REPLICAS),
                "--dir",
                directory.toString(),
                "--broker-heap",
                heaps.broker(),
                "--config",
                "min.insync.replicas=2"));
        if (zooKeepers > 1) {
            ensemble.start(zooKeepers);
            words.addAll(List.of("--zookeeper", ensemble.connect()));
        }
        try {
            tool.run("dev-start", cli(words.toArray(String[]::new)), START_LIMIT);
        } finally {
            readCluster();
        }
    }

    @Override
    public void restart(int broker) throws IOException, InterruptedException {
        try {
            tool.run(
                    "dev-restart",
                    cli("dev", "restart", Integer.toString(broker), "--dir", directory.toString()),
                    START_LIMIT);
        } finally {
            readCluster();
        }
    }

    @Override
    public void stop() throws IOException, InterruptedException {
        if (brokers.isEmpty()) {
            ensemble.kill();
            return;
        }
        try {
            tool.run("dev-stop", cli("dev", "stop", "--dir", directory.toString()), START_LIMIT);
            ensemble.stop();
        } finally {
            kill();
            brokers = new TreeMap<>();
            coordination = List.of();
        }
    }

    @Override
    public void kill() {
        try {
            // It may have been interrupted while it started something.
            readCluster();
        } catch (IOException e) {
            System.err.println("compare: cannot read " + directory + ": " + e.getMessage());
        }
        Collection<Long> all = new ArrayList<>(brokers.values());
        all.addAll(coordination);
        all.forEach(pid -> new Detached(pid, directory.toString()).kill(proc));
        ensemble.kill();
    }

    private void readCluster() throws IOException {
        Path file = directory.resolve("cluster.json");
        if (!Files.exists(file)) {
            return;
        }
        JsonObject cluster = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
        bootstrap = cluster.get("bootstrap").getAsString();
        coordination = zooKeepers > 1
                ? ensemble.pids()
                : List.of(cluster.get("zookeeperPid").getAsLong());
        SortedMap<Integer, Long> found = new TreeMap<>();
        for (JsonElement element : cluster.getAsJsonArray("brokers")) {
            JsonObject broker = element.getAsJsonObject();
            found.put(broker.get("id").getAsInt(), broker.get("pid").getAsLong());
        }
        brokers = found;
    }

    @Override
    public SortedMap<Integer, Long> brokerPids() {
        return Collections.unmodifiableSortedMap(brokers);
    }

    @Override
    public Collection<Long> coordinationPids() {
        return coordination;
    }

    @Override
    public List<String> produceCommand(Workload.Produce load, String topic, Path payload) {
        return cli(
                "perf",
                "produce",
                topic,
                "--bootstrap",
                bootstrap,
                "--records",
                Integer.toString(load.records()),
                "--payload-file",
                payload.toString(),
                "--batch-size",
                Integer.toString(load.batchBytes()),
                "--linger",
                "5",
                "--acks",
                "all",
                "-o",
                "json");
    }

    @Override
    public List<String> consumeCommand(String topic, int records) {
        return cli(
                "perf",
                "consume",
                topic,
                "--bootstrap",
                bootstrap,
                "--records",
                Integer.toString(records),
                "-o",
                "json");
    }

    @Override
    public double produced(List<String> output) {
        return recordsPerSecond(output);
    }

    @Override
    public double consumed(List<String> output) {
        return recordsPerSecond(output);
    }

    private static double recordsPerSecond(List<String> output) {
        JsonObject report = LastJson.of(output);
        if (report.get("failed").getAsLong() != 0) {
            throw new JobFailure("records failed: " + report);
        }
        return report.get("recordsPerSecond").getAsDouble();
    }

    @Override
    public List<String> probeCommand(String command, Map<String, String> arguments) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("bootstrap", bootstrap);
        all.putAll(arguments);
        List<String> flags = List.of(
                "-Xmx" + heaps.client(),
                "-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        return JavaCommands.probe(flags, classPath(installation), name(), command, all);
    }

    private static String classPath(Installation installation) {
        return installation.benchmarks() + ":" + installation.distribution().resolve("lib") + "/*";
    }

    private List<String> cli(String... words) {
        List<String> command = new ArrayList<>();
        command.add("env");
        command.add("TIDEMARK_HEAP_OPTS=-Xmx" + heaps.client());
        command.add(installation.distribution().resolve("bin/tidemark").toString());
        command.addAll(List.of(words));
        return command;
    }
}
