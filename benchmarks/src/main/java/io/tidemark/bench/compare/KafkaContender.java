package io.tidemark.bench.compare;

import io.tidemark.bench.compare.Settings.Heaps;
import io.tidemark.bench.compare.Settings.Installation;
import io.tidemark.cli.dev.FreePorts;
import io.tidemark.runtime.SystemRandomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/** Kafka 3.9.1: brokers that are controllers too (KRaft), and the tools that come with it. */
final class KafkaContender implements Contender {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final int READY_SECONDS = 90;
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final String LOOPBACK = "127.0.0.1:";
    /** Sixteen bytes, as Kafka wants them. */
    private static final String CLUSTER_ID = Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("tidemark-compare".getBytes(StandardCharsets.US_ASCII));

    private final Path directory;
    private final Installation installation;
    private final Heaps heaps;
    private final Tool tool;
    private final ProcFs proc;
    private final List<String> brokerAddresses = new ArrayList<>();
    private final List<String> controllerAddresses = new ArrayList<>();
    /** Concurrent, because an interrupted comparison kills them from another thread. */
    private final SortedMap<Integer, Detached> brokers = new ConcurrentSkipListMap<>();

    private volatile boolean killed;

    /** @param directory of the cluster, which does not exist yet */
    KafkaContender(Path directory, Installation installation, Heaps heaps, Tool tool, ProcFs proc) {
        this.directory = directory;
        this.installation = installation;
        this.heaps = heaps;
        this.tool = tool;
        this.proc = proc;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public void start() throws IOException, InterruptedException {
        List<Integer> ports = FreePorts.of(new SystemRandomness()).find(2 * Workload.REPLICAS);
        for (int i = 0; i < Workload.REPLICAS; i++) {
            brokerAddresses.add(LOOPBACK + ports.get(2 * i));
            controllerAddresses.add(LOOPBACK + ports.get(2 * i + 1));
        }
        for (int id = 1; id <= Workload.REPLICAS; id++) {
            Files.createDirectories(node(id));
            Files.write(config(id), properties(id));
            tool.run(
                    "kafka-format",
                    kafka(
                            "kafka.tools.StorageTool",
                            "format",
                            "-t",
                            CLUSTER_ID,
                            "-c",
                            config(id).toString()),
                    START_LIMIT);
        }
        for (int id = 1; id <= Workload.REPLICAS; id++) {
            launch(id);
        }
        awaitReady();
    }

    @Override
    public void restart(int broker) throws IOException, InterruptedException {
        Detached before = brokers.get(broker);
        if (before != null) {
            before.stop(proc, STOP_PATIENCE);
        }
        launch(broker);
        awaitReady();
    }

    private void awaitReady() throws IOException, InterruptedException {
        tool.run(
                "kafka-ready",
                probeCommand(
                        "ready",
                        Map.of(
                                "brokers",
                                Integer.toString(Workload.REPLICAS),
                                "seconds",
                                Integer.toString(READY_SECONDS))),
                START_LIMIT);
    }

    private void launch(int id) throws IOException {
        List<String> flags = new ArrayList<>(List.of(
                "-Xms" + heaps.broker(),
                "-Xmx" + heaps.broker(),
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:InitiatingHeapOccupancyPercent=35",
                "-XX:+ExplicitGCInvokesConcurrent",
                "-Djava.awt.headless=true"));
        flags.addAll(logging(node(id).resolve("broker.log")));
        List<String> command = JavaCommands.java(
                flags,
                installation.peerClassPath(),
                "kafka.Kafka",
                List.of(config(id).toString()));
        Detached broker = Detached.start(command, node(id), config(id).toString());
        brokers.put(id, broker);
        if (killed) {
            broker.kill(proc);
        }
    }

    private List<String> properties(int id) {
        int at = id - 1;
        StringBuilder voters = new StringBuilder();
        for (int i = 0; i < controllerAddresses.size(); i++) {
            voters.append(i == 0 ? "" : ",").append(i + 1).append('@').append(controllerAddresses.get(i));
        }
        return List.of(
                "process.roles=broker,controller",
                "node.id=" + id,
                "controller.quorum.voters=" + voters,
                "listeners=PLAINTEXT://" + brokerAddresses.get(at) + ",CONTROLLER://" + controllerAddresses.get(at),
                "advertised.listeners=PLAINTEXT://" + brokerAddresses.get(at),
                "controller.listener.names=CONTROLLER",
                "inter.broker.listener.name=PLAINTEXT",
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "log.dirs=" + node(id).resolve("data"),
                "default.replication.factor=" + Workload.REPLICAS,
                "min.insync.replicas=2",
                "offsets.topic.replication.factor=" + Workload.REPLICAS,
                "transaction.state.log.replication.factor=" + Workload.REPLICAS,
                "transaction.state.log.min.isr=2",
                "group.initial.rebalance.delay.ms=0",
                "auto.create.topics.enable=false");
    }

    @Override
    public void stop() {
        brokers.values().forEach(broker -> broker.stop(proc, STOP_PATIENCE));
        brokers.clear();
    }

    @Override
    public void kill() {
        killed = true;
        brokers.values().forEach(broker -> broker.kill(proc));
    }

    @Override
    public SortedMap<Integer, Long> brokerPids() {
        SortedMap<Integer, Long> pids = new TreeMap<>();
        brokers.forEach((id, process) -> pids.put(id, process.pid()));
        return pids;
    }

    @Override
    public Collection<Long> coordinationPids() {
        return List.of();
    }

    @Override
    public List<String> produceCommand(Workload.Produce load, String topic, Path payload) {
        return kafka(
                "org.apache.kafka.tools.ProducerPerformance",
                "--topic",
                topic,
                "--num-records",
                Integer.toString(load.records()),
                "--payload-file",
                payload.toString(),
                "--throughput",
                "-1",
                "--producer-props",
                "bootstrap.servers=" + bootstrap(),
                "acks=all",
                "linger.ms=5",
                "batch.size=" + load.batchBytes());
    }

    @Override
    public List<String> consumeCommand(String topic, int records) {
        return kafka(
                "org.apache.kafka.tools.ConsumerPerformance",
                "--bootstrap-server",
                bootstrap(),
                "--topic",
                topic,
                "--messages",
                Integer.toString(records),
                "--timeout",
                "20000",
                "--group",
                "compare-" + topic,
                "--hide-header");
    }

    @Override
    public double produced(List<String> output) {
        return KafkaOutput.produced(output);
    }

    @Override
    public double consumed(List<String> output) {
        return KafkaOutput.consumed(output);
    }

    @Override
    public List<String> probeCommand(String command, Map<String, String> arguments) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("bootstrap", bootstrap());
        all.putAll(arguments);
        return JavaCommands.probe(clientFlags(), probeClassPath(), name(), command, all);
    }

