package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ErrorCode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BatchValidatorTest {
    private static final int MAX_BYTES = 1_000_000;

    /** Three records behind headers that lie about them, with the right checksum. */
    static Stream<Arguments> lyingHeaders() {
        int[][] lies = {{0, 3}, {15, 3}, {-3, 3}, {2, -3}, {2, 6}, {2, 0}, {-3, -2}, {5, 6}, {1, 2}};
        return Arrays.stream(Codec.values())
                .flatMap(codec -> Arrays.stream(lies).map(lie -> Arguments.of(codec, lie[0], lie[1])));
    }

    @ParameterizedTest
    @MethodSource("lyingHeaders")
    void shouldRefuseBatchWhoseHeaderLies(Codec codec, int lastOffsetDelta, int count) {
        // given
        // KAFKA-6554
        // Fails if: BatchValidator does not compare last offset delta and count
        ByteBuffer batch = Samples.build(codec, Samples.many(3));
        batch.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, lastOffsetDelta);
        batch.putInt(RecordBatch.RECORD_COUNT_AT, count);
        // when
        BatchValidation validation = BatchValidator.validateProduced(RawBatch.seal(batch), MAX_BYTES);
        // then
        assertThat(validation.error()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(validation.message()).isNotEmpty();
        assertThat(validation.batchCount()).isZero();
        assertThat(validation.sizeBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void shouldAcceptTheHonestHeader(Codec codec) {
        // given
        ByteBuffer batch = Samples.build(codec, Samples.many(3));
        batch.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, 2);
        batch.putInt(RecordBatch.RECORD_COUNT_AT, 3);
        // then
        assertThat(BatchValidator.validateProduced(RawBatch.seal(batch), MAX_BYTES))
                .isEqualTo(new BatchValidation(ErrorCode.NONE, "", 1, batch.remaining(), 3));
    }

    /** KAFKA-14991, redpanda-data/redpanda#9820. */
    // Fails if: BatchValidator.timestampFault compares with < instead of <=
    @ParameterizedTest
    @EnumSource
    void shouldRefuseARecordOfTheFuture(Codec codec) {
        // given: the second of three is the latest
        ByteBuffer batch = Samples.build(
                codec,
                List.of(
                        Samples.sample(1_000, "k", "a"),
                        Samples.sample(5_000, "k", "b"),
                        Samples.sample(2_000, "k", "c")));

        // when
        BatchValidation inTime = BatchValidator.validateProduced(batch, limits(5_000));
        BatchValidation late = BatchValidator.validateProduced(batch, limits(4_999));

        // then
        assertThat(inTime).matches(BatchValidation::isValid);
        assertThat(late.error()).isEqualTo(ErrorCode.INVALID_TIMESTAMP);
        assertThat(late.message()).contains("5000").contains("4999").contains("message.timestamp.after.max.ms");
        assertThat(late.batchCount()).isZero();
    }

    private static ProducedLimits limits(long maxTimestampMs) {
        return new ProducedLimits(MAX_BYTES, maxTimestampMs, ProducedLimits.Keys.OPTIONAL, DecodeLimits.DEFAULT);
    }

    /** KAFKA-14991: with append time the producer's stamp has no influence. */
    // Fails if: RecordBatch.stampAppendTime does not compute the CRC again, or does not set the bit
    @ParameterizedTest
    @EnumSource
    void shouldGiveAllRecordsTheTimeOfTheirAppend(Codec codec) {
        // given
        ByteBuffer bytes = Samples.build(codec, Samples.many(3));
        RecordBatch batch = RecordBatch.at(bytes, bytes.position());

        // when
        batch.stampAppendTime(77);

        // then
        assertThat(batch.isCrcValid()).isTrue();
        assertThat(batch.hasAppendTime()).isTrue();
        assertThat(batch.codec()).isEqualTo(codec);
        assertThat(batch.maxTimestampMs()).isEqualTo(77);
        assertThat(batch.records()).hasSize(3).allMatch(record -> record.timestampMs() == 77);
    }

    @Test
    void shouldCountSeveralBatchesAndStopAtTheFirstBadOne() {
        // given
        ByteBuffer good = Samples.build(Codec.ZSTD, Samples.many(10));
        ByteBuffer bytes = ByteBuffer.allocate(7 + 3 * good.limit());
        bytes.position(7);
        bytes.put(good.duplicate()).put(good.duplicate()).put(good.duplicate()).position(7);
        // then
        assertThat(BatchValidator.validateProduced(bytes, MAX_BYTES))
                .isEqualTo(new BatchValidation(ErrorCode.NONE, "", 3, 3 * good.limit(), 30));
        assertThat(bytes.position()).isEqualTo(7);
        // when
        bytes.put(7 + 3 * good.limit() - 1, (byte) (bytes.get(7 + 3 * good.limit() - 1) + 1));
        BatchValidation validation = BatchValidator.validateProduced(bytes, MAX_BYTES);
        // then
        assertThat(validation.error()).isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        assertThat(validation.batchCount()).isEqualTo(2);
        assertThat(validation.sizeBytes()).isEqualTo(2 * good.limit());
        assertThat(validation.recordCount()).isEqualTo(20);
    }

    /** S5: a flipped bit anywhere behind the CRC is detected. */
    @Test
    void shouldDetectEveryFlippedBitBehindTheChecksum() {
        // Fails if: the CRC begins behind the attributes
        ByteBuffer batch = Samples.build(Codec.NONE, Samples.everyShape());
        for (int bit = RecordBatch.CRC_AT * 8; bit < batch.limit() * 8; bit++) {
            byte before = batch.get(bit / 8);
            batch.put(bit / 8, (byte) (before ^ (1 << bit % 8)));
            assertThat(BatchValidator.validateProduced(batch, MAX_BYTES).error())
                    .as("bit %d", bit)
                    .isEqualTo(ErrorCode.CORRUPT_MESSAGE);
            batch.put(bit / 8, before);
        }
        assertThat(BatchValidator.validateProduced(batch, MAX_BYTES)).matches(BatchValidation::isValid);
    }

    @Test
    void shouldRefuseEveryPartOfABatch() {
        ByteBuffer batch = Samples.build(Codec.NONE, Samples.many(2));
        for (int size = 1; size < batch.limit(); size++) {
            assertThat(BatchValidator.validateProduced(batch.slice(0, size), MAX_BYTES)
                            .error())
                    .isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        }
        assertThat(BatchValidator.validateProduced(batch.slice(0, 0), MAX_BYTES).error())
                .isEqualTo(ErrorCode.INVALID_RECORD);
    }

    /** S6: the old formats are refused with an error that names them. */
    @ParameterizedTest
    @ValueSource(bytes = {0, 1})
    void shouldNameAnOldFormat(byte magic) {
        // Fails if: BatchValidator does not look at the magic of what is no batch
        ByteBuffer old =
                ByteBuffer.allocate(40).putInt(RecordBatch.LENGTH_AT, 28).put(RecordBatch.MAGIC_AT, magic);
        BatchValidation validation = BatchValidator.validateProduced(old, MAX_BYTES);
        assertThat(validation.error()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(validation.message()).isEqualTo("message format " + magic + " is not supported, only 2 is");
    }

    @Test
    void shouldRefuseAFutureMagicAndBadLengths() {
        assertThat(produced(batch -> batch.put(RecordBatch.MAGIC_AT, (byte) 3)).error())
                .isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 48, Integer.MAX_VALUE}) {
            assertThat(produced(batch -> batch.putInt(RecordBatch.LENGTH_AT, length))
                            .error())
                    .isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        }
    }

    @Test
    void shouldRefuseABatchAboveTheMaximumOnly() {
        ByteBuffer batch = Samples.build(Codec.NONE, Samples.many(3));
        assertThat(BatchValidator.validateProduced(batch, batch.limit())).matches(BatchValidation::isValid);
        BatchValidation validation = BatchValidator.validateProduced(batch, batch.limit() - 1);
        assertThat(validation.error()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        assertThat(validation.message()).contains(String.valueOf(batch.limit()));
    }

    /** Codecs 5 to 7, append time, transactional, control, reserved bits. */
    @ParameterizedTest
    @CsvSource({
        "5, codec 5",
        "7, codec 7",
        "8, append time",
        "16, transactional",
        "32, control",
        "48, transactional",
        "64, reserved",
        "-32768, reserved"
    })
    void shouldRefuseAttributesThatAreNotAClients(short attributes, String why) {
        BatchValidation validation = produced(batch -> batch.putShort(RecordBatch.ATTRIBUTES_AT, attributes));
        assertThat(validation.error()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(validation.message()).contains(why);
    }

    @ParameterizedTest
    @CsvSource({"-1, -1, 0", "-1, 0, -1", "5, -1, -1", "5, 0, -1", "5, -1, 0", "-2, -1, -1", "0, 0, -2147483648"})
    void shouldRefuseHalfAProducerStamp(long producerId, short epoch, int sequence) {
        BatchValidation validation = produced(batch -> batch.putLong(RecordBatch.PRODUCER_ID_AT, producerId)
                .putShort(RecordBatch.PRODUCER_EPOCH_AT, epoch)
                .putInt(RecordBatch.BASE_SEQUENCE_AT, sequence));
        assertThat(validation.error()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(validation.message()).contains("all -1 or all at least 0");
    }

    @Test
    void shouldRefuseTimestampsThatDoNotAddUp() {
        assertThat(produced(batch -> batch.putLong(RecordBatch.MAX_TIMESTAMP_AT, 1_001))
                        .message())
                .contains("largest timestamp is 1001, it is 1002");
        assertThat(produced(batch -> batch.putLong(RecordBatch.MAX_TIMESTAMP_AT, Long.MAX_VALUE))
                        .message())
                .contains("largest timestamp");
        assertThat(produced(batch -> batch.putLong(RecordBatch.BASE_TIMESTAMP_AT, -2))
                        .message())
                .contains("negative: -2");
        assertThat(produced(batch -> batch.putLong(RecordBatch.BASE_TIMESTAMP_AT, Long.MAX_VALUE))
                        .message())
                .contains("beyond 64 bits");
    }

    @Test
    void shouldWalkUncompressedRecordsWithoutAllocating() {
        // given
        ByteBuffer small = Samples.build(Codec.NONE, Samples.many(1));
        ByteBuffer large = Samples.build(Codec.NONE, Samples.many(10_000));
        BatchValidator.validateProduced(large, MAX_BYTES);
        // when
        long start = Allocations.ofThisThreadBytes();
        BatchValidator.validateProduced(small, MAX_BYTES);
        long smallBytes = Allocations.ofThisThreadBytes() - start;
        start = Allocations.ofThisThreadBytes();
        BatchValidator.validateProduced(large, MAX_BYTES);
        long largeBytes = Allocations.ofThisThreadBytes() - start;
        // then
        assertThat(largeBytes).isLessThan(smallBytes + 2_000);
    }

    @Test
    void shouldIgnoreOffsetAndEpochThatAClientWrote() {
        ByteBuffer batch = Samples.build(Codec.NONE, Samples.many(3));
        RecordBatch.at(batch, 0).assign(Long.MAX_VALUE, Integer.MIN_VALUE);
        assertThat(BatchValidator.validateProduced(batch, MAX_BYTES)).matches(BatchValidation::isValid);
    }

    @Test
    void shouldAcceptReplicatedBatchesWithRisingOffsets() {
        ByteBuffer bytes = replicated(100, 4, 105, 5, 200, 5);
        assertThat(BatchValidator.validateReplicated(bytes, 100, 5))
                .isEqualTo(new BatchValidation(ErrorCode.NONE, "", 3, bytes.limit(), 9));
        assertThat(BatchValidator.validateReplicated(bytes, 7, 6)).matches(BatchValidation::isValid);
        assertThat(BatchValidator.validateReplicated(bytes.slice(0, 0), 0, 0)).matches(BatchValidation::isValid);
    }

    private record Refused(String why, int goodBatches, long minOffset, List<Long> basesAndEpochs) {
        Refused(String why, int goodBatches, long minOffset, long... basesAndEpochs) {
            this(
                    why,
                    goodBatches,
                    minOffset,
                    Arrays.stream(basesAndEpochs).boxed().toList());
        }
    }

    static Stream<Refused> refusedReplicas() {
        return Stream.of(
                new Refused("base offset 100 is below 101", 0, 101, 100, 4, 105, 5),
                new Refused("base offset 102 is below 103", 1, 0, 100, 4, 102, 5),
                new Refused("base offset 50 is below 103", 1, 0, 100, 4, 50, 5),
                new Refused("base offset -5 is below 0", 0, 0, -5, 4),
                new Refused("leader epoch 6", 1, 0, 100, 4, 105, 6),
                new Refused("leader epoch -1", 0, 0, 100, -1),
                new Refused("too large", 1, 0, 100, 4, Long.MAX_VALUE - 2, 5));
    }

    @ParameterizedTest
    @MethodSource("refusedReplicas")
    void shouldRefuseReplicatedBatches(Refused refused) {
        // given
        ByteBuffer bytes = replicated(
                refused.basesAndEpochs().stream().mapToLong(Long::longValue).toArray());
        // when
        BatchValidation validation = BatchValidator.validateReplicated(bytes, refused.minOffset(), 5);
        // then
        assertThat(validation.error()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(validation.message()).contains(refused.why());
        assertThat(validation.batchCount()).isEqualTo(refused.goodBatches());
    }

    @Test
    void shouldRefuseReplicatedBatchesWithBadHeadersOrBytes() {
        assertThat(changedReplica(batch -> batch.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, -1))
                        .message())
                .contains("do not agree");
        assertThat(changedReplica(batch -> batch.putInt(RecordBatch.RECORD_COUNT_AT, -1))
                        .message())
                .contains("do not agree");
        assertThat(changedReplica(batch -> batch.putInt(RecordBatch.RECORD_COUNT_AT, 4))
                        .message())
                .contains("do not agree");
        assertThat(changedReplica(batch -> batch.putShort(RecordBatch.ATTRIBUTES_AT, (short) 5))
                        .message())
                .contains("codec 5");
        assertThat(changedReplica(batch -> batch.putInt(RecordBatch.RECORD_COUNT_AT, 2))
                        .message())
                .isEmpty();
        ByteBuffer damaged = replicated(0, 0);
        damaged.put(70, (byte) ~damaged.get(70));
        assertThat(BatchValidator.validateReplicated(damaged, 0, 0).error()).isEqualTo(ErrorCode.CORRUPT_MESSAGE);
    }

    private static BatchValidation changedReplica(Consumer<ByteBuffer> change) {
        ByteBuffer batch = replicated(0, 0);
        change.accept(batch);
        return BatchValidator.validateReplicated(RawBatch.seal(batch), 0, 0);
    }

    /** What recovery asks: where does the good part of a file end? */
    @Test
    void shouldTellWhereATornFileIsGood() {
        // given
        ByteBuffer bytes = replicated(0, 0, 3, 0, 6, 1);
        int batchBytes = bytes.limit() / 3;
        for (int size = 0; size <= bytes.limit(); size++) {
            // when
            BatchValidation validation = BatchValidator.validateReplicated(bytes.slice(0, size), 0, 1);
            // then
            assertThat(validation.sizeBytes()).isEqualTo(size / batchBytes * batchBytes);
            assertThat(validation.isValid()).isEqualTo(size % batchBytes == 0);
        }
    }

    private static ByteBuffer replicated(long... basesAndEpochs) {
        ByteBuffer one = Samples.build(Codec.NONE, Samples.many(3));
        ByteBuffer all = ByteBuffer.allocate(one.limit() * basesAndEpochs.length / 2);
        for (int i = 0; i < basesAndEpochs.length; i += 2) {
            RecordBatch.at(one, 0).assign(basesAndEpochs[i], (int) basesAndEpochs[i + 1]);
            all.put(one.duplicate());
        }
        return all.flip();
    }

    private static BatchValidation produced(Consumer<ByteBuffer> change) {
        ByteBuffer batch = Samples.build(Codec.NONE, Samples.many(3));
        change.accept(batch);
        return BatchValidator.validateProduced(RawBatch.seal(batch), MAX_BYTES);
    }
}
