package io.tidemark.core.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** meta.properties, clean-shutdown, broker-epoch and the kernel's boot id. */
final class LogDirectoryFilesTest {
    private static final Path DIRECTORY = Path.of("/data");
    private static final String DIRECTORY_ID = "00112233445566778899aabbccddeeff";

    private final SimDisk disk = new SimDisk();
    private final MetaPropertiesFile metaFile = new MetaPropertiesFile(disk, DIRECTORY);
    private final CleanShutdownMarker marker = new CleanShutdownMarker(disk, DIRECTORY);
    private final BrokerEpochFile epochFile = new BrokerEpochFile(disk, DIRECTORY);

    @BeforeEach
    void createDirectory() throws IOException {
        disk.createDirectory(DIRECTORY);
        disk.forceDirectory(Path.of("/"));
    }

    @Test
    void shouldKeepMetaPropertiesAsTextThatAPersonReads() throws IOException {
        // when
        MetaProperties meta = new MetaProperties("5L6g3nShT-eMCtK--X86sw", 3, DIRECTORY_ID);
        metaFile.write(meta);

        // then
        assertThat(text(MetaPropertiesFile.FILE_NAME))
                .isEqualTo("version=1\ncluster.id=5L6g3nShT-eMCtK--X86sw\nbroker.id=3\ndirectory.id=" + DIRECTORY_ID
                        + "\n");
        assertThat(metaFile.read()).isEqualTo(new StoredValue.Present<>(meta));
    }

