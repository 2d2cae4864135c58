package io.tidemark.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.client.Tidemark;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.model.Endpoint;
import io.tidemark.model.TopicPartition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes are killed, and a producer with acks=all goes on before any ZooKeeper session could have ended. How long it
 * had to wait is printed.
 */
final class FailoverIT {
    private static final TopicPartition PARTITION = new TopicPartition("failover", 0);
    /** Half of the session timeout: no other way of noticing is as fast. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final String SESSION = "zookeeper.session.timeout.ms=10000";

    @TempDir
    private Path directory;

    private CommandLine tidemark;
    private Path cluster;
    private Admin admin;
    private AckGaps load;

    @BeforeEach
    void start() throws Exception {
        tidemark = new CommandLine(directory);
        cluster = directory.resolve("cluster");
        tidemark.run("dev", "start", "--brokers", "3", "--dir", cluster.toString(), "--config", SESSION);
        tidemark.run(
                "topic",
                "create",
                PARTITION.topic(),
                "--partitions",
                "1",
                "--replication-factor",
                "3",
                "--config",
                "min.insync.replicas=2",
                "--bootstrap",
                CommandLine.bootstrapOf(cluster));
        admin = Tidemark.admin(new Admin.Settings(bootstrap(), Duration.ofSeconds(5)));
        load = new AckGaps(ProducerConfig.of(bootstrap()), PARTITION.topic(), System::nanoTime);
    }

    @AfterEach
    void stop() throws Exception {
        load.close();
        admin.close();
        tidemark.run("dev", "stop", "--dir", cluster.toString());
    }

    private List<Endpoint> bootstrap() {
        return Arrays.stream(CommandLine.bootstrapOf(cluster).split(","))
                .map(Endpoint::parse)
                .toList();
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptions();
    }

    private Metadata describe() throws Exception {
        return admin.describeTopic(PARTITION.topic()).get(10, TimeUnit.SECONDS);
    }

    private Metadata.Partition state() throws Exception {
        return Objects.requireNonNull(describe().partition(PARTITION));
    }

    private void awaitAllInSync() {
        patiently().until(() -> state().isr().size() == 3 && state().leader() > 0);
    }

    private void leadBy(int broker) throws Exception {
        if (state().leader() != broker) {
            admin.transferLeader(PARTITION, broker).get(10, TimeUnit.SECONDS);
        }
        patiently().until(() -> state().leader() == broker);
        awaitAcks();
    }

    /** The load runs on, and has warmed up. */
    private void awaitAcks() {
        long nowNs = System.nanoTime();
        patiently().until(() -> load.since(nowNs) >= 50);
    }

    private ProcessHandle process(int broker) {
        JsonObject status = JsonParser.parseString(
                        tidemark.print("dev", "status", "--dir", cluster.toString(), "-o", "json"))
                .getAsJsonObject();
        for (JsonElement process : status.getAsJsonArray("processes")) {
            if (process.getAsJsonObject().get("name").getAsString().equals(Integer.toString(broker))) {
                return ProcessHandle.of(process.getAsJsonObject().get("pid").getAsLong())
                        .orElseThrow();
            }
        }
        throw new AssertionError("no process of broker " + broker + " in " + status);
    }

    /** SIGKILL; answers the longest pause that the producer saw. */
    private Duration kill(int broker, String who) {
        ProcessHandle process = process(broker);
        long killedNs = System.nanoTime();
        process.destroyForcibly();
        patiently().until(() -> !process.isAlive());
        awaitAcks();
        Duration gap = load.longestGapSince(killedNs);
        System.out.println("pause of a producer with acks=all after SIGKILL of " + who + ": " + gap.toMillis() + " ms");
        return gap;
    }

    // DESIGN 6, issue 6 (2): SIGKILL of a leader, of the controller that leads, and of a follower cost no session
    // timeout.
    // Fails if: controller.fast.detection is false
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldGoOnBeforeASessionEndsWhoeverIsKilled() throws Exception {
        // given
        awaitAllInSync();
        int controller = describe().controllerId();
        int leader = controller % 3 + 1;
        leadBy(leader);

        // then
        assertThat(kill(leader, "a leader")).isLessThan(LIMIT);

        // given
        tidemark.run("dev", "restart", Integer.toString(leader), "--dir", cluster.toString());
        awaitAllInSync();
        leadBy(controller);

        // then
        assertThat(kill(controller, "the controller that leads")).isLessThan(LIMIT);

        // given
        tidemark.run("dev", "restart", Integer.toString(controller), "--dir", cluster.toString());
        awaitAllInSync();
        int follower = leader % 3 + 1;
        leadBy(leader);

        // then
        assertThat(kill(follower, "a follower")).isLessThan(LIMIT);
        assertThat(load.failures()).isEmpty();
    }
}
