package io.tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.runtime.Invariant.InvariantBrokenException;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.MemoryLog;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.replication.partition.States;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HighWatermarkCheckpointerTest {
    /** The directory that {@link MemoryLog} claims. */
    private static final Path LOGS = Path.of("/logs");

    private static final Path OTHER = Path.of("/other");
    private static final Path FILE = LOGS.resolve("replication-offset-checkpoint");
    private static final TopicPartition T0 = new TopicPartition("t", 0);
    private static final TopicPartition T1 = new TopicPartition("t", 1);
    private static final TopicPartition UMLAUT = new TopicPartition("füße", 3);

    private final SimDisk disk = new SimDisk();

    @BeforeEach
    void createDirectories() throws IOException {
        disk.createDirectory(LOGS);
        disk.createDirectory(OTHER);
        disk.forceDirectory(Path.of("/"));
    }

    private HighWatermarkCheckpointer loaded() {
        HighWatermarkCheckpointer checkpoints = new HighWatermarkCheckpointer(disk, List.of(LOGS, OTHER));
        checkpoints.load();
        return checkpoints;
    }

    /** A replica whose high watermark is {@code records}: all of its log. */
    private static Partition replica(TopicPartition name, int records) {
        MemoryLog log = new MemoryLog(name, States.TOPIC_ID);
        for (int i = 0; i < records; i++) {
            log.add(0);
        }
        return new Partition(log, 1, () -> 101, ReplicaSettings.DEFAULTS, records);
    }

    private void put(byte[] content) throws IOException {
        if (disk.exists(FILE)) {
            disk.delete(FILE);
        }
        try (FileHandle file = disk.openForAppend(FILE)) {
            file.append(ByteBuffer.wrap(content));
            file.force();
        }
        disk.forceDirectory(LOGS);
    }

    private byte[] content() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) disk.size(FILE));
        try (FileHandle file = disk.openForRead(FILE)) {
            assertThat(file.read(bytes, 0)).isEqualTo(bytes.capacity());
        }
        return bytes.array();
    }

    private static byte[] bytes(Object... values) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (Object value : values) {
                if (value instanceof String text) {
                    out.writeUTF(text);
                } else if (value instanceof Long number) {
                    out.writeLong(number);
                } else {
                    out.writeInt((Integer) value);
                }
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void shouldWriteTheSeedsBytes() throws IOException {
        // S55, S56: all partitions of a directory in one file, count first, no version, no trailer
        // Fails if: the high watermarks get a CRC trailer
        loaded().write(() -> List.of(replica(T0, 2), replica(T1, 3), replica(UMLAUT, 1)));
        assertThat(content()).isEqualTo(bytes(3, "füße", 3, 1L, "t", 0, 2L, "t", 1, 3L));
    }

    @Test
    void shouldGiveZeroBeforeThereIsAFileAndTheValueAfterAWrite() {
        // S60, S64, scenario 13
        // Fails if: HighWatermarkCheckpointer keeps one map for all directories
        HighWatermarkCheckpointer checkpoints = loaded();
        assertThat(checkpoints.read(LOGS, T0)).isZero();
        checkpoints.write(() -> List.of(replica(T0, 2)));
        assertThat(checkpoints.read(LOGS, T0)).isEqualTo(2);
        assertThat(loaded().read(LOGS, T0)).isEqualTo(2);
        assertThat(loaded().read(OTHER, T0)).isZero();
    }

    @Test
    void shouldMoveThePartitionsOfSeveralTopicsIndependently() {
        // S64. Fails if: HighWatermarkCheckpointer tells partitions apart by topic, or by number, alone
        HighWatermarkCheckpointer checkpoints = loaded();
        checkpoints.write(() -> List.of(replica(T0, 2), replica(T1, 0), replica(UMLAUT, 0)));
        assertThat(checkpoints.read(LOGS, T0)).isEqualTo(2);
        assertThat(checkpoints.read(LOGS, T1)).isZero();
        checkpoints.write(() -> List.of(replica(T0, 2), replica(T1, 7), replica(UMLAUT, 1)));
        checkpoints.write(() -> List.of(replica(T0, 5), replica(T1, 7), replica(UMLAUT, 4)));
        assertThat(loaded().read(LOGS, T0)).isEqualTo(5);
        assertThat(loaded().read(LOGS, T1)).isEqualTo(7);
        assertThat(loaded().read(LOGS, UMLAUT)).isEqualTo(4);
    }

    @Test
    void shouldCarryForwardWhatHasNoReplicaYet() throws IOException {
        // S62, scenario 13, KAFKA-769 (bug 23)
        // Fails if: HighWatermarkCheckpointer writes the present replicas alone
        // S64
        put(bytes(2, "t", 0, 100L, "t", 1, 200L));
        loaded().write(() -> List.of());
        loaded().write(() -> List.of(replica(T1, 5)));
        HighWatermarkCheckpointer checkpoints = loaded();
        assertThat(checkpoints.read(LOGS, T0)).isEqualTo(100);
        assertThat(checkpoints.read(LOGS, T1)).isEqualTo(5);
    }

    @Test
    void shouldWriteOnlyDirectoriesThatChanged() throws IOException {
        // an idle broker does not force its disks every few seconds
        HighWatermarkCheckpointer checkpoints = loaded();
        checkpoints.write(() -> List.of(replica(T0, 2)));
        assertThat(disk.exists(OTHER.resolve("replication-offset-checkpoint"))).isFalse();
        disk.delete(FILE);
        checkpoints.write(() -> List.of(replica(T0, 2)));
        assertThat(disk.exists(FILE)).isFalse();
        checkpoints.write(() -> List.of(replica(T0, 3)));
        assertThat(disk.exists(FILE)).isTrue();
    }

    @Test
    void shouldForgetTheEntryOfALogThatIsNoMore() throws IOException {
        put(bytes(2, "t", 0, 100L, "t", 1, 200L));
        HighWatermarkCheckpointer checkpoints = loaded();
        checkpoints.forget(List.of(T0));
        assertThat(checkpoints.read(LOGS, T0)).isZero();
        assertThat(content()).isEqualTo(bytes(1, "t", 1, 200L));
    }

    @Test
    void shouldStartFromZeroAfterADamagedFileAndNeverStop() throws IOException {
        // liftbridge-io/liftbridge#333 (bug 24)
        // Fails if: OffsetCheckpointFormat takes the later of two entries of one partition
        byte[] whole = bytes(2, "t", 0, 100L, "t", 1, 200L);
        byte[] half = Arrays.copyOf(whole, whole.length / 2);
        List<byte[]> damaged = List.of(
                new byte[0],
                half,
                bytes(3, "t", 0, 100L, "t", 1, 200L),
                bytes(2, "t", 0, 100L, "t", 0, 200L),
                bytes(1, "t", 0, -1L),
                bytes(1, "t", 0, 100L, 7));
        for (byte[] content : damaged) {
            put(content);
            HighWatermarkCheckpointer checkpoints = loaded();
            assertThat(checkpoints.read(LOGS, T0)).isZero();
            assertThat(checkpoints.read(LOGS, T1)).isZero();
            checkpoints.write(() -> List.of(replica(T0, 4)));
            assertThat(loaded().read(LOGS, T0)).isEqualTo(4);
        }
    }

    @Test
    void shouldKeepTheOldFileWhenTheNewOneDoesNotFit() throws IOException {
        // bug 24, S61: the disk is full
        put(bytes(1, "t", 0, 1L));
        HighWatermarkCheckpointer checkpoints = loaded();
        disk.limitCapacity(disk.usedBytes());
        assertThatThrownBy(() -> checkpoints.write(() -> List.of(replica(T0, 2), replica(T1, 2))))
                .isInstanceOf(KafkaStorageException.class);
        assertThat(content()).isEqualTo(bytes(1, "t", 0, 1L));
        assertThat(loaded().read(LOGS, T0)).isEqualTo(1);
    }

    @Test
    void shouldSurviveAPowerLossAfterAWrite() {
        for (long seed = 0; seed < 20; seed++) {
            Partition partition = replica(T0, (int) seed + 1);
            loaded().write(() -> List.of(partition));
            disk.powerLoss(new SeededRandomness(seed));
            assertThat(loaded().read(LOGS, T0)).as("seed %d", seed).isEqualTo(seed + 1);
        }
    }

    @Test
    void shouldTellReplicasWhatIsOnDisk() {
        // the seeds' truncation mode goes by it: three records, two checkpointed, cut to two
        ReplicaSettings settings = new ReplicaSettings(
                ReplicaSettings.DEFAULTS.replicaLagTimeMax(),
                TruncationMode.HIGH_WATERMARK,
                ReplicaSettings.DEFAULTS.flushMode());
        MemoryLog log = MemoryLog.of(0, 0);
        Partition partition = new Partition(log, 2, () -> 102, settings, 0);
        partition.become(States.led(2, 0).replicas(2).at(0, 2), 0);
        loaded().write(() -> List.of(partition));
        log.add(0);
        partition.become(States.led(1, 1).replicas(1, 2).at(1, 1), 0);
        assertThat(log.end().offset()).isEqualTo(2);
    }

    @Test
    void shouldInsistOnBeingLoadedOnceAndFirst() {
        HighWatermarkCheckpointer checkpoints = new HighWatermarkCheckpointer(disk, List.of(LOGS));
        assertThatThrownBy(() -> checkpoints.read(LOGS, T0)).isInstanceOf(InvariantBrokenException.class);
        checkpoints.load();
        assertThatThrownBy(checkpoints::load).isInstanceOf(InvariantBrokenException.class);
        assertThatThrownBy(() -> checkpoints.read(OTHER, T0)).isInstanceOf(InvariantBrokenException.class);
    }

    /** A deletion beside a periodic write: either order leaves no entry of a log that is gone. */
    @Test
    void shouldNotWriteWhatIsForgottenMeanwhile() throws InterruptedException {
        // given a replica that is retired, and forgotten by another thread, just when a write looks for replicas
        HighWatermarkCheckpointer checkpoints = loaded();
        PartitionTable table = new PartitionTable();
        table.put(replica(T0, 2));
        table.put(replica(T1, 3));
        Thread deletion = new Thread(() -> {
            table.remove(T0);
            checkpoints.forget(List.of(T0));
        });

        // when
        checkpoints.write(() -> {
            List<Partition> seen = table.all();
            deletion.start();
            while (deletion.getState() != Thread.State.BLOCKED && deletion.isAlive()) {
                Thread.onSpinWait();
            }
            return seen;
        });
        deletion.join();

        // then
        assertThat(checkpoints.read(LOGS, T0)).isZero();
        assertThat(checkpoints.read(LOGS, T1)).isEqualTo(3);
        assertThat(loaded().read(LOGS, T0)).as("on disk").isZero();
    }

    @Test
    void shouldNotTouchTheOtherDirectoryWhenOneIsDamaged() throws IOException {
        put(new byte[] {1});
        try (FileHandle file = disk.openForAppend(OTHER.resolve("replication-offset-checkpoint"))) {
            file.append(ByteBuffer.wrap(bytes(1, "t", 1, 9L)));
        }
        HighWatermarkCheckpointer checkpoints = loaded();
        assertThat(checkpoints.read(OTHER, T1)).isEqualTo(9);
        assertThat(checkpoints.read(LOGS, T0)).isZero();
    }
}
