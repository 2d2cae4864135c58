package io.tidemark.bench.compare;

import io.tidemark.cli.dev.FreePorts;
import io.tidemark.runtime.SystemRandomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Several ZooKeeper servers that agree, on loopback, from the classes that Tidemark's distribution ships. They are set up as
 * {@code tidemark dev} sets up its one, so that sessions have the same timeouts.
 */
final class ZooKeeperEnsemble {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int PORTS_EACH = 3;

    private final Path directory;
    private final String classPath;
    private final ProcFs proc;
    private final List<Integer> clientPorts = new ArrayList<>();
    private final List<String> members = new ArrayList<>();
    private final List<Detached> servers = new ArrayList<>();

    /** @param classPath of ZooKeeper and a logger */
    ZooKeeperEnsemble(Path directory, String classPath, ProcFs proc) {
        this.directory = directory;
        this.classPath = classPath;
        this.proc = proc;
    }

    /** Starts them; clients find them as soon as they have agreed on who leads. */
    void start(int size) throws IOException {
        List<Integer> ports = FreePorts.of(new SystemRandomness()).find(PORTS_EACH * size);
        for (int i = 0; i < size; i++) {
            clientPorts.add(ports.get(PORTS_EACH * i));
            members.add("server." + (i + 1) + "=" + LOOPBACK + ":" + ports.get(PORTS_EACH * i + 1) + ":"
                    + ports.get(PORTS_EACH * i + 2));
        }
        for (int id = 1; id <= size; id++) {
            servers.add(launch(id));
        }
    }

    private Detached launch(int id) throws IOException {
        Path node = directory.resolve("zookeeper-" + id);
        Path data = Files.createDirectories(node.resolve("data"));
        Path config = node.resolve("zoo.cfg");
        List<String> lines = new ArrayList<>(List.of(
                "dataDir=" + data,
                "clientPortAddress=" + LOOPBACK,
                "clientPort=" + clientPorts.get(id - 1),
                "tickTime=500",
                "minSessionTimeout=1000",
                "maxSessionTimeout=60000",
                "initLimit=20",
                "syncLimit=10",
                "maxClientCnxns=0",
                "admin.enableServer=false"));
        lines.addAll(members);
        Files.write(config, lines);
        Files.writeString(data.resolve("myid"), Integer.toString(id));
        List<String> flags = List.of(
                "-Xms64m",
                "-Xmx256m",
                "-Dzookeeper.jmx.log4j.disable=true",
                "-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        String mainClass = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
        return Detached.start(
                JavaCommands.java(flags, classPath, mainClass, List.of(config.toString())), node, config.toString());
    }

    /** As brokers take it. */
    String connect() {
        return String.join(
                ",", clientPorts.stream().map(port -> LOOPBACK + ":" + port).toList());
    }

    List<Long> pids() {
        return servers.stream().map(Detached::pid).toList();
    }

    void stop() {
        servers.forEach(server -> server.stop(proc, STOP_PATIENCE));
    }

    void kill() {
        servers.forEach(server -> server.kill(proc));
    }
}