    /** Kafka's libraries first; of ours only what the probe itself needs. */
    private String probeClassPath() {
        try (Stream<Path> jars = Files.list(installation.distribution().resolve("lib"))) {
            String ports = jars.filter(jar -> jar.getFileName().toString().startsWith("tidemark-proto-"))
                    .map(Path::toString)
                    .findFirst()
                    .orElseThrow(() -> new JobFailure("no tidemark-proto-*.jar in " + installation.distribution()));
            return String.join(
                    ":", installation.peerClassPath(), installation.benchmarks().toString(), ports);
        } catch (IOException e) {
            throw new JobFailure("cannot list " + installation.distribution() + ": " + e.getMessage());
        }
    }

    private List<String> kafka(String mainClass, String... arguments) {
        return JavaCommands.java(clientFlags(), installation.peerClassPath(), mainClass, List.of(arguments));
    }

    private List<String> clientFlags() {
        List<String> flags = new ArrayList<>(List.of("-Xmx" + heaps.client()));
        flags.addAll(logging(directory.resolve("client.log")));
        return flags;
    }

    private List<String> logging(Path file) {
        return List.of("-Dlog4j.configuration=" + installation.peerLogging().toUri(), "-Dbench.log=" + file);
    }

    private String bootstrap() {
        return String.join(",", brokerAddresses);
    }

    private Path node(int id) {
        return directory.resolve("node-" + id);
    }

    private Path config(int id) {
        return node(id).resolve("server.properties");
    }
}
