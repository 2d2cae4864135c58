package io.tidemark.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** OPERATIONS 1.2: what an operator sees of a cluster that loses a broker and gets it back, on real processes. */
final class HealthIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private CommandLine tidemark;
    private String cluster;
    private String bootstrap;

    @BeforeEach
    void start() {
        tidemark = new CommandLine(directory);
        cluster = directory.resolve("cluster").toString();
        tidemark.run(
                "dev",
                "start",
                "--dir",
                cluster,
                "--config",
                "leader.imbalance.check.interval.ms=1000",
                "--config",
                "min.insync.replicas=2");
        bootstrap = CommandLine.bootstrapOf(Path.of(cluster));
        tidemark.run("topic", "create", "orders", "-p", "3", "-r", "3", "-b", bootstrap);
    }

    @AfterEach
    void stop() {
        tidemark.run("dev", "stop", "--dir", cluster);
    }

    private JsonObject health() {
        return JsonParser.parseString(tidemark.print("cluster", "health", "-o", "json", "-b", bootstrap))
                .getAsJsonObject();
    }

    private List<String> problems() {
        return StreamSupport.stream(health().getAsJsonArray("problems").spliterator(), false)
                .map(each -> each.getAsJsonObject().get("kind").getAsString())
                .distinct()
                .toList();
    }

    private String list(String condition) {
        return tidemark.run("partition", "list", condition, "-o", "name", "-b", bootstrap);
    }

    // Fails if: ClusterHealth judges by live brokers alone; the schedule of preferred elections is not started
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldSeeALossAndWaitUntilAllIsWell() {
        // given
        tidemark.run("cluster", "health", "--wait-healthy", "--timeout", "60", "-b", bootstrap);

        // when
        tidemark.run("dev", "kill", "2", "--dir", cluster);

        // then
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(problems()).containsExactly("broker-missing", "under-replicated"));
        assertThat(list("--under-replicated")).isEqualTo("orders/0\norders/1\norders/2\n");
        assertThat(list("--at-min-isr")).isEqualTo("orders/0\norders/1\norders/2\n");
        assertThat(list("--offline")).isEmpty();
        assertThat(list("--not-preferred").lines()).hasSize(1);

        // when
        tidemark.run("dev", "restart", "2", "--dir", cluster);
        String waited =
                tidemark.run("cluster", "health", "--wait-healthy", "--timeout", "60", "-o", "json", "-b", bootstrap);

        // then
        assertThat(JsonParser.parseString(waited)
                        .getAsJsonObject()
                        .get("healthy")
                        .getAsBoolean())
                .isTrue();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(list("--not-preferred")).isEmpty());
    }
}
