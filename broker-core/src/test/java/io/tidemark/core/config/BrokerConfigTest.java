package io.tidemark.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BrokerConfigTest {
    private static final Map<String, String> REQUIRED =
            Map.of("broker.id", "1", "log.dirs", "/data/1", "zookeeper.connect", "localhost:2181");

    /** The names and defaults that operators know. */
    @ParameterizedTest
    @CsvSource({
        "zookeeper.session.timeout.ms, 6000",
        "min.insync.replicas, 1",
        "default.replication.factor, 1",
        "num.partitions, 1",
        "unclean.leader.election.enable, false",
        "replica.lag.time.max.ms, 30000",
        "num.replica.fetchers, 1",
        "replica.fetch.max.bytes, 1048576",
        "replica.fetch.response.max.bytes, 10485760",
        "replica.fetch.wait.max.ms, 500",
        "replica.fetch.min.bytes, 1",
        "replica.fetch.backoff.ms, 1000",
        "replica.truncation, leader-epoch",
        "replica.high.watermark.checkpoint.interval.ms, 5000",
        "log.segment.bytes, 1073741824",
        "log.index.interval.bytes, 4096",
        "log.index.size.max.bytes, 10485760",
        "log.segment.delete.delay.ms, 60000",
        "log.flush.mode, async",
        "log.flush.offset.checkpoint.interval.ms, 60000",
        "message.max.bytes, 1048588",
        "num.recovery.threads.per.data.dir, 1",
        "controlled.shutdown.enable, true",
        "controlled.shutdown.max.retries, 3",
        "controlled.shutdown.retry.backoff.ms, 5000",
        "producer.id.expiration.ms, 86400000",
        "listeners, client://127.0.0.1:9092"
    })
    void shouldHaveTheDefaultsThatOperatorsKnow(String name, String text) {
        assertThat(BrokerConfig.definition().keys())
                .filteredOn(key -> key.name().equals(name))
                .singleElement()
                .satisfies(key -> assertThat(key.defaultText()).contains(text));
    }

    @Test
    void shouldGiveAllSettingsBySubject() {
        // when
        BrokerConfig config = valid(Map.of());

        // then
        assertThat(config.brokerId()).isEqualTo(1);
        assertThat(config.rack()).isEmpty();
        assertThat(config.log()).isEqualTo(LogConfig.DEFAULTS);
        assertThat(config.zooKeeper()).isEqualTo(new ZooKeeperConfig("localhost:2181", Duration.ofSeconds(6)));
        assertThat(config.storage())
                .isEqualTo(new StorageConfig(
                        List.of(Path.of("/data/1")), 1, Optional.empty(), Duration.ofMinutes(1), "", false));
        assertThat(config.topicDefaults()).isEqualTo(new TopicDefaults(1, 1, 1, false));
        assertThat(config.replication())
                .isEqualTo(new ReplicationConfig(
                        Duration.ofSeconds(30),
                        1,
                        1 << 20,
                        10 << 20,
                        Duration.ofMillis(500),
                        1,
                        Duration.ofSeconds(1),
                        TruncationMode.LEADER_EPOCH,
                        Duration.ofSeconds(5)));
        assertThat(config.requests()).isEqualTo(new RequestConfig(64 << 20, 64 << 20, 55 << 20));
        assertThat(config.controlledShutdown()).isEqualTo(new ControlledShutdownConfig(true, 3, Duration.ofSeconds(5)));
        assertThat(config.clientListener()).isEqualTo(new Listener(new Endpoint("127.0.0.1", 9092), Optional.empty()));
    }

    @Test
    void shouldReadWhatStandsInAFile() {
        // given
        Properties file = new Properties();
        file.putAll(REQUIRED);
        file.setProperty("log.dirs", "/data/1, /data/2/../3");
        file.setProperty("zookeeper.connect", "zk1:2181,zk2:2181/tidemark");
        file.setProperty("listeners", "client://0.0.0.0:0");
        file.setProperty("advertised.listeners", "client://broker1.example:9092");
        file.setProperty("peer.listeners", "peer://[::1]:9093");
        file.setProperty("log.flush.mode", " sync ");
        file.setProperty("replica.truncation", "high-watermark");
        file.setProperty("broker.rack", "r1");

        // when
        BrokerConfig config = ((ConfigOutcome.Valid<BrokerConfig>) BrokerConfig.parse(file)).config();

        // then
        assertThat(config.storage().logDirectories()).containsExactly(Path.of("/data/1"), Path.of("/data/3"));
        assertThat(config.zooKeeper().connect()).isEqualTo("zk1:2181,zk2:2181/tidemark");
        assertThat(config.clientListener().advertisedWith(40_000)).isEqualTo(new Endpoint("broker1.example", 9092));
        assertThat(config.peerListener().advertisedWith(40_000)).isEqualTo(new Endpoint("::1", 40_000));
        assertThat(config.log().flush().mode()).isEqualTo(FlushMode.SYNC);
        assertThat(config.replication().truncation()).isEqualTo(TruncationMode.HIGH_WATERMARK);
        assertThat(config.rack()).isEqualTo("r1");
    }

    @Test
    void shouldTakeEverySpellingOfALogDirectoryForTheSameOne() {
        // given: scenario 13, the checkpoints of a directory are found again however its path is written
        // Fails if: BrokerConfig.storage() does not normalise the paths
        Path expected = Path.of("").toAbsolutePath().resolve("data");

        // when / then
        for (String spelling : List.of("data", "data/", "./data", "x/../data//", expected.toString())) {
            Properties file = new Properties();
            REQUIRED.forEach(file::setProperty);
            file.setProperty("log.dirs", spelling);
            BrokerConfig config = ((ConfigOutcome.Valid<BrokerConfig>) BrokerConfig.parse(file)).config();
            assertThat(config.storage().logDirectories()).as(spelling).containsExactly(expected);
        }
    }

    /** S58: the flush interval if set, else 5 000. */
    @Test
    void shouldCheckpointHighWatermarksWithTheFlushIntervalUnlessToldOtherwise() {
        // Fails if: the checkpoint interval does not fall back to log.flush.interval.ms
        assertThat(checkpointInterval(Map.of())).isEqualTo(Duration.ofSeconds(5));
        assertThat(checkpointInterval(Map.of("log.flush.interval.ms", "700"))).isEqualTo(Duration.ofMillis(700));
        assertThat(checkpointInterval(
                        Map.of("log.flush.interval.ms", "700", "replica.high.watermark.checkpoint.interval.ms", "900")))
                .isEqualTo(Duration.ofMillis(900));
    }

    @ParameterizedTest
    @CsvSource({
        "log.segmnt.bytes, log.segment.bytes",
        "segment.bytes, log.segment.bytes",
        "broker.di, broker.id",
        "Broker.Id, broker.id",
        "zookeeper.sesion.timeout.ms, zookeeper.session.timeout.ms",
        "min.isr.replicas, min.insync.replicas"
    })
    void shouldRefuseUnknownKeysAndNameTheClosest(String unknown, String meant) {
        assertThat(errors(Map.of(unknown, "1")))
                .containsExactly("unknown key \"" + unknown + "\"; did you mean \"" + meant + "\"?");
    }

    @Test
    void shouldSuggestNothingFarFetchedAndNoHiddenKey() {
        assertThat(errors(Map.of("color", "red"))).containsExactly("unknown key \"color\"");
        assertThat(errors(Map.of("internal.file.fault", "x"))).containsExactly("unknown key \"internal.file.fault\"");
        assertThat(BrokerConfig.definition().keys()).noneMatch(key -> key.name().startsWith("internal."));
    }

    @Test
    void shouldCollectAllErrors() {
        // given
        Map<String, String> texts = new TreeMap<>(
                Map.of("broker.id", "-1", "num.partitions", "many", "log.flush.mode", "fsync", "colour", "red"));

        // when
        ConfigOutcome<BrokerConfig> outcome = BrokerConfig.parse(texts);

        // then
        assertThat(((ConfigOutcome.Invalid<BrokerConfig>) outcome).errors())
                .containsExactly(
                        "\"broker.id\" is \"-1\": expected an integer, at least 0",
                        "unknown key \"colour\"",
                        "\"log.flush.mode\" is \"fsync\": expected async or sync",
                        "\"num.partitions\" is \"many\": expected an integer from 1 to 10000",
                        "\"log.dirs\" is missing: Directories that hold the logs, separated by commas.",
                        "\"zookeeper.connect\" is missing: ZooKeeper ensemble, with an optional chroot at the end.");
        assertThat(((ConfigOutcome.Invalid<BrokerConfig>) outcome).message().lines())
                .hasSize(6);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "broker.id | 2147483648",
                "broker.id | ''",
                "log.dirs | ''",
                "log.dirs | /a,,/b",
                "log.dirs | /a,/a",
                "zookeeper.connect | localhost",
                "zookeeper.connect | localhost:2181/",
                "zookeeper.connect | a:1,",
                "listeners | 127.0.0.1:9092",
                "listeners | peer://127.0.0.1:9092",
                "listeners | client://127.0.0.1:70000",
                "listeners | client://0.0.0.0:9092",
                "advertised.listeners | client://0.0.0.0:9092",
                "advertised.listeners | client://host:0",
                "peer.listeners | peer://127.0.0.1:9092",
                "log.segment.bytes | 1GB",
                "log.segment.bytes | 2147483648",
                "unclean.leader.election.enable | yes",
                "log.flush.interval.ms | 0",
                "replica.lag.time.max.ms | 400",
                "replica.fetch.response.max.bytes | 1000",
                "queued.max.request.bytes | 1000",
                "log.retention.ms | -2",
                "internal.file.faults | explode:*"
            })
    void shouldRefuseValuesThatMakeNoSense(String key, String value) {
        assertThat(errors(Map.of(key, value))).singleElement().asString().contains(key);
    }

    @Test
    void shouldAcceptTheHiddenKeysOfTests() {
        // when
        BrokerConfig config =
                valid(Map.of("internal.file.faults", "append:*.log:after=100", "internal.file.hold.unforced", "true"));

        // then
        assertThat(config.storage().fileFaults()).isEqualTo("append:*.log:after=100");
        assertThat(config.storage().holdUnforcedWrites()).isTrue();
    }

    @Test
    void shouldLetSeveralListenersTakeFreePorts() {
        valid(Map.of(
                "listeners", "client://127.0.0.1:0",
                "peer.listeners", "peer://127.0.0.1:0",
                "http.listeners", "http://127.0.0.1:0"));
    }

    @Test
    void shouldDocumentEveryKey() {
        assertThat(BrokerConfig.definition().keys())
                .allMatch(key -> key.doc().endsWith(".") && !key.type().isBlank());
        assertThat(TopicConfig.definition().keys())
                .allMatch(key -> key.doc().endsWith(".") && !key.type().isBlank());
    }

    private static Duration checkpointInterval(Map<String, String> texts) {
        return valid(texts).replication().highWatermarkCheckpointInterval();
    }

    private static BrokerConfig valid(Map<String, String> texts) {
        ConfigOutcome<BrokerConfig> outcome = BrokerConfig.parse(with(texts));
        assertThat(outcome).isInstanceOf(ConfigOutcome.Valid.class);
        return ((ConfigOutcome.Valid<BrokerConfig>) outcome).config();
    }

    private static List<String> errors(Map<String, String> texts) {
        ConfigOutcome<BrokerConfig> outcome = BrokerConfig.parse(with(texts));
        assertThat(outcome).isInstanceOf(ConfigOutcome.Invalid.class);
        return ((ConfigOutcome.Invalid<BrokerConfig>) outcome).errors();
    }

    private static Map<String, String> with(Map<String, String> texts) {
        Map<String, String> all = new TreeMap<>(REQUIRED);
        all.putAll(texts);
        return all;
    }
}
