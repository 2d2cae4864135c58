package io.tidemark.core.log.offline;

import static io.tidemark.core.log.offline.OfflineRig.BATCH_BYTES;
import static io.tidemark.core.log.offline.OfflineRig.DATA;
import static io.tidemark.core.log.offline.OfflineRig.PARTITION;
import static io.tidemark.core.log.offline.OfflineRig.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.log.Batches;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/** Each kind of damage is found where it is, and nothing is touched. */
final class LogVerifierTest {
    private final OfflineRig rig = new OfflineRig();

    private Finding only() {
        assertThat(rig.findings).hasSize(1);
        return rig.findings.get(0);
    }

    private void writeCheckpoint(OffsetCheckpointFile.Kind kind, Map<TopicPartition, Long> offsets) {
        new OffsetCheckpointFile(rig.disk, DATA, kind).write(offsets);
    }

    @Test
    void shouldFindNothingInASoundLogDirectoryAndChangeNothing() throws IOException {
        // given
        SortedMap<String, Long> before = rig.sizes();

        // when
        Verification result = rig.verify(DATA, LogVerifier.Depth.RECORDS);

        // then
        assertThat(rig.findings).isEmpty();
        assertThat(result.findings()).isZero();
        assertThat(result.batches()).isEqualTo(6);
        assertThat(result.records()).isEqualTo(6);
        assertThat(result.bytes()).isEqualTo(6 * BATCH_BYTES).isEqualTo(rig.readBytes);
        assertThat(new LogVerifier(rig.disk, LogVerifier.Depth.BATCHES, rig).sizeBytes(DATA))
                .isEqualTo(6 * BATCH_BYTES);
        assertThat(rig.sizes()).isEqualTo(before);
    }

    @Test
    void shouldFindAFlippedBitInABatch() throws IOException {
        // given
        rig.flip(file(2, ".log"), BATCH_BYTES + 80);

        // when
        Verification result = rig.verify(PARTITION);

        // then
        assertThat(result.findings()).isEqualTo(1);
        assertThat(only().file()).isEqualTo(file(2, ".log"));
        assertThat(only().position()).isEqualTo(BATCH_BYTES);
        assertThat(only().offset()).isEqualTo(3);
        assertThat(only().what()).contains("CRC");
        assertThat(only().next()).contains("replica");
    }

    @Test
    void shouldFindRecordsThatDoNotDecodeOnlyWhenAskedToLook() throws IOException {
        // given: the length of a record, behind the header, with a CRC that matches
        rig.forge(file(2, ".log"), 0, 61, 2);

        // when / then
        rig.verify(PARTITION);
        assertThat(rig.findings).isEmpty();
        rig.verify(PARTITION, LogVerifier.Depth.RECORDS);
        assertThat(only().position()).isZero();
        assertThat(only().offset()).isEqualTo(2);
        assertThat(only().what()).contains("decode");
    }

    @Test
    void shouldTellATornTailFromAHoleInTheMiddle() throws IOException {
        // given
        rig.append(file(4, ".log"), new byte[] {1, 2, 3});

        // when / then: where a crash leaves it
        rig.verify(PARTITION);
        assertThat(only().position()).isEqualTo(2 * BATCH_BYTES);
        assertThat(only().offset()).isEqualTo(6);
        assertThat(only().what()).contains("torn header").contains("3 bytes");
        assertThat(only().next()).contains("the next start cuts the log here");

        // when / then: where no crash leaves it
        rig.findings.clear();
        rig.append(file(2, ".log"), new byte[] {1, 2, 3});
        rig.verify(PARTITION);
        assertThat(rig.findings).hasSize(2);
        assertThat(rig.findings.get(0).next()).contains("replica");
    }

    @Test
    void shouldFindEpochsThatFallAndCountsThatCannotBe() throws IOException {
        // given
        ByteBuffer late = Batches.at(6, 3, Batches.ofCount(1));
        ByteBuffer liar = Batches.at(7, 4, Batches.ofCount(1));
        liar.putInt(57, 9);
        rig.append(file(4, ".log"), Batches.join(late, liar).array());

        // when
        rig.verify(file(4, ".log"));

        // then
        assertThat(rig.findings)
                .extracting(Finding::what)
                .anySatisfy(what -> assertThat(what).contains("epoch falls from 4 to 3"))
                .anySatisfy(what -> assertThat(what).contains("9 records are said to be in 1 offsets"));
    }

