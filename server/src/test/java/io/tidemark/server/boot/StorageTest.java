package io.tidemark.server.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.checkpoint.BrokerEpochFile;
import io.tidemark.core.checkpoint.BrokerEpochStamp;
import io.tidemark.core.checkpoint.MetaPropertiesFile;
import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.config.ConfigOutcome;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.model.BrokerRegistration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which log directories a broker takes, and which it refuses. */
final class StorageTest {
    private static final String CLUSTER = "cluster-1";

    @TempDir
    private Path root;

    private Path directory(String name) {
        return root.resolve(name);
    }

    private static BrokerConfig config(int brokerId, Path... directories) {
        Map<String, String> settings = new TreeMap<>();
        settings.put("broker.id", Integer.toString(brokerId));
        settings.put("log.dirs", Stream.of(directories).map(Path::toString).collect(Collectors.joining(",")));
        settings.put("zookeeper.connect", "127.0.0.1:2181");
        ConfigOutcome<BrokerConfig> parsed = BrokerConfig.parse(settings);
        assertThat(parsed).isInstanceOf(ConfigOutcome.Valid.class);
        return ((ConfigOutcome.Valid<BrokerConfig>) parsed).config();
    }

    private List<String> claim(int brokerId, String clusterId, Path... directories) throws StartFailure {
        BrokerConfig config = config(brokerId, directories);
        try (Foundation foundation = new Foundation(config, status -> {})) {
            Storage storage = new Storage(config, foundation);
            storage.claim(clusterId);
            return storage.directoryIds();
        }
    }

    private static void allow(Path path) throws IOException {
        Files.createDirectories(path);
        Files.createFile(path.resolve(NewDirectories.PERMISSION));
    }

    private static boolean isClaimed(Path path) {
        return Files.exists(path.resolve(MetaPropertiesFile.FILE_NAME));
    }

    @Test
    void shouldTakeNewDirectoriesAndKnowThemAgain() throws Exception {
        List<String> first = claim(1, CLUSTER, directory("a"), directory("b"));
        assertThat(first).hasSize(2).doesNotHaveDuplicates();
        assertThat(claim(1, CLUSTER, directory("a"), directory("b"))).isEqualTo(first);
        assertThat(directory("a").resolve(NewDirectories.PERMISSION)).doesNotExist();
        assertThat(directory("b").resolve(NewDirectories.PERMISSION)).doesNotExist();
    }

    /** Fails if: claim writes into an empty directory although another one is in use. */
    @Test
    void shouldRefuseADirectoryThatIsEmptyBesideOneInUse() throws Exception {
        // given
        claim(1, CLUSTER, directory("a"));
        Files.createDirectories(directory("b"));

        // when / then: empty, or not there at all
        for (String name : List.of("b", "c")) {
            assertThatThrownBy(() -> claim(1, CLUSTER, directory("a"), directory(name)))
                    .isInstanceOfSatisfying(
                            StartFailure.class,
                            failure -> assertThat(failure.status()).isEqualTo(ExitStatus.CONFIGURATION))
                    .hasMessageContaining(directory(name).toString())
                    .hasMessageContaining("not mounted")
                    .hasMessageContaining(NewDirectories.PERMISSION);
            assertThat(isClaimed(directory(name))).isFalse();
        }
        assertThat(directory("c")).doesNotExist();
    }

    /** Fails if: the permission is not asked for, or stays for another time. */
    @Test
    void shouldTakeADirectoryThatIsAllowedToBeNewOnce() throws Exception {
        // given
        List<String> first = claim(1, CLUSTER, directory("a"));
        allow(directory("b"));

        // when
        List<String> both = claim(1, CLUSTER, directory("a"), directory("b"));

        // then
        assertThat(both).hasSize(2).startsWith(first.get(0));
        assertThat(directory("b").resolve(NewDirectories.PERMISSION)).doesNotExist();
        Files.delete(directory("b").resolve(MetaPropertiesFile.FILE_NAME));
        assertThatThrownBy(() -> claim(1, CLUSTER, directory("a"), directory("b")))
                .isInstanceOf(StartFailure.class);
    }