    @Test
    void shouldReadMetaPropertiesThatAPersonEdited() throws IOException {
        // given
        replace(
                MetaPropertiesFile.FILE_NAME,
                "# a note\r\n\r\n broker.id = 7\r\nversion=1\ncluster.id: c\ndirectory.id=d\nfuture.key=x\n");

        // when, then
        assertThat(metaFile.read()).isEqualTo(new StoredValue.Present<>(new MetaProperties("c", 7, "d")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "version=2\ncluster.id=c\nbroker.id=1\ndirectory.id=d\n",
                "version=1\nbroker.id=1\ndirectory.id=d\n",
                "version=1\ncluster.id=\nbroker.id=1\ndirectory.id=d\n",
                "version=1\ncluster.id=c\nbroker.id=one\ndirectory.id=d\n",
                "version=1\ncluster.id=c\nbroker.id=-1\ndirectory.id=d\n",
                "version=1\ncluster.id=c\nbroker.id=1\n",
                "version=1\ncluster.id=\\u00zz\n"
            })
    void shouldReportDamagedMetaPropertiesAndLeaveThem(String content) throws IOException {
        // given
        replace(MetaPropertiesFile.FILE_NAME, content);

        // when, then
        assertThat(metaFile.read()).isInstanceOf(StoredValue.Damaged.class);
        assertThat(text(MetaPropertiesFile.FILE_NAME)).isEqualTo(content);
    }

    @Test
    void shouldTellADirectoryOfAnotherClusterOrBroker() {
        // given
        MetaProperties meta = new MetaProperties("mine", 1, DIRECTORY_ID);

        // when, then
        assertThat(metaFile.read()).isEqualTo(new StoredValue.Absent<>());
        assertThat(meta.mismatch("mine", 1)).isEmpty();
        assertThat(meta.mismatch("theirs", 2)).contains(new MetaProperties.OtherCluster("mine", "theirs"));
        assertThat(meta.mismatch("mine", 2)).contains(new MetaProperties.OtherBroker(1, 2));
        assertThat(meta.mismatch("mine", 2).orElseThrow().message())
                .contains("broker 1")
                .contains("broker 2");
    }

    @Test
    void shouldMakeRandomDirectoryIds() {
        // given
        SeededRandomness random = new SeededRandomness(1);

        // when, then
        assertThat(MetaProperties.newDirectoryId(random))
                .matches("[0-9a-f]{32}")
                .isNotEqualTo(MetaProperties.newDirectoryId(random));
    }

    @Test
    void shouldRemoveTheCleanShutdownMarkerForGood() {
        for (int seed = 0; seed < 20; seed++) {
            // given
            marker.write();
            disk.powerLoss(new SeededRandomness(seed));

            // when, then
            assertThat(marker.remove()).isTrue();
            disk.powerLoss(new SeededRandomness(seed));
            assertThat(marker.remove()).isFalse();
        }
    }

    @Test
    void shouldKeepTheBrokerEpochWithAndWithoutABootId() throws IOException {
        // when
        BrokerEpochStamp withBoot =
                new BrokerEpochStamp(1_234_567_890_123L, DIRECTORY_ID, Optional.of("boot-1"), FlushMode.ASYNC);
        epochFile.write(withBoot);

        // then
        assertThat(text(BrokerEpochFile.FILE_NAME))
                .isEqualTo("version=1\nbroker.epoch=1234567890123\ndirectory.id=" + DIRECTORY_ID
                        + "\nboot.id=boot-1\nflush.mode=async\n");
        assertThat(epochFile.read()).isEqualTo(new StoredValue.Present<>(withBoot));
        BrokerEpochStamp withoutBoot = new BrokerEpochStamp(7, DIRECTORY_ID, Optional.empty(), FlushMode.SYNC);
        epochFile.write(withoutBoot);
        assertThat(epochFile.read()).isEqualTo(new StoredValue.Present<>(withoutBoot));
    }

    // I12: what an older version wrote was written in async mode: it knew no other.
    // Fails if: BrokerEpochFile.flushMode() answers SYNC for a file without the line
    @Test
    void shouldReadABrokerEpochOfAnOlderVersionAsAsync() throws IOException {
        replace(BrokerEpochFile.FILE_NAME, "version=1\nbroker.epoch=12\ndirectory.id=d\nboot.id=boot-1\n");
        assertThat(epochFile.read())
                .isEqualTo(new StoredValue.Present<>(
                        new BrokerEpochStamp(12, "d", Optional.of("boot-1"), FlushMode.ASYNC)));
        replace(BrokerEpochFile.FILE_NAME, "version=1\nbroker.epoch=12\ndirectory.id=d\nflush.mode=maybe\n");
        assertThat(epochFile.read()).isInstanceOf(StoredValue.Damaged.class);
    }

    @Test
    void shouldReportADamagedBrokerEpoch() throws IOException {
        replace(BrokerEpochFile.FILE_NAME, "version=1\nbroker.epoch=12x\ndirectory.id=d\n");
        assertThat(epochFile.read()).isInstanceOf(StoredValue.Damaged.class);
    }

    @Test
    void shouldNotThrowWhenTheDiskFailsDuringTheRemovalOfTheBrokerEpoch() {
        // given
        epochFile.write(new BrokerEpochStamp(7, DIRECTORY_ID, Optional.empty(), FlushMode.ASYNC));
        FaultFiles failing = new FaultFiles(disk, FaultPlan.parse("delete:*"), pause -> {});

        // when, then
        assertThat(new BrokerEpochFile(failing, DIRECTORY).removeAfterFailure()).isFalse();
        assertThat(epochFile.removeAfterFailure()).isTrue();
        assertThat(epochFile.removeAfterFailure()).isTrue();
        assertThat(epochFile.read()).isEqualTo(new StoredValue.Absent<>());
    }

    @Test
    void shouldReadTheBootIdOfTheKernelOrNone() throws IOException {
        assertThat(new KernelBootId(disk).current()).isEmpty();
        disk.createDirectory(KernelBootId.PATH.getParent());
        replaceAt(KernelBootId.PATH, "3ab1c9f2-0d5e-4c1e-9f0a-6f0f7b2f1a11\n");
        assertThat(new KernelBootId(disk).current()).contains("3ab1c9f2-0d5e-4c1e-9f0a-6f0f7b2f1a11");
        replaceAt(KernelBootId.PATH, "\0\0\0");
        assertThat(new KernelBootId(disk).current()).isEmpty();
    }

    @Test
    void shouldReadTheSameBootIdOfThisMachineTwice() {
        KernelBootId bootId = new KernelBootId(new DiskFiles());
        assertThat(bootId.current())
                .isEqualTo(bootId.current())
                .matches(id -> id.isPresent() == java.nio.file.Files.exists(KernelBootId.PATH));
    }

    private String text(String name) throws IOException {
        return new String(FileBytes.content(disk, DIRECTORY.resolve(name)), StandardCharsets.UTF_8);
    }

    private void replace(String name, String content) throws IOException {
        replaceAt(DIRECTORY.resolve(name), content);
    }

    private void replaceAt(Path path, String content) throws IOException {
        FileBytes.write(disk, path, content.getBytes(StandardCharsets.UTF_8));
    }
}
