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
import io.tidemark.wire.v1.ErrorCode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A whole broker and its ZooKeeper in this process, on free ports of the loopback. */
public final class OneBroker implements AutoCloseable {
    private final EmbeddedZooKeeper zooKeeper;
    private final Broker broker;
    private final ManagedChannel channel;
    private final Thread.UncaughtExceptionHandler handlerBefore = Thread.getDefaultUncaughtExceptionHandler();

    public OneBroker(Path directory) throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(EmbeddedZooKeeperConfig.onLoopback(directory.resolve("zk"), 0), () -> {});
        Map<String, String> settings = new TreeMap<>();
        settings.put("broker.id", "1");
        settings.put("log.dirs", directory.resolve("log").toString());
        settings.put("zookeeper.connect", "127.0.0.1:" + zooKeeper.port());
        settings.put("listeners", "client://127.0.0.1:0");
        settings.put("peer.listeners", "peer://127.0.0.1:0");
        settings.put("http.listeners", "http://127.0.0.1:0");
        settings.put("controlled.shutdown.enable", "false");
        ConfigOutcome<BrokerConfig> parsed = BrokerConfig.parse(settings);
        assertThat(parsed).isInstanceOf(ConfigOutcome.Valid.class);
        broker = Broker.start(((ConfigOutcome.Valid<BrokerConfig>) parsed).config(), status -> {
            throw new AssertionError("the broker halts with status " + status);
        });
        channel = NettyChannelBuilder.forAddress("127.0.0.1", broker.clientPort())
                .usePlaintext()
                .proxyDetector(address -> null)
                .build();
    }

    public ManagedChannel channel() {
        return channel;
    }

    /** Where clients connect that want a channel of their own. */
    public int clientPort() {
        return broker.clientPort();
    }

    /** False while the broker is on its way to be registered. */
    public boolean isReady() {
        return create("ready", 1, Map.of()) != ErrorCode.ERROR_CODE_INVALID_REPLICATION_FACTOR;
    }

    public void createTopic(String name, int partitions, Map<String, String> configs) {
        assertThat(create(name, partitions, configs)).isEqualTo(ErrorCode.ERROR_CODE_NONE);
    }

    private ErrorCode create(String name, int partitions, Map<String, String> configs) {
        return AdminServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .createTopic(CreateTopicRequest.newBuilder()
                        .setName(name)
                        .setPartitions(partitions)
                        .setReplicationFactor(1)
                        .putAllConfigs(configs)
                        .build())
                .getError();
    }

    /** The value of a meter; one with labels is named with them, as the page has it. */
    public double metric(String name) {
        try {
            HttpResponse<String> page = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.httpPort() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            return page.body()
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no " + name + " in the metrics"));
        } catch (IOException e) {
            throw new AssertionError("no metrics", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    public void stopBroker() {
        broker.stop();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        broker.stop();
        zooKeeper.close();
        Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
    }
}
