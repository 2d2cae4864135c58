package io.tidemark.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real brokers whose writes stay in their own memory until they are forced ({@code internal.file.hold.unforced}): to kill all of
 * them at once is to lose power everywhere.
 */
final class SyncModeIT {
    private static final String TOPIC = "forced";
    private static final int RECORDS = 2_000;

    @TempDir
    private Path directory;

    private CommandLine tidemark;
    private Path cluster;

    @AfterEach
    void stop() {
        tidemark.run("dev", "stop", "--dir", cluster.toString());
    }

    // I12: with log.flush.mode=sync whatever acks=all acknowledged survives a power loss of all brokers at once.
    // Fails if: ReplicaRoom gives replicas FlushMode.ASYNC
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldHaveEverythingAcknowledgedAfterEveryBrokerLostPower() throws IOException {
        // given
        start("log.flush.mode=sync");
        List<String> acknowledged = new ArrayList<>(produce("first"));

        // when
        losePower();

        // then
        assertThat(consume()).containsExactlyElementsOf(sorted(acknowledged));

        // when: once more, by brokers that continue what they had
        acknowledged.addAll(produce("second"));
        losePower();

        // then
        assertThat(consume()).containsExactlyElementsOf(sorted(acknowledged));
    }

    private void start(String mode) {
        tidemark = new CommandLine(directory);
        cluster = directory.resolve("cluster");
        tidemark.run(
                "dev",
                "start",
                "--brokers",
                "3",
                "--dir",
                cluster.toString(),
                "--config",
                mode,
                "--config",
                "internal.file.hold.unforced=true");
        tidemark.run(
                "topic",
                "create",
                TOPIC,
                "--partitions",
                "3",
                "--replication-factor",
                "3",
                "--config",
                "min.insync.replicas=2",
                "--bootstrap",
                CommandLine.bootstrapOf(cluster));
    }

    /** Values that were acknowledged: the command fails if one was not. */
    private List<String> produce(String name) throws IOException {
        List<String> values =
                IntStream.range(0, RECORDS).mapToObj(i -> name + "-" + i).toList();
        Path file = directory.resolve(name);
        Files.write(file, values, StandardCharsets.UTF_8);
        tidemark.run("produce", TOPIC, "--from-file", file.toString(), "--bootstrap", CommandLine.bootstrapOf(cluster));
        return values;
    }

    private List<String> consume() {
        String text =
                tidemark.run("consume", TOPIC, "-o", "start", "-e", "--bootstrap", CommandLine.bootstrapOf(cluster));
        return sorted(text.lines().toList());
    }

    private static List<String> sorted(List<String> values) {
        List<String> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted;
    }

    /** SIGKILL for all brokers at once, then new processes over what was forced. */
    private void losePower() {
        for (JsonObject broker : brokers()) {
            ProcessHandle.of(broker.get("pid").getAsLong()).orElseThrow().destroyForcibly();
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> brokers().stream()
                        .noneMatch(broker -> broker.get("alive").getAsBoolean()));
        tidemark.run("dev", "start", "--dir", cluster.toString());
    }

    private List<JsonObject> brokers() {
        List<JsonObject> brokers = new ArrayList<>();
        JsonObject status = JsonParser.parseString(
                        tidemark.print("dev", "status", "--dir", cluster.toString(), "-o", "json"))
                .getAsJsonObject();
        for (JsonElement process : status.getAsJsonArray("processes")) {
            if (!process.getAsJsonObject().get("name").getAsString().equals("zookeeper")) {
                brokers.add(process.getAsJsonObject());
            }
        }
        return brokers;
    }
}
