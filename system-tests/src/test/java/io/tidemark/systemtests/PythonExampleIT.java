package io.tidemark.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program in another language, with stubs that a system's own protoc made of the {@code .proto} files and nothing else of
 * ours, publishes and subscribes while a leader is killed: docs/examples/python. Skipped where its packages are missing.
 */
final class PythonExampleIT {
    private static final String TOPIC = "from-python";
    private static final int RECORDS = 10_000;
    private static final Path EXAMPLE = Path.of(System.getProperty("tidemark.examples"), "python");

    @TempDir
    private Path directory;

    private CommandLine tidemark;
    private Path cluster;
    private Path out;
    private Path err;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        out = directory.resolve("python.out");
        err = directory.resolve("python.err");
        int status = example("make_stubs.sh", "--check").waitFor();
        assumeTrue(status != 69, () -> "skipped: " + told());
        assertThat(status).as(told()).isZero();
        tidemark = new CommandLine(directory);
        cluster = directory.resolve("cluster");
        tidemark.run("dev", "start", "--brokers", "3", "--dir", cluster.toString());
    }

    @AfterEach
    void stop() {
        if (cluster != null) {
            tidemark.run("dev", "stop", "--dir", cluster.toString());
        }
    }

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    void shouldGetEverythingInOrderWhileALeaderIsKilled() throws IOException, InterruptedException {
        // given
        createTopic(CommandLine.bootstrapOf(cluster));
        String leader = leaderOfFirstPartition();
        ProcessHandle process = processOf(leader);
        assertThat(example("make_stubs.sh", stubs()).waitFor()).as(told()).isZero();

        // when
        Process script = publishAndSubscribe(bootstrapBeginningWith(leader));
        try {
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> told().contains("acknowledged 4000 of") || !script.isAlive());
            // At once: the script goes on while a command starts.
            process.destroyForcibly();
            assertThat(told()).doesNotContain("acknowledged 10000 of");
            script.waitFor();
        } finally {
            script.destroyForcibly();
        }

        // then
        assertThat(script.exitValue()).as(told()).isZero();
        assertComplete(JsonParser.parseString(Files.readString(out, StandardCharsets.UTF_8))
                .getAsJsonObject());
        assertThat(told()).as("its subscription was at the broker that died").contains("resuming at the next broker");
    }

    /** At a rate at which the run is far from its end when the broker dies. */
    private Process publishAndSubscribe(String bootstrap) throws IOException {
        return example(
                "publish_subscribe.py",
                "--bootstrap",
                bootstrap,
                "--topic",
                TOPIC,
                "--records",
                Integer.toString(RECORDS),
                "--rate",
                "1000",
                "--timeout",
                "240");
    }

    private void assertComplete(JsonObject report) {
        assertThat(report.get("published").getAsInt()).isEqualTo(RECORDS);
        assertThat(report.get("lost").getAsInt()).as(told()).isZero();
        assertThat(report.get("outOfOrder").getAsInt()).as(told()).isZero();
        assertThat(report.get("duplicated").getAsInt()).as(told()).isZero();
        assertThat(report.get("consumed").getAsInt()).as(told()).isGreaterThanOrEqualTo(RECORDS);
        assertThat(report.getAsJsonArray("services").asList())
                .extracting(JsonElement::getAsString)
                .contains(
                        "tidemark.v1.PlainService",
                        "grpc.health.v1.Health",
                        "grpc.reflection.v1.ServerReflection",
                        "grpc.reflection.v1alpha.ServerReflection");
    }

    private void createTopic(String bootstrap) {
        tidemark.run(
                "topic",
                "create",
                TOPIC,
                "--partitions",
                "6",
                "--replication-factor",
                "3",
                "--config",
                "min.insync.replicas=2",
                "--bootstrap",
                bootstrap);
    }

    private String leaderOfFirstPartition() {
        JsonObject topic = tidemark.json(
                "topic", "describe", TOPIC, "--bootstrap", CommandLine.bootstrapOf(cluster), "-o", "json");
        return topic.getAsJsonArray("partitions")
                .get(0)
                .getAsJsonObject()
                .get("leader")
                .getAsString();
    }

    private ProcessHandle processOf(String broker) throws IOException {
        for (JsonObject member : brokers()) {
            if (member.get("id").getAsString().equals(broker)) {
                return ProcessHandle.of(member.get("pid").getAsLong()).orElseThrow();
            }
        }
        throw new AssertionError("no broker " + broker);
    }

    private List<JsonObject> brokers() throws IOException {
        JsonObject file = JsonParser.parseString(
                        Files.readString(cluster.resolve("cluster.json"), StandardCharsets.UTF_8))
                .getAsJsonObject();
        return file.getAsJsonArray("brokers").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    /** All brokers, that one first: the script's subscription begins there. */
    private String bootstrapBeginningWith(String broker) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (JsonObject member : brokers()) {
            String address = member.get("address").getAsString();
            addresses.add(member.get("id").getAsString().equals(broker) ? 0 : addresses.size(), address);
        }
        return String.join(",", addresses);
    }

    private String stubs() {
        return directory.resolve("stubs").toString();
    }

    /** Starts one of the example's scripts; a later one writes over what an earlier one printed. */
    private Process example(String script, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(EXAMPLE.resolve(script).toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("TIDEMARK_STUBS", stubs());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        return builder.start();
    }

    private String told() {
        try {
            return Files.readString(err, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
