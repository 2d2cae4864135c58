package io.tidemark.core.log.offline;

import static io.tidemark.core.log.offline.OfflineRig.BATCH_BYTES;
import static io.tidemark.core.log.offline.OfflineRig.DATA;
import static io.tidemark.core.log.offline.OfflineRig.PARTITION;
import static io.tidemark.core.log.offline.OfflineRig.file;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.checkpoint.MetaPropertiesFile;
import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.checkpoint.StoredValue;
import io.tidemark.core.log.Batches;
import io.tidemark.record.Codec;
import io.tidemark.record.LogRecord;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is sought is found where it lies, without an index. */
final class LogFinderTest {
    private final OfflineRig rig = new OfflineRig();

    private Optional<FoundRecord> find(Sought sought) throws IOException {
        return new LogFinder(rig.disk, rig).find(PARTITION, sought);
    }

    private static byte[] keyed(long offset, String key, long timestampMs) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.GZIP, 1_000, 1_000);
        builder.tryAppend(timestampMs, ByteBuffer.wrap(bytes("other")), null, List.of());
        builder.tryAppend(timestampMs + 1, ByteBuffer.wrap(bytes(key)), ByteBuffer.wrap(bytes("v")), List.of());
        ByteBuffer batch = Batches.at(offset, 4, builder.build(ProducerStamp.NONE));
        byte[] copy = new byte[batch.remaining()];
        batch.get(copy);
        return copy;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldFindAnOffsetInItsSegment() throws IOException {
        // when
        FoundRecord found = find(new Sought.AtOffset(3)).orElseThrow();

        // then
        assertThat(found.file()).isEqualTo(file(2, ".log"));
        assertThat(found.batch().position()).isEqualTo(BATCH_BYTES);
        assertThat(found.record()).map(LogRecord::offset).contains(3L);
        assertThat(rig.readBytes).as("only that segment is read").isEqualTo(2 * BATCH_BYTES);
        assertThat(find(new Sought.AtOffset(6))).isEmpty();
    }

    @Test
    void shouldFindTheNextOneOfAnOffsetInAGap() throws IOException {
        // given
        rig.append(file(4, ".log"), keyed(50, "k", 5_000));

        // when
        FoundRecord found = find(new Sought.AtOffset(20)).orElseThrow();

        // then
        assertThat(found.batch().baseOffset()).isEqualTo(50);
        assertThat(found.record()).map(LogRecord::offset).contains(50L);
    }

    @Test
    void shouldFindTheFirstRecordThatIsNotOlder() throws IOException {
        // given
        rig.append(file(4, ".log"), keyed(6, "k", 5_000));

        // when / then
        assertThat(find(new Sought.AtTime(1_000)).orElseThrow().batch().baseOffset())
                .isZero();
        assertThat(find(new Sought.AtTime(5_001)).orElseThrow().record())
                .map(LogRecord::offset)
                .contains(7L);
        assertThat(find(new Sought.AtTime(5_002))).isEmpty();
    }

    @Test
    void shouldFindAKeyInACompressedBatch() throws IOException {
        // given
        rig.append(file(4, ".log"), keyed(6, "k", 5_000));

        // when
        FoundRecord found = find(new Sought.OfKey(ByteBuffer.wrap(bytes("k")))).orElseThrow();

        // then
        assertThat(found.file()).isEqualTo(file(4, ".log"));
        assertThat(found.batch().position()).isEqualTo(2 * BATCH_BYTES);
        assertThat(found.record()).map(LogRecord::offset).contains(7L);
        assertThat(find(new Sought.OfKey(ByteBuffer.wrap(bytes("nobody"))))).isEmpty();
    }

    @Test
    void shouldSayWhichBatchesCouldNotBeLookedInto() throws IOException {
        // given
        rig.flip(file(0, ".log"), 80);
        rig.append(file(4, ".log"), new byte[] {1, 2, 3});

        // when
        Optional<FoundRecord> byTime = find(new Sought.AtTime(1_000));
        Optional<FoundRecord> byKey = find(new Sought.OfKey(ByteBuffer.wrap(bytes("nobody"))));

        // then
        assertThat(byTime.orElseThrow().batch().baseOffset()).isEqualTo(1);
        assertThat(byKey).isEmpty();
        assertThat(rig.findings).hasSize(3);
        assertThat(rig.findings.get(0).position()).isZero();
        assertThat(rig.findings.get(2).what()).contains("what follows was not read");
        assertThat(find(new Sought.AtOffset(0)).orElseThrow().record()).isEmpty();
    }

    @Test
    void shouldReportEpochsOfFileAndBatches() throws IOException {
        // given
        rig.write(PARTITION.resolve("leader-epoch-checkpoint"), "0\n3\n0 0\n4 3\n9 6\n");

        // when
        EpochReport both = EpochReport.read(rig.disk, PARTITION);
        EpochReport batches = EpochReport.read(rig.disk, file(2, ".log"));
        EpochReport file = EpochReport.read(rig.disk, PARTITION.resolve("leader-epoch-checkpoint"));

        // then
        assertThat(both.rows())
                .containsExactly(
                        new EpochReport.Row(0, OptionalLong.of(0), OptionalLong.of(0)),
                        new EpochReport.Row(4, OptionalLong.of(3), OptionalLong.of(3)),
                        new EpochReport.Row(9, OptionalLong.of(6), OptionalLong.empty()));
        assertThat(batches.hasFile()).isFalse();
        assertThat(batches.rows())
                .containsExactly(
                        new EpochReport.Row(0, OptionalLong.empty(), OptionalLong.of(2)),
                        new EpochReport.Row(4, OptionalLong.empty(), OptionalLong.of(3)));
        assertThat(file.hasBatches()).isFalse();
        assertThat(file.rows()).hasSize(3);
    }

    @Test
    void shouldReportTheSmallFilesAsTheyAre() throws IOException {
        // given
        rig.write(DATA.resolve(MetaPropertiesFile.FILE_NAME), "version=1\ncluster.id=c\nbroker.id=3\ndirectory.id=d\n");
        rig.write(DATA.resolve(OffsetCheckpointFile.Kind.HIGH_WATERMARK.fileName()), new byte[] {0, 0});

        // when
        LogDirectoryReport report = LogDirectoryReport.read(rig.disk, DATA);

        // then
        assertThat(report.meta().value())
                .hasValueSatisfying(meta -> assertThat(meta.brokerId()).isEqualTo(3));
        assertThat(report.brokerEpoch()).isInstanceOf(StoredValue.Absent.class);
        assertThat(report.isCleanlyStopped()).isTrue();
        assertThat(report.checkpoints()).hasSize(4);
        assertThat(report.checkpoints().get(OffsetCheckpointFile.Kind.HIGH_WATERMARK))
                .isInstanceOf(StoredValue.Damaged.class);
        assertThat(rig.disk.exists(DATA.resolve(OffsetCheckpointFile.Kind.HIGH_WATERMARK.fileName())))
                .isTrue();
    }
}
