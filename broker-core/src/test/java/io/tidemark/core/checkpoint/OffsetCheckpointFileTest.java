package io.tidemark.core.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.checkpoint.OffsetCheckpointFile.Kind;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class OffsetCheckpointFileTest {
    private static final Path DIRECTORY = Path.of("/data");

    private final SimDisk disk = new SimDisk();

    @BeforeEach
    void createDirectory() throws IOException {
        disk.createDirectory(DIRECTORY);
    }

    /** S56. */
    @Test
    void shouldWriteExactlyTheBytesOfTheSeed() throws IOException {
        // when
        // Fails if: the high watermarks get a CRC trailer
        checkpoint(Kind.HIGH_WATERMARK)
                .write(Map.of(new TopicPartition("b", 1), 258L, new TopicPartition("aé水", 0), 5L));

        // then
        String expected = "00000002"
                + "0006" + "61" + "c3a9" + "e6b0b4" + "00000000" + "0000000000000005"
                + "0001" + "62" + "00000001" + "0000000000000102";
        assertThat(hex(Kind.HIGH_WATERMARK)).isEqualTo(expected);
    }

    /** S56: zero entries are exactly four bytes. */
    @Test
    void shouldWriteFourBytesForNoEntries() throws IOException {
        // Fails if: the high watermarks get a CRC trailer
        checkpoint(Kind.HIGH_WATERMARK).write(Map.of());
        assertThat(hex(Kind.HIGH_WATERMARK)).isEqualTo("00000000");
    }

    @Test
    void shouldAddAChecksumToTheOtherThree() throws IOException {
        // given: CRC-32C of four zero bytes
        String empty = "00000000" + "48674bc7";

        // when, then
        for (Kind kind : new Kind[] {Kind.RECOVERY_POINT, Kind.LOG_START, Kind.CLEANER}) {
            checkpoint(kind).write(Map.of());
            assertThat(hex(kind)).as("%s", kind).isEqualTo(empty);
        }
    }

    @Test
    void shouldUseTheNamesThatOperatorsKnow() {
        assertThat(Arrays.stream(Kind.values()).map(Kind::fileName))
                .containsExactly(
                        "replication-offset-checkpoint",
                        "recovery-point-offset-checkpoint",
                        "log-start-offset-checkpoint",
                        "cleaner-offset-checkpoint");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldReadBackWhatItWrote(Kind kind) {
        // given
        SeededRandomness random = new SeededRandomness(kind.fileName().length());
        for (int round = 0; round < 20; round++) {
            SortedMap<TopicPartition, Long> offsets = new TreeMap<>();
            for (int i = random.nextInt(50); i > 0; i--) {
                offsets.put(
                        new TopicPartition("topic-" + random.nextInt(10), random.nextInt(1_000)),
                        random.nextLong() & Long.MAX_VALUE);
            }

            // when
            checkpoint(kind).write(offsets);

            // then
            assertThat(checkpoint(kind).read()).as(random.toString()).isEqualTo(new StoredValue.Present<>(offsets));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldTellAnAbsentFile(Kind kind) {
        assertThat(checkpoint(kind).read()).isEqualTo(new StoredValue.Absent<>());
    }

    @Test
    void shouldRefuseToWriteANegativeOffset() {
        OffsetCheckpointFile file = checkpoint(Kind.HIGH_WATERMARK);
        file.write(Map.of(new TopicPartition("t", 0), 7L));
        assertThatThrownBy(() -> file.write(Map.of(new TopicPartition("t", 0), -1L)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(file.read().value()).contains(new TreeMap<>(Map.of(new TopicPartition("t", 0), 7L)));
    }

    /** KNOWN_BUGS 24. Entries are topic "t", partition, offset. */
    @ParameterizedTest
    @CsvSource({
        "no bytes at all, ''",
        "half of a count, 0000",
        "half of an entry, 00000001 0001 74 000000",
        "count 3 with 2 entries, 00000003 000174 00000000 0000000000000064 000174 00000001 00000000000000c8",
        "a huge count, 7fffffff 000174 00000000 0000000000000064",
        "a negative count, ffffffff",
        "the same partition twice, 00000002 000174 00000000 0000000000000064 000174 00000000 00000000000000c8",
        "a negative offset, 00000001 000174 00000000 ffffffffffffffff",
        "a negative partition, 00000001 000174 ffffffff 0000000000000064",
        "an empty topic, 00000001 0000 00000000 0000000000000064 00",
        "trailing garbage, 00000001 000174 00000000 0000000000000064 00",
        "a topic that is no text, 00000001 0001 ff 00000000 0000000000000064"
    })
    void shouldMoveADamagedFileAside(String what, String hex) throws IOException {
        // S61
        // Fails if: OffsetCheckpointFormat does not look behind its last entry
        byte[] body = HexFormat.of().parseHex(hex.replace(" ", ""));
        // a right checksum does not make wrong content right
        for (Kind kind : new Kind[] {Kind.HIGH_WATERMARK, Kind.CLEANER}) {
            // given
            replace(kind, kind == Kind.CLEANER ? withCrc(body) : body);

            // when
            StoredValue<SortedMap<TopicPartition, Long>> read = checkpoint(kind).read();

            // then
            assertThat(read).as(what).isInstanceOfSatisfying(StoredValue.Damaged.class, damaged -> {
                assertThat(damaged.file()).isEqualTo(path(kind));
                assertThat(damaged.reason()).isNotBlank();
                assertThat(damaged.movedTo()).contains(DIRECTORY.resolve(kind.fileName() + ".damaged-1"));
            });
            assertThat(read.value()).isEmpty();
            assertThat(disk.size(DIRECTORY.resolve(kind.fileName() + ".damaged-1")))
                    .isEqualTo(kind == Kind.CLEANER ? body.length + 4 : body.length);
            assertThat(checkpoint(kind).read()).isEqualTo(new StoredValue.Absent<>());
        }
    }

    @Test
    void shouldNoticeEveryFlippedBitWhereThereIsAChecksum() throws IOException {
        // given
        checkpoint(Kind.RECOVERY_POINT).write(Map.of(new TopicPartition("topic", 3), 1_000L));
        byte[] good = content(Kind.RECOVERY_POINT);

        for (int bit = 0; bit < good.length * 8; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            replace(Kind.RECOVERY_POINT, bad);

            // when, then
            assertThat(checkpoint(Kind.RECOVERY_POINT).read())
                    .as("bit %s", bit)
                    .isInstanceOf(StoredValue.Damaged.class);
        }
    }

    /** S62 and KNOWN_BUGS 23: the file holds what the last full map held, also over a crash. */
    @Test
    void shouldKeepTheEntriesOfAllPartitionsOverACrash() throws IOException {
        // given
        disk.forceDirectory(Path.of("/"));
        SortedMap<TopicPartition, Long> offsets =
                new TreeMap<>(Map.of(new TopicPartition("t", 0), 100L, new TopicPartition("t", 1), 200L));
        checkpoint(Kind.HIGH_WATERMARK).write(offsets);

        // when
        disk.powerLoss(new SeededRandomness(23));

        // then
        assertThat(checkpoint(Kind.HIGH_WATERMARK).read().value()).contains(offsets);
    }

    private OffsetCheckpointFile checkpoint(Kind kind) {
        return new OffsetCheckpointFile(disk, DIRECTORY, kind);
    }

    private static Path path(Kind kind) {
        return DIRECTORY.resolve(kind.fileName());
    }

    private String hex(Kind kind) throws IOException {
        return HexFormat.of().formatHex(content(kind));
    }

    private byte[] content(Kind kind) throws IOException {
        return FileBytes.content(disk, path(kind));
    }

    private void replace(Kind kind, byte[] content) throws IOException {
        FileBytes.write(disk, path(kind), content);
    }

    private static byte[] withCrc(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return ByteBuffer.allocate(body.length + 4)
                .put(body)
                .putInt((int) crc.getValue())
                .array();
    }
}
