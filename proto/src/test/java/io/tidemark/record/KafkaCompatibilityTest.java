package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Samples.Sample;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.DefaultRecordBatch;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MemoryRecordsBuilder;
import org.apache.kafka.common.record.MutableRecordBatch;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Kafka's own library is the oracle: what it builds we read, what we build it reads (DESIGN section 3). */
final class KafkaCompatibilityTest {
    private static final long SEED = Long.getLong("tidemark.seed", 20_260_101);
    private static final ProducerStamp STAMP = new ProducerStamp(4_711, (short) 3, Integer.MAX_VALUE - 2);

    static Stream<Arguments> everyCodecAndContent() {
        return Arrays.stream(Codec.values())
                .flatMap(codec -> Stream.of(
                                Samples.everyShape(),
                                List.of(Samples.sample(-1, "no time", "v")),
                                Samples.many(20_000),
                                Samples.big(new SplittableRandom(SEED)))
                        .flatMap(samples -> Stream.of(ProducerStamp.NONE, STAMP)
                                .map(stamp -> Arguments.of(codec, samples.size(), samples, stamp))));
    }

    @ParameterizedTest(name = "{0}, {1} records")
    @MethodSource("everyCodecAndContent")
    void shouldReadWhatKafkaBuilds(Codec codec, int count, List<Sample> samples, ProducerStamp stamp) {
        // given
        ByteBuffer bytes = buildWithKafka(codec, samples, stamp, 1_000_000_000_000L, 17);
        // when
        RecordBatch batch = RecordBatch.at(bytes, 0);
        // then
        assertThat(batch.isCrcValid()).isTrue();
        assertThat(batch.sizeBytes()).isEqualTo(bytes.remaining());
        assertThat(batch.codec()).isEqualTo(codec);
        assertThat(batch.baseOffset()).isEqualTo(1_000_000_000_000L);
        assertThat(batch.lastOffset()).isEqualTo(999_999_999_999L + count);
        assertThat(batch.partitionLeaderEpoch()).isEqualTo(17);
        assertThat(batch.recordCount()).isEqualTo(count);
        assertThat(batch.maxTimestampMs()).isEqualTo(maxTimestampMs(samples));
        assertThat(stampOf(batch)).isEqualTo(stamp);
        assertThat(Samples.read(batch, 1_000_000_000_000L)).isEqualTo(samples);
        assertThat(BatchValidator.validateProduced(bytes, bytes.remaining())).matches(BatchValidation::isValid);
        assertThat(BatchValidator.validateReplicated(bytes, 0, 17)).matches(BatchValidation::isValid);
    }

