package io.tidemark.system.threebrokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.client.net.Metadata;
import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.model.TopicPartition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** What the tests on three brokers of one process have in common. */
abstract class ThreeBrokersIT {
    static final String TOPIC = "t";
    static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path directory;

    ThreeBrokers brokers;
    private final SortedMap<Integer, Integer> newest = new TreeMap<>();
    private Load load;

    @AfterEach
    final void close() {
        if (load != null) {
            load.close();
        }
        if (brokers != null) {
            brokers.close();
        }
    }

    /** Three brokers with a topic of three replicas, min.insync.replicas=2, all in sync. */
    final void start(int partitions, Map<String, String> settings) throws Exception {
        Map<String, String> all = new TreeMap<>(Map.of("controlled.shutdown.enable", "false"));
        all.putAll(settings);
        brokers = new ThreeBrokers(directory, all);
        patiently().until(() -> {
            brokers.createTopic(TOPIC, partitions, Map.of("min.insync.replicas", "2"));
            return true;
        });
        for (int partition = 0; partition < partitions; partition++) {
            awaitInSync(partition, 3);
        }
    }

    /** While brokers come and go a question may fail, or find what it asks for unknown. */
    static ConditionFactory patiently() {
        return await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsMatching(e -> e instanceof ExecutionException || e instanceof NoSuchElementException);
    }

    final Load begin(ProducerConfig config, int producers, int ahead, int partitions) {
        load = new Load(config, producers, ahead, TOPIC, partitions);
        load.begin();
        return load;
    }

    final ProducerConfig producing() {
        return ProducerConfig.of(brokers.bootstrap());
    }

    static TopicPartition partition(int number) {
        return new TopicPartition(TOPIC, number);
    }

    /** Empty while it is not known, or known only as it was before: a broker that was away tells what it knew then. */
    final Optional<Metadata.Partition> state(int partition) throws Exception {
        Metadata.Partition found = brokers.describe(TOPIC).partition(partition(partition));
        if (found == null || found.partitionEpoch() < newest.getOrDefault(partition, 0)) {
            return Optional.empty();
        }
        newest.put(partition, found.partitionEpoch());
        return Optional.of(found);
    }

    final Metadata.Partition awaitInSync(int partition, int members) {
        return patiently()
                .until(
                        () -> state(partition).orElseThrow(),
                        found -> found.leader() >= 0 && found.isr().size() == members);
    }

    /** Fails while there is none. */
    final int leaderOf(int partition) throws Exception {
        return state(partition)
                .map(Metadata.Partition::leader)
                .filter(leader -> leader > 0)
                .orElseThrow();
    }

    /** What a broker has shows when it leads; {@code load} has ended. */
    final void leadAndRequireWhole(int leader, Load ended, int partitions) throws Exception {
        for (int partition = 0; partition < partitions; partition++) {
            TopicPartition moved = partition(partition);
            if (awaitInSync(partition, 3).leader() != leader) {
                patiently().until(() -> brokers.transfer(moved, leader) > 0);
            }
            int number = partition;
            patiently().until(() -> leaderOf(number) == leader);
        }
        requireWhole(ended, partitions);
    }

    /** Until that many more records of the partition are acknowledged. */
    final void goOnFor(Load traffic, int partition, int records) {
        int before = traffic.acknowledgedCount(partition);
        patiently()
                .untilAsserted(() -> assertThat(traffic.acknowledgedCount(partition))
                        .as("partition %d of %s", partition, traffic)
                        .isGreaterThanOrEqualTo(before + records));
    }

    /** Ends the load, and reads everything. */
    final void endAndRequireWhole(Load traffic, int partitions) throws Exception {
        traffic.end();
        requireWhole(traffic, partitions);
    }

    final void requireWhole(Load traffic, int partitions) {
        SortedMap<Integer, Long> ends = new TreeMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            SortedMap<Long, String> acknowledged = traffic.acknowledged(partition);
            ends.put(partition, acknowledged.isEmpty() ? -1 : acknowledged.lastKey());
        }
        Reading.of(brokers.bootstrap(), TOPIC, ends).requireWhole(traffic);
    }

    final void requireNoHalt() {
        assertThat(brokers.halts()).isEmpty();
    }
}
