package io.tidemark.cli.dev;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.dev.ClusterFile.BrokerEntry;
import io.tidemark.model.Endpoint;
import io.tidemark.runtime.SystemRandomness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A cluster of real processes in one directory: ZooKeeper and brokers, on free loopback ports that the directory keeps.
 *
 * <pre>
 *   cluster.json                 who is where
 *   zookeeper/                   data/, logs/, out.log
 *   broker-1/                    server.properties, data/ (log.dirs), logs/, out.log
 * </pre>
 */
public final class LocalCluster {
    /** Names ZooKeeper where a broker's id is expected. */
    public static final String ZOOKEEPER = "zookeeper";

    /** Of each broker, as the JVM wants it. */
    public static final String DEFAULT_BROKER_HEAP = "512m";

    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
    private static final int PROBE_TIMEOUT_MS = 1_000;
    private static final String LOOPBACK = "127.0.0.1";
    private static final String ZOOKEEPER_HEAP = "-Xms64m -Xmx256m";

    private final Path directory;
    private final Path home;
    private final Consumer<String> progress;
    private final ClusterFile file;

    private LocalCluster(Path directory, Consumer<String> progress, ClusterFile file) {
        this.directory = directory;
        this.home = home();
        this.progress = progress;
        this.file = file;
    }

    /**
     * What a new cluster is like.
     *
     * @param brokers how many it has
     * @param brokerHeap of each, as the JVM wants it, such as 1g
     * @param config further settings of each
     * @param zookeeper addresses of an ensemble that somebody else runs, or empty for a ZooKeeper of its own
     */
    public record Plan(int brokers, String brokerHeap, Map<String, String> config, String zookeeper) {
        /** So many brokers, everything else as it comes. */
        public static Plan of(int brokers) {
            return new Plan(brokers, DEFAULT_BROKER_HEAP, new TreeMap<>(), "");
        }
    }

    /** The cluster that a directory holds. */
    public static LocalCluster open(Path directory, Consumer<String> progress) {
        Path absolute = directory.toAbsolutePath().normalize();
        return new LocalCluster(absolute, progress, ClusterFile.read(absolute));
    }

    /**
     * The cluster that a directory holds, or a new one there, not started.
     *
     * @param plan of a new one; an existing one keeps what it has
     */
    public static LocalCluster openOrCreate(Path directory, Plan plan, Consumer<String> progress) {
        Path absolute = directory.toAbsolutePath().normalize();
        if (ClusterFile.existsIn(absolute)) {
            return open(absolute, progress);
        }
        try {
            Files.createDirectories(absolute.resolve(ZOOKEEPER));
            ClusterFile file = layOut(absolute, plan.brokers());
            file.brokerHeap = plan.brokerHeap();
            if (!plan.zookeeper().isEmpty()) {
                file.zookeeper = plan.zookeeper();
                file.foreignZookeeper = true;
            }
            for (BrokerEntry broker : file.brokers) {
                writeConfig(absolute, file, broker, new TreeMap<>(plan.config()));
            }
            file.write(absolute);
            return new LocalCluster(absolute, progress, file);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot create a cluster in " + absolute + ": " + e.getMessage());
        }
    }