    @ParameterizedTest(name = "{0}, {1} records")
    @MethodSource("everyCodecAndContent")
    void shouldBuildWhatKafkaReads(Codec codec, int count, List<Sample> samples, ProducerStamp stamp) {
        // given
        ByteBuffer bytes = Samples.build(codec, samples, stamp);
        // when
        DefaultRecordBatch kafka = onlyBatchOf(bytes);
        // then
        kafka.ensureValid();
        assertThat(kafka.sizeInBytes()).isEqualTo(bytes.remaining());
        assertThat(kafka.compressionType().id).isEqualTo((byte) codec.id());
        assertThat(kafka.timestampType()).isEqualTo(TimestampType.CREATE_TIME);
        assertThat(kafka.countOrNull()).isEqualTo(count);
        assertThat(kafka.lastOffset()).isEqualTo(count - 1);
        assertThat(kafka.partitionLeaderEpoch()).isEqualTo(-1);
        assertThat(kafka.maxTimestamp()).isEqualTo(maxTimestampMs(samples));
        assertThat(kafka.isTransactional() || kafka.isControlBatch()).isFalse();
        assertThat(new ProducerStamp(kafka.producerId(), kafka.producerEpoch(), kafka.baseSequence()))
                .isEqualTo(stamp);
        assertThat(contentOf(kafka)).isEqualTo(samples);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRoundTripRandomBatchesThroughKafka(Codec codec) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 60; round++) {
            List<Sample> samples = Samples.random(random);
            String where = "codec " + codec + " round " + round + " seed " + SEED;
            ByteBuffer ours = Samples.build(codec, samples);
            DefaultRecordBatch kafka = onlyBatchOf(ours);
            kafka.ensureValid();
            assertThat(contentOf(kafka)).as(where).isEqualTo(samples);
            assertThat(Samples.read(RecordBatch.at(ours, 0), 0)).as(where).isEqualTo(samples);
            ByteBuffer theirs = buildWithKafka(codec, samples, ProducerStamp.NONE, 0, -1);
            assertThat(Samples.read(RecordBatch.at(theirs, 0), 0)).as(where).isEqualTo(samples);
            assertThat(BatchValidator.validateProduced(theirs, theirs.remaining())
                            .message())
                    .as(where)
                    .isEmpty();
            if (codec == Codec.NONE) {
                assertThat(ours).as(where).isEqualTo(theirs);
            }
        }
    }

    @Test
    void shouldBuildUncompressedBatchesByteForByteLikeKafka() {
        for (ProducerStamp stamp : List.of(ProducerStamp.NONE, STAMP)) {
            for (List<Sample> samples : List.of(Samples.everyShape(), Samples.many(1_000))) {
                assertThat(Samples.build(Codec.NONE, samples, stamp))
                        .isEqualTo(buildWithKafka(Codec.NONE, samples, stamp, 0, -1));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadAppendTimeAsKafkaDoes(Codec codec) {
        // given
        MemoryRecordsBuilder builder = new KafkaBatches(codec, TimestampType.LOG_APPEND_TIME).at(777_000);
        builder.append(1_000, new byte[] {1}, new byte[] {2});
        builder.append(2_000, new byte[] {3}, new byte[] {4});
        ByteBuffer bytes = builder.build().buffer();
        // when
        RecordBatch batch = RecordBatch.at(bytes, 0);
        // then
        assertThat(batch.hasAppendTime()).isTrue();
        assertThat(batch.records()).extracting(LogRecord::timestampMs).containsExactly(777_000L, 777_000L);
    }

    /** S3, S20: a compacted batch keeps its first and last offset; each record has its own offset. */
    @ParameterizedTest
    @EnumSource
    void shouldReadGapsThatCompactionLeft(Codec codec) {
        // given
        // Fails if: RecordBatch.nextOffset() counts records instead of offsets
        MemoryRecordsBuilder builder = new KafkaBatches(codec, TimestampType.CREATE_TIME).at(0);
        for (long offset : new long[] {2, 3, 7, 900}) {
            builder.appendWithOffset(offset, 5L, null, ("v" + offset).getBytes(StandardCharsets.UTF_8));
        }
        ByteBuffer bytes = builder.build().buffer();
        // when
        RecordBatch batch = RecordBatch.at(bytes, 0);
        // then
        assertThat(batch.records()).extracting(LogRecord::offset).containsExactly(2L, 3L, 7L, 900L);
        assertThat(batch.nextOffset()).isEqualTo(901);
        assertThat(BatchValidator.validateReplicated(bytes, 0, Integer.MAX_VALUE)
                        .message())
                .contains("epoch -1");
        batch.assign(0, 4);
        assertThat(BatchValidator.validateReplicated(bytes, 0, 4)).matches(BatchValidation::isValid);
        assertThat(BatchValidator.validateProduced(bytes, bytes.remaining()).message())
                .contains("do not agree");
    }

    /** A batch that compaction emptied stays as a header, to keep the producer's sequence. */
    @Test
    void shouldReadTheEmptyBatchThatKafkasCleanerLeaves() {
        // given
        ByteBuffer bytes = ByteBuffer.allocate(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
        DefaultRecordBatch.writeEmptyHeader(
                bytes, (byte) 2, 7L, (short) 1, 40, 100, 109, 3, TimestampType.CREATE_TIME, 5_000, false, false);
        // when
        RecordBatch batch = RecordBatch.at(bytes.flip(), 0);
        // then
        assertThat(batch.records()).isEmpty();
        assertThat(batch.nextOffset()).isEqualTo(110);
        assertThat(BatchValidator.validateReplicated(bytes, 100, 3)).matches(BatchValidation::isValid);
        assertThat(BatchValidator.validateProduced(bytes, 1_000).isValid()).isFalse();
    }

    /** Starts a batch of Kafka's at offset 0. */
    private record KafkaBatches(Codec codec, TimestampType type) {
        MemoryRecordsBuilder at(long appendTimeMs) {
            return MemoryRecords.builder(ByteBuffer.allocate(512), (byte) 2, kafkaCodec(codec), type, 0L, appendTimeMs);
        }
    }

    private static ByteBuffer buildWithKafka(
            Codec codec, List<Sample> samples, ProducerStamp stamp, long baseOffset, int leaderEpoch) {
        MemoryRecordsBuilder builder = MemoryRecords.builder(
                ByteBuffer.allocate(1_024),
                (byte) 2,
                kafkaCodec(codec),
                TimestampType.CREATE_TIME,
                baseOffset,
                -1L,
                stamp.producerId(),
                stamp.producerEpoch(),
                stamp.baseSequence(),
                false,
                false,
                leaderEpoch);
        for (Sample sample : samples) {
            RecordHeader[] headers = sample.headers().stream()
                    .map(header -> new RecordHeader(header.key(), array(header.value())))
                    .toArray(RecordHeader[]::new);
            builder.append(sample.timestampMs(), array(sample.key()), array(sample.value()), headers);
        }
        return builder.build().buffer();
    }

    private static Compression kafkaCodec(Codec codec) {
        return Compression.of(CompressionType.forId(codec.id())).build();
    }

    private static DefaultRecordBatch onlyBatchOf(ByteBuffer bytes) {
        List<MutableRecordBatch> batches = new ArrayList<>();
        MemoryRecords.readableRecords(bytes.duplicate()).batches().forEach(batches::add);
        assertThat(batches).hasSize(1);
        return (DefaultRecordBatch) batches.get(0);
    }

    private static List<Sample> contentOf(DefaultRecordBatch batch) {
        List<Sample> samples = new ArrayList<>();
        for (Record record : batch) {
            assertThat(record.offset()).isEqualTo(samples.size());
            List<Header> headers = Arrays.stream(record.headers())
                    .map(header ->
                            new Header(header.key(), header.value() == null ? null : ByteBuffer.wrap(header.value())))
                    .toList();
            samples.add(new Sample(record.timestamp(), record.key(), record.value(), headers));
        }
        return samples;
    }

    private static long maxTimestampMs(List<Sample> samples) {
        return samples.stream().mapToLong(Sample::timestampMs).max().orElseThrow();
    }

    private static ProducerStamp stampOf(RecordBatch batch) {
        return new ProducerStamp(batch.producerId(), batch.producerEpoch(), batch.baseSequence());
    }

    private static byte @Nullable [] array(@Nullable ByteBuffer bytes) {
        return bytes == null ? null : Utils.toArray(bytes);
    }
}