    @Test
    void shouldFindSegmentsThatOverlap() throws IOException {
        // given
        rig.write(file(1, ".log"), Batches.at(1, 0, Batches.ofCount(1)).array());

        // when
        rig.verify(PARTITION);

        // then
        assertThat(rig.findings).anySatisfy(finding -> {
            assertThat(finding.file()).isEqualTo(file(1, ".log"));
            assertThat(finding.what()).contains("overlaps");
            assertThat(finding.next()).contains("refuses to start");
        });
    }

    @Test
    void shouldFindIndexEntriesThatPointElsewhere() throws IOException {
        // given: the second of two batches is indexed; now its entry points into the first
        rig.write(file(0, ".index"), new byte[] {0, 0, 0, 1, 0, 0, 0, 7, 9, 9});

        // when
        rig.verify(PARTITION);

        // then
        assertThat(rig.findings).hasSize(2).allMatch(finding -> finding.file().equals(file(0, ".index")));
        assertThat(rig.findings.get(0).position()).isEqualTo(8);
        assertThat(rig.findings.get(0).what()).contains("2 bytes at the end");
        assertThat(rig.findings.get(1).position()).isZero();
        assertThat(rig.findings.get(1).offset()).isEqualTo(1);
        assertThat(rig.findings.get(1).what()).contains("no batch starts there");
        assertThat(rig.findings.get(1).next()).contains("no record is lost");
    }

    @Test
    void shouldFindIndexEntriesThatNameAnotherBatchOrLieBehindTheEnd() throws IOException {
        // given
        rig.write(file(0, ".index"), new byte[] {0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 9, 0, 0, 1, 0});

        // when
        rig.verify(file(0, ".index"));

        // then
        assertThat(rig.findings).hasSize(2);
        assertThat(rig.findings.get(0).what()).contains("the batch there ends with offset 1");
        assertThat(rig.findings.get(1).what()).contains("behind the last good batch");
    }

    @Test
    void shouldTellManyWrongEntriesAsANumber() throws IOException {
        // given
        rig.write(file(0, ".index"), new byte[8 * 20]);

        // when
        rig.verify(PARTITION);

        // then
        assertThat(rig.findings).hasSize(6);
        assertThat(rig.findings.get(5).what()).contains("14 more");
    }

    // Fails if: IndexCheck.alone does not end what it tells
    @Test
    void shouldTellManyWrongEntriesOfALoneIndexAsANumber() throws IOException {
        // given: the first entry is possible, the others do not rise above it
        Path copies = Path.of("/copies");
        rig.disk.createDirectory(copies);
        Path index = copies.resolve("00000000000000000000.index");
        rig.write(index, new byte[8 * 20]);

        // when
        rig.verify(index);

        // then
        assertThat(rig.findings).hasSize(6);
        assertThat(rig.findings.get(5).what()).contains("14 more");
    }

    @Test
    void shouldFindTimeIndexEntriesThatAreNotTrue() throws IOException {
        // given: all records have timestamp 1000
        ByteBuffer entries = ByteBuffer.allocate(3 * 12);
        entries.putLong(900).putInt(0).putLong(1_000).putInt(1).putLong(2_000).putInt(5);
        rig.write(file(0, ".timeindex"), entries.array());

        // when
        rig.verify(PARTITION);

        // then
        assertThat(rig.findings).hasSize(2);
        assertThat(rig.findings.get(0).position()).isZero();
        assertThat(rig.findings.get(0).offset()).isZero();
        assertThat(rig.findings.get(0).what()).contains("the largest timestamp of that batch is 1000");
        assertThat(rig.findings.get(1).position()).isEqualTo(24);
        assertThat(rig.findings.get(1).what()).contains("behind the last good batch");
    }