    /** Fails if: the first start of a broker with several directories cannot be repeated after it was broken off. */
    @Test
    void shouldFinishAFirstStartThatWasBrokenOff() throws Exception {
        // given: the first got its file, the second did not
        NewDirectories fresh = new NewDirectories(new DiskFiles());
        fresh.begin(List.of(directory("a"), directory("b")));
        claim(1, CLUSTER, directory("a"));

        // when / then
        assertThat(claim(1, CLUSTER, directory("a"), directory("b"))).hasSize(2);
    }

    /** Fails if: only meta.properties is looked for. */
    @Test
    void shouldRefuseADirectoryThatWasInUseAndLostItsMetaProperties() throws Exception {
        // given
        Files.createDirectories(directory("a"));
        Files.createFile(directory("a").resolve("recovery-point-offset-checkpoint"));

        // when / then: not even with permission
        assertThatThrownBy(() -> claim(1, CLUSTER, directory("a")))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("recovery-point-offset-checkpoint")
                .hasMessageContaining("no meta.properties");
        claim(1, CLUSTER, directory("b"));
        Files.createFile(directory("a").resolve(NewDirectories.PERMISSION));
        assertThatThrownBy(() -> claim(1, CLUSTER, directory("b"), directory("a")))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("no meta.properties");
        assertThat(isClaimed(directory("a"))).isFalse();
    }

    /** Fails if: a directory is written to before all are known to be this broker's. */
    @Test
    void shouldRefuseForeignDirectoriesBeforeItTouchesAny() throws Exception {
        // given
        claim(2, CLUSTER, directory("other-broker"));
        claim(1, "cluster-2", directory("other-cluster"));
        allow(directory("a"));

        // when / then
        assertThatThrownBy(() -> claim(1, CLUSTER, directory("a"), directory("other-broker")))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("belongs to broker 2");
        assertThatThrownBy(() -> claim(1, CLUSTER, directory("a"), directory("other-cluster")))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("belongs to cluster cluster-2");
        assertThat(isClaimed(directory("a"))).isFalse();
    }

    @Test
    void shouldRefuseADamagedMetaProperties() throws Exception {
        claim(1, CLUSTER, directory("a"));
        Files.writeString(directory("a").resolve(MetaPropertiesFile.FILE_NAME), "broker.id=one\n");
        assertThatThrownBy(() -> claim(1, CLUSTER, directory("a")))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("is damaged");
    }

    // I11: a clean stop vouches for what its own process had, and not for what a power loss took before
    // Fails if: Storage.load leaves stamps that prove nothing where they are
    @Test
    void shouldProveNothingAfterACleanStopOfAProcessThatNeverRegistered() throws Exception {
        // given: stamped in async mode on a boot that is gone
        String id = claim(1, CLUSTER, directory("a")).get(0);
        BrokerEpochFile stamp = new BrokerEpochFile(new DiskFiles(), directory("a"));
        stamp.write(new BrokerEpochStamp(7, id, Optional.of("another-boot"), FlushMode.ASYNC));

        // when
        long first = loadAndStopCleanly(directory("a"));
        long second = loadAndStopCleanly(directory("a"));

        // then
        assertThat(first).isEqualTo(BrokerRegistration.PROVES_NOTHING);
        assertThat(second).isEqualTo(BrokerRegistration.PROVES_NOTHING);
    }

    @Test
    void shouldProveWhatWasThereAtACleanStop() throws Exception {
        // given
        claim(1, CLUSTER, directory("a"));
        try (Foundation foundation = new Foundation(config(1, directory("a")), status -> {})) {
            Storage storage = new Storage(config(1, directory("a")), foundation);
            storage.claim(CLUSTER);
            LogDirectories logs = storage.load();
            storage.stamp(7);
            logs.closeCleanly();
        }

        // when / then
        assertThat(loadAndStopCleanly(directory("a"))).isEqualTo(7);
    }

    private static long loadAndStopCleanly(Path directory) throws StartFailure {
        BrokerConfig config = config(1, directory);
        try (Foundation foundation = new Foundation(config, status -> {})) {
            Storage storage = new Storage(config, foundation);
            storage.claim(CLUSTER);
            LogDirectories logs = storage.load();
            storage.flushers().close();
            logs.closeCleanly();
            return storage.continuedEpoch();
        }
    }
}
