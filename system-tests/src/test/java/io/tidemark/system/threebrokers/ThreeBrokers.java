package io.tidemark.system.threebrokers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.Tidemark;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Wire;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeper;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeperConfig;
import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.config.ConfigOutcome;
import io.tidemark.model.Endpoint;
import io.tidemark.model.TopicPartition;
import io.tidemark.server.boot.Broker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Three whole brokers and their ZooKeeper in this process, over real gRPC on free ports of the loopback. All that comes to a
 * broker, and all that it says to ZooKeeper, goes through cables which the test can stall and cut; its files are on a disk that
 * the test can break. A broker that halts is cut off as a dead process is. Used by one thread.
 */
final class ThreeBrokers implements AutoCloseable {
    private static final String LOCALHOST = "127.0.0.1";
    /** A question at a broker that stands still is not waited for. */
    private static final Duration CALL_LIMIT = Duration.ofSeconds(3);

    private static final int FIRST_PORT = 12_000;
    private static final int PORTS = 18_000;
    /** Processes begin at different places. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger((int) (31 * ProcessHandle.current().pid()));

    private static final Duration CREATION_LIMIT = Duration.ofSeconds(60);

    private final Path directory;
    private final Map<String, String> settings;
    private final EmbeddedZooKeeper zooKeeper;
    private final SortedMap<Integer, Site> sites = new TreeMap<>();
    private final SortedMap<Integer, Broker> brokers = new TreeMap<>();
    private final List<Halt> halts = new CopyOnWriteArrayList<>();
    private final Thread.UncaughtExceptionHandler handlerBefore = Thread.getDefaultUncaughtExceptionHandler();
    private final Admin admin;

    /** A broker wanted its process to end. */
    record Halt(int broker, int status) {}

    /** What outlives the process of a broker. */
    private record Site(Cable clients, Cable peers, Cable agreement, BrokerDisk disk) {
        List<Cable> cables() {
            return List.of(clients, peers, agreement);
        }
    }

    /** @param settings of each broker, beside those that make it one of the three */
    ThreeBrokers(Path directory, Map<String, String> settings) throws Exception {
        this.directory = directory;
        this.settings = settings;
        zooKeeper = EmbeddedZooKeeper.start(EmbeddedZooKeeperConfig.onLoopback(directory.resolve("zk"), 0), () -> {});
        for (int id = 1; id <= 3; id++) {
            sites.put(id, new Site(new Cable(), new Cable(), new Cable(), new BrokerDisk()));
            start(id);
        }
        admin = Tidemark.admin(new Admin.Settings(bootstrap(), CALL_LIMIT));
    }

    /** A new process over what the last one left. */
    void start(int id) throws Exception {
        Site site = sites.get(id);
        int peerPort = freePort();
        Map<String, String> all = new TreeMap<>(settings);
        all.put("broker.id", Integer.toString(id));
        all.put("log.dirs", directory.resolve("log-" + id).toString());
        all.put("zookeeper.connect", LOCALHOST + ":" + site.agreement().port());
        all.put("listeners", "client://127.0.0.1:0");
        all.put("advertised.listeners", "client://127.0.0.1:" + site.clients().port());
        all.put("peer.listeners", "peer://127.0.0.1:" + peerPort);
        all.put("peer.advertised.listeners", "peer://127.0.0.1:" + site.peers().port());
        all.put("http.listeners", "http://127.0.0.1:0");
        ConfigOutcome<BrokerConfig> parsed = BrokerConfig.parse(all);
        assertThat(parsed).isInstanceOf(ConfigOutcome.Valid.class);
        site.agreement().leadTo(zooKeeper.port());
        site.peers().leadTo(peerPort);
        Broker broker = Broker.start(
                ((ConfigOutcome.Valid<BrokerConfig>) parsed).config(),
                site.disk().files(),
                status -> halted(id, status));
        site.clients().leadTo(broker.clientPort());
        brokers.put(id, broker);
    }

    /** Below the range from which the system takes ports: nobody else gets it before the broker has it. */
    private static int freePort() {
        for (int attempt = 0; attempt < PORTS; attempt++) {
            int port = FIRST_PORT + Math.floorMod(NEXT_PORT.getAndIncrement(), PORTS);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // The next one may be free.
            }
        }
        throw new AssertionError("no port is free");
    }

    private void halted(int id, int status) {
        sites.get(id).cables().forEach(Cable::cut);
        halts.add(new Halt(id, status));
    }

    /** As {@code controlled.shutdown.enable} says: with its leaders handed over, or without. */
    void stop(int id) {
        brokers.remove(id).stop();
    }

    /** Nobody is heard by that broker any more, nor hears from ZooKeeper of it; its own calls to its peers pass. */
    void stall(int id) {
        sites.get(id).cables().forEach(Cable::stall);
    }

    void cutFromClusterButNotFromClients(int id) {
        sites.get(id).peers().cut();
        sites.get(id).agreement().cut();
    }

    void mend(int id) {
        sites.get(id).cables().forEach(Cable::mend);
    }

    BrokerDisk disk(int id) {
        return sites.get(id).disk();
    }

    List<Halt> halts() {
        return halts;
    }

    /** Where clients begin. */
    List<Endpoint> bootstrap() {
        return sites.values().stream()
                .map(site -> new Endpoint(LOCALHOST, site.clients().port()))
                .toList();
    }

    /** The broker itself, without its cable. */
    Endpoint listenerOf(int id) {
        return new Endpoint(LOCALHOST, brokers.get(id).clientPort());
    }

    /** Fails until all brokers are registered. */
    void createTopic(String name, int partitions, Map<String, String> configs) throws Exception {
        try (Admin patient = Tidemark.admin(new Admin.Settings(bootstrap(), CREATION_LIMIT))) {
            patient.createTopic(new Wire.TopicCreation(name, partitions, 3, new TreeMap<>(configs)))
                    .get(CREATION_LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    Metadata describe(String topic) throws Exception {
        return admin.describeTopic(topic).get(2 * CALL_LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Answers the new leader epoch. */
    int transfer(TopicPartition partition, int to) throws Exception {
        return admin.transferLeader(partition, to).get(2 * CALL_LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        sites.values().forEach(site -> site.disk().goOn());
        admin.close();
        brokers.values().forEach(Broker::stop);
        sites.values().forEach(site -> site.cables().forEach(Cable::close));
        zooKeeper.close();
        Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
    }
}
