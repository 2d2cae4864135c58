package io.tidemark.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real broker that was away gets everything that was written meanwhile, however much it is (KNOWN_BUGS 41). */
final class CatchUpIT {
    private static final String TOPIC = "catch-up";
    private static final int PARTITIONS = 6;

    @TempDir
    private Path directory;

    private CommandLine tidemark;
    private Path cluster;

    @BeforeEach
    void start() {
        tidemark = new CommandLine(directory);
        cluster = directory.resolve("cluster");
        tidemark.run("dev", "start", "--brokers", "3", "--dir", cluster.toString());
    }

    @AfterEach
    void stop() {
        tidemark.run("dev", "stop", "--dir", cluster.toString());
    }

    /** Answers to its fetches hold several partitions, and are many times as large as the largest batch of a topic. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldBringBackAReplicaThatMissedMoreThanOneAnswerHolds() {
        // given
        String bootstrap = CommandLine.bootstrapOf(cluster);
        tidemark.run(
                "topic",
                "create",
                TOPIC,
                "--partitions",
                Integer.toString(PARTITIONS),
                "--replication-factor",
                "3",
                "--bootstrap",
                bootstrap);
        tidemark.run("dev", "kill", "3", "--dir", cluster.toString());

        // when
        tidemark.run(
                "perf",
                "produce",
                TOPIC,
                "--records",
                "30000",
                "--record-size",
                "1000",
                "--warm-up",
                "0",
                "--bootstrap",
                bootstrap);
        tidemark.run("dev", "restart", "3", "--dir", cluster.toString());

        // then
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    JsonObject topic =
                            tidemark.json("topic", "describe", TOPIC, "--bootstrap", bootstrap, "-o", "json");
                    for (JsonElement partition : topic.getAsJsonArray("partitions")) {
                        assertThat(partition.getAsJsonObject().getAsJsonArray("isr"))
                                .as(partition.toString())
                                .hasSize(3);
                    }
                });
    }
}
