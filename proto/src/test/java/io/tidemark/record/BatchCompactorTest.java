package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class BatchCompactorTest {
    private static final long HORIZON_MS = 1_900_000_000_000L;

    private static RecordBatch stored(Codec codec) {
        RecordBatchBuilder builder = new RecordBatchBuilder(codec, 1 << 20, 1 << 20);
        for (int i = 0; i < 10; i++) {
            ByteBuffer value = i % 3 == 0 ? null : bytes("value " + i);
            builder.tryAppend(
                    1_700_000_000_000L + i, bytes("key " + i), value, List.of(new Header("h", bytes("" + i))));
        }
        RecordBatch batch = RecordBatch.at(builder.build(new ProducerStamp(7, (short) 3, 40)), 0);
        batch.assign(1_000, 5);
        return batch;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<LogRecord> some(RecordBatch batch, int first, int last) {
        List<LogRecord> records = new ArrayList<>();
        for (LogRecord record : batch.records()) {
            if (record.offset() >= first && record.offset() <= last) {
                records.add(record);
            }
        }
        return records;
    }

    // S17: no offset moves, nor anything that others remember the batch by
    // Fails if: BatchCompactor.put takes the number of the record for its offset delta.
    @ParameterizedTest
    @EnumSource
    void shouldKeepOffsetsAndStamps(Codec codec) {
        // given
        RecordBatch source = stored(codec);
        List<LogRecord> kept = some(source, 1_004, 1_006);

        // when
        ByteBuffer bytes = BatchCompactor.retain(source, kept, OptionalLong.empty());
        RecordBatch batch = RecordBatch.at(bytes, 0);

        // then
        assertThat(batch.sizeBytes()).isEqualTo(bytes.remaining());
        assertThat(batch.baseOffset()).isEqualTo(1_000);
        assertThat(batch.lastOffset()).isEqualTo(1_009);
        assertThat(batch.partitionLeaderEpoch()).isEqualTo(5);
        assertThat(batch.producerId()).isEqualTo(7);
        assertThat(batch.producerEpoch()).isEqualTo((short) 3);
        assertThat(batch.lastSequence()).isEqualTo(49);
        assertThat(batch.codec()).isEqualTo(codec);
        assertThat(batch.recordCount()).isEqualTo(3);
        assertThat(batch.maxTimestampMs()).isEqualTo(1_700_000_000_006L);
        assertThat(batch.deleteHorizonMs()).isEmpty();
        assertThat(batch.records()).containsExactlyElementsOf(kept);
        assertThat(BatchValidator.validateReplicated(bytes, 0, 5).isValid()).isTrue();
    }

    // KAFKA-8522: the horizon takes the place of the base timestamp, timestamps stay
    // Fails if: BatchCompactor.retain writes deltas from the old base timestamp.
    @ParameterizedTest
    @EnumSource
    void shouldWriteTheDeleteHorizon(Codec codec) {
        // given
        RecordBatch source = stored(codec);
        List<LogRecord> kept = some(source, 1_003, 1_004);

        // when
        RecordBatch batch = RecordBatch.at(BatchCompactor.retain(source, kept, OptionalLong.of(HORIZON_MS)), 0);
        RecordBatch again =
                RecordBatch.at(BatchCompactor.retain(batch, some(batch, 1_004, 1_004), OptionalLong.empty()), 0);

        // then
        assertThat(batch.deleteHorizonMs()).hasValue(HORIZON_MS);
        assertThat(batch.isCrcValid()).isTrue();
        assertThat(batch.records()).containsExactlyElementsOf(kept);
        assertThat(again.deleteHorizonMs()).isEmpty();
        assertThat(again.records()).containsExactly(kept.get(1));
    }

    // DESIGN 3: magic 2 allows a batch without records
    // Fails if: BatchCompactor.empty keeps the codec or the record count.
    @ParameterizedTest
    @EnumSource
    void shouldKeepTheHeaderOfAnEmptiedBatch(Codec codec) {
        // when
        ByteBuffer bytes = BatchCompactor.empty(stored(codec));
        RecordBatch batch = RecordBatch.at(bytes, 0);

        // then
        assertThat(bytes.remaining()).isEqualTo(RecordBatch.HEADER_BYTES);
        assertThat(batch.records()).isEmpty();
        assertThat(batch.lastOffset()).isEqualTo(1_009);
        assertThat(batch.lastSequence()).isEqualTo(49);
        assertThat(batch.maxTimestampMs()).isEqualTo(1_700_000_000_009L);
        assertThat(BatchValidator.validateReplicated(bytes, 0, 5).isValid()).isTrue();
    }

    // Scenario 20: records without a key are refused where the topic is compacted
    // Fails if: BatchValidator.recordsProblem ignores the rule for keys.
    @ParameterizedTest
    @EnumSource
    void shouldRefuseARecordWithoutAKeyWhereKeysAreRequired(Codec codec) {
        // given
        RecordBatchBuilder builder = new RecordBatchBuilder(codec, 1 << 20, 1 << 20);
        builder.tryAppend(1, bytes("k"), bytes("v"), List.of());
        builder.tryAppend(1, bytes(""), bytes("an empty key is one"), List.of());
        builder.tryAppend(1, null, bytes("v"), List.of());
        ByteBuffer batch = builder.build(ProducerStamp.NONE);

        // when
        BatchValidation required = BatchValidator.validateProduced(
                batch,
                new ProducedLimits(
                        1 << 20, ProducedLimits.ANY_TIMESTAMP, ProducedLimits.Keys.REQUIRED, DecodeLimits.DEFAULT));

        // then
        assertThat(required.error()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(required.message()).contains("record 2 has no key");
        assertThat(BatchValidator.validateProduced(batch, 1 << 20).isValid()).isTrue();
    }

    // KAFKA-8522: the bit is the broker's
    // Fails if: RESERVED_BITS leaves out the horizon bit.
    @Test
    void shouldRefuseAProducedBatchWithADeleteHorizon() {
        // given
        RecordBatch source = stored(Codec.NONE);
        ByteBuffer batch = BatchCompactor.retain(source, some(source, 1_000, 1_009), OptionalLong.of(HORIZON_MS));

        // then
        assertThat(BatchValidator.validateProduced(batch, 1 << 20).error()).isEqualTo(ErrorCode.INVALID_RECORD);
    }
}