    @Test
    void shouldFindEpochsThatDisagreeWithTheBatches() throws IOException {
        // given: epoch 4 begins one batch late
        rig.write(PARTITION.resolve("leader-epoch-checkpoint"), "0\n3\n0 0\n4 4\n7 99\n");

        // when
        rig.verify(PARTITION);

        // then
        assertThat(rig.findings).hasSize(2);
        assertThat(rig.findings.get(0).offset()).isEqualTo(3);
        assertThat(rig.findings.get(0).what()).contains("epoch 0 for offset 3").contains("has epoch 4");
        assertThat(rig.findings.get(1).what()).contains("epoch 7 starts behind the end of the log, which is 6");
    }

    @Test
    void shouldTakeAnEpochWithoutBatchesForNatural() throws IOException {
        // given: a leader that wrote nothing, and a log whose start is not recorded here
        rig.write(PARTITION.resolve("leader-epoch-checkpoint"), "0\n3\n0 1\n4 3\n9 6\n");

        // when
        rig.verify(PARTITION);

        // then
        assertThat(rig.findings).isEmpty();
    }

    @Test
    void shouldFindADamagedEpochFile() throws IOException {
        // given
        rig.write(PARTITION.resolve("leader-epoch-checkpoint"), "rubbish");

        // when / then
        rig.verify(PARTITION);
        assertThat(only().what()).contains("damaged");
        rig.findings.clear();
        rig.verify(PARTITION.resolve("leader-epoch-checkpoint"));
        assertThat(only().what()).contains("damaged");
    }

    @Test
    void shouldFindCheckpointsThatAreOutOfRangeOrDamaged() throws IOException {
        // given
        writeCheckpoint(
                OffsetCheckpointFile.Kind.HIGH_WATERMARK,
                Map.of(new TopicPartition("t", 0), 7L, new TopicPartition("gone", 3), 1L));
        writeCheckpoint(OffsetCheckpointFile.Kind.CLEANER, Map.of(new TopicPartition("t", 0), 6L));
        Path recovery = DATA.resolve(OffsetCheckpointFile.Kind.RECOVERY_POINT.fileName());
        rig.write(recovery, new byte[] {1});
        SortedMap<String, Long> before = rig.sizes();

        // when
        rig.verify(DATA);

        // then
        assertThat(rig.findings)
                .extracting(Finding::what)
                .hasSize(3)
                .anySatisfy(what -> assertThat(what).contains("gone-3, which has no directory"))
                .anySatisfy(what -> assertThat(what).contains("offset 7 of t-0 is beyond the end of its log, 6"))
                .anySatisfy(what -> assertThat(what).contains("less than a checksum"));
        assertThat(rig.sizes()).isEqualTo(before);
    }

    @Test
    void shouldSayWhatACopiedFileCannotTell() throws IOException {
        // given
        Path copy = Path.of("/data/copy.log");
        rig.write(copy, rig.content(file(2, ".log")));

        // when
        Verification result = rig.verify(copy);

        // then
        assertThat(result.findings()).isZero();
        assertThat(result.batches()).isEqualTo(2);
        assertThat(result.unknown())
                .anySatisfy(what -> assertThat(what).contains("name"))
                .anySatisfy(what -> assertThat(what).contains("verify the directory"));
    }

    @Test
    void shouldSayWhatAnIndexAloneCannotTell() throws IOException {
        // given
        Path copy = Path.of("/data/00000000000000000002.index");
        rig.write(copy, rig.content(file(2, ".index")));

        // when
        Verification result = rig.verify(copy);

        // then
        assertThat(result.findings()).isZero();
        assertThat(result.unknown())
                .anySatisfy(what -> assertThat(what).contains("whether the entries point to batches"));
    }

    @Test
    void shouldTellWhatIsNotThereAndWhatIsNoLog() throws IOException {
        // given
        rig.write(Path.of("/data/notes.txt"), "x");

        // when / then
        assertThatThrownBy(() -> rig.verify(Path.of("/nowhere"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> rig.verify(Path.of("/data/notes.txt"))).isInstanceOf(IOException.class);
        assertThat(OfflineTarget.kindOf(rig.disk, DATA)).isEqualTo(OfflineTarget.Kind.LOG_DIRECTORY);
        assertThat(OfflineTarget.kindOf(rig.disk, PARTITION)).isEqualTo(OfflineTarget.Kind.PARTITION);
    }
}