    private static ClusterFile layOut(Path directory, int brokers) throws IOException {
        List<Integer> ports = FreePorts.of(new SystemRandomness()).find(1 + 3 * brokers);
        ClusterFile file = new ClusterFile();
        file.zookeeper = LOOPBACK + ":" + ports.get(0);
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < brokers; i++) {
            BrokerEntry broker = new BrokerEntry();
            broker.id = i + 1;
            broker.address = LOOPBACK + ":" + ports.get(1 + 3 * i);
            broker.peerAddress = LOOPBACK + ":" + ports.get(2 + 3 * i);
            broker.httpAddress = LOOPBACK + ":" + ports.get(3 + 3 * i);
            broker.logDir =
                    brokerDirectory(directory, broker.id).resolve("data").toString();
            file.brokers.add(broker);
            addresses.add(broker.address);
        }
        file.bootstrap = String.join(",", addresses);
        return file;
    }

    private static void writeConfig(
            Path directory, ClusterFile file, BrokerEntry broker, SortedMap<String, String> overrides)
            throws IOException {
        SortedMap<String, String> settings = new TreeMap<>();
        settings.put("broker.id", Integer.toString(broker.id));
        settings.put("log.dirs", broker.logDir);
        settings.put("zookeeper.connect", file.zookeeper);
        settings.put("listeners", "client://" + broker.address);
        settings.put("peer.listeners", "peer://" + broker.peerAddress);
        settings.put("http.listeners", "http://" + broker.httpAddress);
        settings.putAll(overrides);
        Path brokerDirectory = brokerDirectory(directory, broker.id);
        Files.createDirectories(brokerDirectory);
        List<String> lines = new ArrayList<>();
        settings.forEach((key, value) -> lines.add(key + "=" + value));
        Files.write(configFile(directory, broker.id), lines);
    }

    public String bootstrap() {
        return file.bootstrap;
    }

    public List<Endpoint> bootstrapEndpoints() {
        return file.brokers.stream()
                .map(broker -> Endpoint.parse(broker.address))
                .toList();
    }

    /** What is to be seen of one process. */
    public record Status(String name, long pid, String address, boolean alive, String readiness) {}

    public List<Status> status() {
        List<Status> all = new ArrayList<>();
        if (!file.foreignZookeeper) {
            boolean alive = zooKeeper().isAlive();
            String state = alive && answers(file.zookeeper) ? "ready" : "not answering";
            all.add(new Status(ZOOKEEPER, file.zookeeperPid, file.zookeeper, alive, state));
        }
        for (BrokerEntry broker : file.brokers) {
            boolean alive = broker(broker.id).isAlive();
            all.add(new Status(
                    Integer.toString(broker.id),
                    broker.pid,
                    broker.address,
                    alive,
                    alive ? readiness(broker).orElse("ready") : "not running"));
        }
        return all;
    }

    /** Starts what does not run, and waits until all brokers are ready. */
    public void start() {
        startZooKeeper();
        file.brokers.forEach(broker -> launch(broker.id));
        file.brokers.forEach(broker -> awaitReady(broker.id));
    }

    /** Starts ZooKeeper if it does not run, and waits until it answers; a foreign one is the brokers' to wait for. */
    public void startZooKeeper() {
        if (file.foreignZookeeper) {
            return;
        }
        if (!zooKeeper().isAlive()) {
            progress.accept("starting ZooKeeper at " + file.zookeeper);
            Path own = directory.resolve(ZOOKEEPER);
            Endpoint endpoint = Endpoint.parse(file.zookeeper);
            List<String> command = List.of(
                    home.resolve("bin/tidemark-zookeeper").toString(),
                    "--data-dir",
                    own.resolve("data").toString(),
                    "--host",
                    endpoint.host(),
                    "--port",
                    Integer.toString(endpoint.port()));
            file.zookeeperPid = ServerProcess.start(
                            command, own, own.resolve("out.log"), ZOOKEEPER_HEAP, zooKeeperMark())
                    .pid();
            file.write(directory);
        }
        awaitOrFail(
                () -> answers(file.zookeeper),
                () -> zooKeeper().isAlive(),
                "ZooKeeper",
                directory.resolve(ZOOKEEPER).resolve("out.log"));
    }

    /** Starts a broker if it does not run; does not wait. */
    public void launch(int id) {
        BrokerEntry entry = file.broker(id);
        if (broker(id).isAlive()) {
            return;
        }
        progress.accept("starting broker " + id + " at " + entry.address);
        Path own = brokerDirectory(directory, id);
        List<String> command = List.of(
                home.resolve("bin/tidemark-server").toString(),
                "--config",
                configFile(directory, id).toString());
        String heap = "-Xms" + file.brokerHeap + " -Xmx" + file.brokerHeap;
        entry.pid = ServerProcess.start(command, own, own.resolve("out.log"), heap, brokerMark(id))
                .pid();
        file.write(directory);
    }

    /** Waits until the broker says that it is ready. */
    public void awaitReady(int id) {
        BrokerEntry entry = file.broker(id);
        awaitOrFail(
                () -> readiness(entry).isEmpty(),
                () -> broker(id).isAlive(),
                "broker " + id,
                brokerDirectory(directory, id).resolve("out.log"));
    }

    /** Stops the brokers, which hand their leaders over, then ZooKeeper. */
    public void stop() {
        for (BrokerEntry broker : file.brokers) {
            progress.accept("stopping broker " + broker.id);
            resumeIfPaused(broker(broker.id));
            broker(broker.id).stop(STOP_PATIENCE);
        }
        if (!file.foreignZookeeper) {
            progress.accept("stopping ZooKeeper");
            resumeIfPaused(zooKeeper());
            zooKeeper().stop(STOP_PATIENCE);
        }
    }

    /** Stops one process if it lives, then starts it again and waits until it is ready. */
    public void restart(String name) {
        if (name.equals(ZOOKEEPER)) {
            process(name).stop(STOP_PATIENCE);
            startZooKeeper();
        } else {
            int id = number(name);
            resumeIfPaused(broker(id));
            broker(id).stop(STOP_PATIENCE);
            launch(id);
            awaitReady(id);
        }
    }

    /** SIGKILL. */
    public void kill(String name) {
        ServerProcess process = process(name);
        if (!process.isAlive()) {
            throw new CommandFailure(ExitCode.FAILED, name + " is not running");
        }
        process.kill();
    }

    /** SIGSTOP: it holds its connections and does nothing. */
    public void pause(String name) {
        process(name).signal("STOP");
    }

    /** SIGCONT. */
    public void resume(String name) {
        process(name).signal("CONT");
    }

    /** SIGKILL for everything, without waiting for anybody. */
    public void killAll() {
        file.brokers.forEach(broker -> broker(broker.id).kill());
        zooKeeper().kill();
    }

    private static void resumeIfPaused(ServerProcess process) {
        if (process.isAlive()) {
            process.signal("CONT");
        }
    }

    private ServerProcess process(String name) {
        if (name.equals(ZOOKEEPER) && file.foreignZookeeper) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "ZooKeeper at " + file.zookeeper + " is not this cluster's own: it was started with"
                            + " --zookeeper");
        }
        return name.equals(ZOOKEEPER) ? zooKeeper() : broker(number(name));
    }

    private ServerProcess zooKeeper() {
        return new ServerProcess(file.zookeeperPid, zooKeeperMark());
    }

    private ServerProcess broker(int id) {
        return new ServerProcess(file.broker(id).pid, brokerMark(id));
    }

    private String zooKeeperMark() {
        return directory.resolve(ZOOKEEPER).resolve("data").toString();
    }

    private String brokerMark(int id) {
        return configFile(directory, id).toString();
    }

    private static int number(String name) {
        try {
            return Integer.parseInt(name);
        } catch (NumberFormatException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "expected a broker's id or \"" + ZOOKEEPER + "\", not \"" + name + "\"");
        }
    }

    private static Path brokerDirectory(Path directory, int id) {
        return directory.resolve("broker-" + id);
    }

    private static Path configFile(Path directory, int id) {
        return brokerDirectory(directory, id).resolve("server.properties");
    }

    private void awaitOrFail(
            java.util.function.BooleanSupplier ready, java.util.function.BooleanSupplier alive, String name, Path log) {
        boolean done = Pause.until(() -> ready.getAsBoolean() || !alive.getAsBoolean(), START_PATIENCE);
        if (!done || !ready.getAsBoolean()) {
            String what =
                    done ? " ended while it started" : " was not ready within " + START_PATIENCE.toSeconds() + " s";
            throw new CommandFailure(ExitCode.FAILED, name + what + "; its output is in " + log + lastLine(log));
        }
    }

    private static String lastLine(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return lines.isEmpty() ? "" : ": " + lines.get(lines.size() - 1);
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    private static boolean answers(String address) {
        Endpoint endpoint = Endpoint.parse(address);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), PROBE_TIMEOUT_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** What the broker says it misses; empty when it is ready. */
    private static Optional<String> readiness(BrokerEntry broker) {
        try {
            HttpURLConnection connection = (HttpURLConnection) URI.create("http://" + broker.httpAddress + "/readyz")
                    .toURL()
                    .openConnection();
            connection.setConnectTimeout(PROBE_TIMEOUT_MS);
            connection.setReadTimeout(PROBE_TIMEOUT_MS);
            try {
                return connection.getResponseCode() == HttpURLConnection.HTTP_OK
                        ? Optional.empty()
                        : Optional.of("not ready");
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            return Optional.of("not answering");
        }
    }

    private static Path home() {
        String home = System.getProperty("tidemark.home");
        if (home == null) {
            throw new CommandFailure(
                    ExitCode.FAILED, "this command starts servers: run it through bin/tidemark of a distribution");
        }
        return Path.of(home);
    }
}
