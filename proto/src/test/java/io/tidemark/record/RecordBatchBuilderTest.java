package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tidemark.record.RecordBatchBuilder.Outcome;
import io.tidemark.record.Samples.Sample;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RecordBatchBuilderTest {
    private static final long SEED = Long.getLong("tidemark.seed", 61);

    /** S1, S5, S7: the bytes of two records, field by field; the CRC was computed by a bitwise loop elsewhere. */
    @Test
    void shouldWriteTheGoldenBytes() {
        // given
        // Fails if: RecordBatchBuilder counts the overhead of offset and length into the length, or writes a null
        // value as an empty one
        String golden = "0000000000000000" // base offset 0
                + "0000004a" // length 74: the whole is 86
                + "ffffffff" // no leader epoch yet
                + "02" // magic
                + "f000725b" // CRC-32C of what follows
                + "0000" // attributes: no codec, create time
                + "00000001" // last offset delta
                + "00000000000003e8" // base timestamp 1000
                + "00000000000003ed" // max timestamp 1005
                + "0000000000000007" // producer id
                + "0002" // producer epoch
                + "00000009" // base sequence
                + "00000002" // record count
                // length 10, attributes, timestamp +0, offset +0, key "k" (1), value "val" (3), no headers
                + "14" + "00" + "00" + "00" + "02" + "6b" + "06" + "76616c" + "00"
                // length 13, attributes, timestamp +5, offset +1, empty key, null value, headers h=x and i=null
                + "1a" + "00" + "0a" + "02" + "00" + "01" + "04" + "02" + "68" + "02" + "78" + "02" + "69" + "01";
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1_000, 1_000);
        // when
        builder.tryAppend(1_000, Samples.bytes("k"), Samples.bytes("val"), List.of());
        builder.tryAppend(
                1_005, Samples.bytes(""), null, List.of(new Header("h", Samples.bytes("x")), new Header("i", null)));
        ByteBuffer batch = builder.build(new ProducerStamp(7, (short) 2, 9));
        // then
        assertThat(Samples.hex(batch)).isEqualTo(golden);
    }

    @Test
    void shouldTakeRecordsUpToTheTargetAndNoneBeyond() {
        // given
        ByteBuffer value = ByteBuffer.allocate(100);
        int recordBytes = 100 + 2 + 2 + 5; // value, two-byte lengths of record and value, five one-byte fields
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 61 + 2 * recordBytes, 10_000);
        // then
        assertThat(builder.isEmpty()).isTrue();
        assertThat(builder.sizeBytes()).isEqualTo(61);
        assertThat(builder.tryAppend(1, null, value, List.of())).isEqualTo(Outcome.APPENDED);
        assertThat(builder.tryAppend(1, null, value, List.of())).isEqualTo(Outcome.APPENDED);
        assertThat(builder.tryAppend(1, null, null, List.of())).isEqualTo(Outcome.FULL);
        assertThat(builder.recordCount()).isEqualTo(2);
        assertThat(builder.sizeBytes()).isEqualTo(61 + 2 * recordBytes);
        assertThat(builder.build(ProducerStamp.NONE).remaining()).isEqualTo(61 + 2 * recordBytes);
    }

    @Test
    void shouldAlwaysTakeAFirstRecordUnderTheMaximum() {
        // given
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 0, 61 + 8 + 100);
        // then
        assertThat(builder.tryAppend(1, null, ByteBuffer.allocate(101), List.of()))
                .isEqualTo(Outcome.TOO_LARGE);
        assertThat(builder.tryAppend(1, null, ByteBuffer.allocate(99), List.of()))
                .isEqualTo(Outcome.APPENDED);
        assertThat(builder.tryAppend(1, null, null, List.of())).isEqualTo(Outcome.FULL);
        assertThat(builder.tryAppend(1, null, ByteBuffer.allocate(101), List.of()))
                .isEqualTo(Outcome.TOO_LARGE);
        assertThat(builder.recordCount()).isEqualTo(1);
    }

    @Test
    void shouldNeverOverflowOnHugeRecords() {
        // given
        ByteBuffer huge = ByteBuffer.allocate(200 * 1024 * 1024);
        RecordBatchBuilder builder =
                new RecordBatchBuilder(Codec.NONE, Integer.MAX_VALUE, RecordBatchBuilder.MAX_BATCH_BYTES);
        List<Header> headers =
                List.of(new Header("a", huge), new Header("b", huge), new Header("c", huge), new Header("d", huge));
        // then: the sum of the parts is beyond 32 bits
        assertThat(RecordBatchBuilder.sizeBytesUpperBound(huge, huge, headers)).isGreaterThan(1_200L * 1024 * 1024);
        assertThat(RecordBatchBuilder.sizeBytesUpperBound(huge, huge, Collections.nCopies(11, headers.get(0))))
                .isGreaterThan(Integer.MAX_VALUE);
        assertThat(builder.tryAppend(1, huge, huge, headers)).isEqualTo(Outcome.TOO_LARGE);
        assertThat(builder.isEmpty()).isTrue();
    }

    @Test
    void shouldBoundTheSizeOfEveryRecordFromAbove() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (Sample sample : Samples.random(random)) {
            long bound = RecordBatchBuilder.sizeBytesUpperBound(sample.key(), sample.value(), sample.headers());
            long exact = Samples.build(Codec.NONE, List.of(sample)).remaining();
            assertThat(exact).as("seed %d", SEED).isBetween(bound - 21, bound);
        }
    }

    @Test
    void shouldLeaveTheCallersBuffersAsTheyAre() {
        // given
        ByteBuffer key = ByteBuffer.wrap(new byte[] {9, 1, 2, 9}).position(1).limit(3);
        ByteBuffer value = ByteBuffer.allocateDirect(3)
                .put(0, (byte) 7)
                .position(0)
                .limit(1)
                .asReadOnlyBuffer();
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1_000, 1_000);
        // when
        builder.tryAppend(1, key, value, List.of(new Header("h", key)));
        LogRecord record = RecordBatch.at(builder.build(ProducerStamp.NONE), 0)
                .records()
                .iterator()
                .next();
        // then
        assertThat(key).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
        assertThat(key.position()).isEqualTo(1);
        assertThat(value.remaining()).isEqualTo(1);
        assertThat(record.key()).isEqualTo(key);
        assertThat(record.value()).isEqualTo(value);
        assertThat(record.headers()).containsExactly(new Header("h", key));
    }

    @Test
    void shouldKeepAGivenBaseTimestamp() {
        // given
        RecordBatchBuilder builder = RecordBatchBuilder.withBaseTimestamp(Codec.NONE, 1_000, 1_000, 5_000);
        // when
        builder.tryAppend(4_000, null, null, List.of());
        builder.tryAppend(6_000, null, null, List.of());
        RecordBatch batch = RecordBatch.at(builder.build(ProducerStamp.NONE), 0);
        // then
        assertThat(batch.baseTimestampMs()).isEqualTo(5_000);
        assertThat(batch.maxTimestampMs()).isEqualTo(6_000);
        assertThat(batch.records()).extracting(LogRecord::timestampMs).containsExactly(4_000L, 6_000L);
    }

    /** Noise does not shrink, and a batch must not exceed its maximum because it was compressed. */
    @ParameterizedTest
    @EnumSource
    void shouldStayUnderTheMaximumWithIncompressibleRecords(Codec codec) {
        // given
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] noise = new byte[100_000];
        random.nextBytes(noise);
        int maxBytes =
                Math.toIntExact(RecordBatchBuilder.sizeBytesUpperBound(null, ByteBuffer.wrap(noise), List.of()) - 15);
        RecordBatchBuilder builder = new RecordBatchBuilder(codec, maxBytes, maxBytes);
        // when
        assertThat(builder.tryAppend(1, null, ByteBuffer.wrap(noise), List.of()))
                .isEqualTo(Outcome.APPENDED);
        ByteBuffer batch = builder.build(ProducerStamp.NONE);
        // then
        assertThat(batch.remaining()).as("seed %d", SEED).isLessThanOrEqualTo(maxBytes);
        assertThat(RecordBatch.at(batch, 0).codec()).as("seed %d", SEED).isEqualTo(Codec.NONE);
        assertThat(BatchValidator.validateProduced(batch, maxBytes).message()).isEmpty();
    }

    /** KAFKA-7692: 21 records from sequence 2147483637 end at 9; the stamp can be set again. */
    @Test
    void shouldWrapSequencesAndTakeANewStamp() {
        // given
        ByteBuffer bytes = Samples.build(Codec.NONE, Samples.many(21), new ProducerStamp(1, (short) 0, 2_147_483_637));
        RecordBatch batch = RecordBatch.at(bytes, 0);
        // then
        assertThat(batch.lastSequence()).isEqualTo(9);
        // when
        batch.stamp(new ProducerStamp(2, (short) 1, 0));
        // then
        assertThat(batch.isCrcValid()).isTrue();
        assertThat(batch.producerId()).isEqualTo(2);
        assertThat(batch.lastSequence()).isEqualTo(20);
        // when
        batch.stamp(ProducerStamp.NONE);
        // then
        assertThat(batch.hasProducerId()).isFalse();
        assertThat(batch.lastSequence()).isEqualTo(-1);
    }

    @Test
    void shouldRefuseMisuse() {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 100, 100);
        assertThatIllegalStateException().isThrownBy(() -> builder.build(ProducerStamp.NONE));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.tryAppend(-2, null, null, List.of()));
        builder.tryAppend(-1, null, null, List.of());
        builder.build(ProducerStamp.NONE);
        assertThatIllegalStateException().isThrownBy(() -> builder.build(ProducerStamp.NONE));
        assertThatIllegalStateException().isThrownBy(() -> builder.tryAppend(1, null, null, List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new RecordBatchBuilder(Codec.NONE, 10, 60));
        assertThatIllegalArgumentException().isThrownBy(() -> new RecordBatchBuilder(Codec.NONE, -1, 100));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RecordBatchBuilder(Codec.NONE, 10, RecordBatchBuilder.MAX_BATCH_BYTES + 1));
    }

    @Test
    void shouldSizeHeaderKeysAsTheyAreEncoded() {
        for (String text :
                List.of("", "plain", "é", "値", "🌊", "\uD83C", "\uDF0A\uD83C", "a\uD83Cb", "\uD83C\uD83C\uDF0A")) {
            assertThat(Utf8.sizeBytes(text)).as(text).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        }
    }
}
