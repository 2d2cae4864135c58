package io.tidemark.server.plain;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeper;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeperConfig;
import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.config.ConfigOutcome;
import io.tidemark.server.boot.Broker;
import io.tidemark.wire.v1.AdminServiceGrpc;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.DeleteTopicRequest;
import io.tidemark.wire.v1.ErrorCode;
import io.tidemark.wire.v1.MetadataRequest;
import io.tidemark.wire.v1.MetadataServiceGrpc;
import io.tidemark.wire.v1.PartitionMetadata;
import io.tidemark.wire.v1.TopicPartition;
import io.tidemark.wire.v1.TransferLeaderRequest;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Three whole brokers and their ZooKeeper in this process, on free ports of the loopback. Used by one thread. */
final class ThreeBrokers implements AutoCloseable {
    private static final int CALL_LIMIT_S = 20;

    private final Path directory;
    private final EmbeddedZooKeeper zooKeeper;
    private final SortedMap<Integer, Broker> brokers = new TreeMap<>();
    private final SortedMap<Integer, ManagedChannel> channels = new TreeMap<>();
    private final Thread.UncaughtExceptionHandler handlerBefore = Thread.getDefaultUncaughtExceptionHandler();

    ThreeBrokers(Path directory) throws Exception {
        this.directory = directory;
        zooKeeper = EmbeddedZooKeeper.start(EmbeddedZooKeeperConfig.onLoopback(directory.resolve("zk"), 0), () -> {});
        for (int id = 1; id <= 3; id++) {
            start(id);
        }
    }

    private void start(int id) throws Exception {
        Map<String, String> settings = new TreeMap<>();
        settings.put("broker.id", Integer.toString(id));
        settings.put("log.dirs", directory.resolve("log-" + id).toString());
        settings.put("zookeeper.connect", "127.0.0.1:" + zooKeeper.port());
        settings.put("listeners", "client://127.0.0.1:0");
        settings.put("peer.listeners", "peer://127.0.0.1:0");
        settings.put("http.listeners", "http://127.0.0.1:0");
        settings.put("controlled.shutdown.enable", "false");
        ConfigOutcome<BrokerConfig> parsed = BrokerConfig.parse(settings);
        assertThat(parsed).isInstanceOf(ConfigOutcome.Valid.class);
        Broker broker = Broker.start(((ConfigOutcome.Valid<BrokerConfig>) parsed).config(), status -> {
            throw new AssertionError("broker " + id + " halts with status " + status);
        });
        brokers.put(id, broker);
        channels.put(
                id,
                NettyChannelBuilder.forAddress("127.0.0.1", broker.clientPort())
                        .usePlaintext()
                        .proxyDetector(address -> null)
                        .build());
    }

    ManagedChannel channel(int id) {
        return channels.get(id);
    }

    /** The broker goes without handing anything over: its leaders are found missing. */
    void stop(int id) {
        channels.remove(id).shutdownNow();
        brokers.remove(id).stop();
    }

    /** Any broker that lives, but one. */
    int otherThan(int id) {
        return brokers.keySet().stream()
                .filter(each -> each != id)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no broker is left"));
    }

    /** As soon as all brokers are registered. */
    ErrorCode createTopic(String name, int partitions) {
        return admin().createTopic(CreateTopicRequest.newBuilder()
                        .setName(name)
                        .setPartitions(partitions)
                        .setReplicationFactor(3)
                        .putConfigs("min.insync.replicas", "2")
                        .build())
                .getError();
    }

    void deleteTopic(String name) {
        assertThat(admin().deleteTopic(
                                DeleteTopicRequest.newBuilder().setName(name).build())
                        .getError())
                .isEqualTo(ErrorCode.ERROR_CODE_NONE);
    }

    /** The partition, as one broker that lives has it; the default message if it knows none. */
    PartitionMetadata partition(String topic, int number) {
        return MetadataServiceGrpc.newBlockingStub(anyChannel())
                .withDeadlineAfter(CALL_LIMIT_S, TimeUnit.SECONDS)
                .metadata(MetadataRequest.newBuilder().addTopics(topic).build())
                .getTopicsList()
                .stream()
                .flatMap(described -> described.getPartitionsList().stream())
                .filter(each -> each.getPartition() == number)
                .findFirst()
                .orElse(PartitionMetadata.getDefaultInstance());
    }

    ErrorCode transfer(String topic, int number, int to) {
        return admin().transferLeader(TransferLeaderRequest.newBuilder()
                        .setPartition(
                                TopicPartition.newBuilder().setTopic(topic).setPartition(number))
                        .setToBroker(to)
                        .build())
                .getError();
    }

    private AdminServiceGrpc.AdminServiceBlockingStub admin() {
        return AdminServiceGrpc.newBlockingStub(anyChannel()).withDeadlineAfter(CALL_LIMIT_S, TimeUnit.SECONDS);
    }

    private ManagedChannel anyChannel() {
        return channels.get(channels.firstKey());
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
        brokers.values().forEach(Broker::stop);
        zooKeeper.close();
        Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
    }
}
