package io.tidemark.server.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.coordination.zookeeper.EmbeddedZooKeeper;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeperConfig;
import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.config.ConfigOutcome;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One broker as it ships, seen through its HTTP port. */
final class MetricsIT {
    private static final Path DOCUMENT = Path.of("..", "docs", "metrics.md");
    private static final Pattern TYPE_LINE = Pattern.compile("# TYPE (\\S+) \\S+");
    private static final Pattern DOCUMENTED =
            Pattern.compile("^\\| `((?:tidemark|process)_[a-z_]+)", Pattern.MULTILINE);
    private static final Set<String> OF_THE_PROCESS = Set.of("process_open_fds", "process_max_fds");

    @TempDir
    Path dir;

    private final HttpClient client =
            HttpClient.newBuilder().proxy(ProxySelector.of(null)).build();
    private Thread.UncaughtExceptionHandler handlerBefore;
    private EmbeddedZooKeeper zooKeeper;
    private Broker broker;

    @BeforeEach
    void start() throws Exception {
        // ZooKeeper's server sets the handler of the whole process.
        handlerBefore = Thread.getDefaultUncaughtExceptionHandler();
        zooKeeper = EmbeddedZooKeeper.start(EmbeddedZooKeeperConfig.onLoopback(dir.resolve("zookeeper"), 0), () -> {});
        Properties properties = new Properties();
        properties.setProperty("broker.id", "7");
        properties.setProperty("log.dirs", dir.resolve("data").toString());
        properties.setProperty("zookeeper.connect", "127.0.0.1:" + zooKeeper.port());
        properties.setProperty("listeners", "client://127.0.0.1:0");
        properties.setProperty("peer.listeners", "peer://127.0.0.1:0");
        properties.setProperty("http.listeners", "http://127.0.0.1:0");
        ConfigOutcome<BrokerConfig> outcome = BrokerConfig.parse(properties);
        assertThat(outcome).isInstanceOf(ConfigOutcome.Valid.class);
        broker = Broker.start(((ConfigOutcome.Valid<BrokerConfig>) outcome).config(), status -> {});
    }

    @AfterEach
    void stop() {
        if (broker != null) {
            broker.stop();
        }
        if (zooKeeper != null) {
            zooKeeper.close();
        }
        Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + broker.httpPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void awaitReady() {
        await().atMost(Duration.ofSeconds(30)).until(() -> get("/readyz").statusCode() == 200);
    }

    @Test
    void shouldServeJustTheMetricsThatAreDocumented() throws Exception {
        // given
        awaitReady();
        SortedSet<String> documented = new TreeSet<>();
        Matcher row = DOCUMENTED.matcher(Files.readString(DOCUMENT));
        while (row.find()) {
            documented.add(row.group(1));
        }

        // when
        SortedSet<String> served = new TreeSet<>();
        Matcher type = TYPE_LINE.matcher(get("/metrics").body());
        while (type.find()) {
            String name = type.group(1);
            boolean ours = name.startsWith("tidemark_") || OF_THE_PROCESS.contains(name);
            // Beside each histogram the registry serves the largest recent value.
            if (ours && !name.endsWith("_seconds_max")) {
                served.add(name);
            }
        }

        // then: docs/metrics.md and the broker must say the same
        assertThat(served).isEqualTo(documented);
    }

    @Test
    void shouldShowItselfOnTheStatusPage() throws Exception {
        // given
        awaitReady();

        // when
        String json = get("/status.json").body();
        HttpResponse<String> html = get("/");
        String metrics = get("/metrics").body();

        // then
        assertThat(json)
                .contains("\"broker\":{\"id\":7,")
                .contains("\"state\":\"RUNNING\",\"zooKeeper\":\"CONNECTED\",\"ready\":true,\"missing\":[]")
                .contains("\"controller\":{\"id\":7,\"epoch\":1,")
                .contains("\"office\":{\"controllerEpoch\":1,\"starting\":false,\"missingBrokers\":[]");
        assertThat(html.body()).contains("Tidemark broker 7").contains("controller, this broker");
        assertThat(metrics)
                .contains("tidemark_broker_state{state=\"RUNNING\"} 1.0")
                .contains("tidemark_controller_active 1.0")
                .contains("tidemark_controller_brokers_alive 1.0")
                .contains("tidemark_controller_brokers_known 1.0")
                .contains("tidemark_zk_state{state=\"CONNECTED\"} 1.0");
        assertThat(get("/readyz?verbose").body()).isEqualTo("{\"ready\":true,\"state\":\"RUNNING\",\"missing\":[]}\n");
    }
}
