package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class RecordIteratorTest {
    private static final byte[] FIRST = RawBatch.record(0, 0, -1, -1, 0);
    private static final byte[] SECOND = RawBatch.record(0, 1, -1, -1, 0);

    private record Bad(String why, int count, String recordsHex) {
        Bad(String why, int count, byte[] records) {
            this(why, count, HexFormat.of().formatHex(records));
        }
    }

    private static final List<Bad> BAD = List.of(
            new Bad("the bytes end inside a varint", 1, new byte[0]),
            new Bad("the bytes end inside a varint", 2, FIRST),
            new Bad("bytes follow the last of 1 records", 1, RawBatch.concat(FIRST, SECOND)),
            new Bad("bytes follow the last of 0 records", 0, FIRST),
            new Bad("must be above 0", 2, RawBatch.concat(FIRST, FIRST)),
            new Bad("must be above 1", 2, RawBatch.concat(SECOND, FIRST)),
            new Bad("offset delta 1 must be above -1 and at most the batch's last, 0", 1, SECOND),
            new Bad("must be above -1", 1, RawBatch.record(0, -1, -1, -1, 0)),
            new Bad("key length -2 is negative", 1, RawBatch.record(0, 0, -2, -1, 0)),
            new Bad("key length 100 exceeds", 1, RawBatch.record(0, 0, 100, -1, 0)),
            new Bad("value length 2147483647 exceeds", 1, RawBatch.record(0, 0, -1, Integer.MAX_VALUE, 0)),
            new Bad("longer than 32 bits", 1, RawBatch.record(0, 0, Long.MAX_VALUE, -1, 0)),
            new Bad("-1 headers do not fit", 1, RawBatch.record(0, 0, -1, -1, -1)),
            new Bad("2147483647 headers do not fit", 1, RawBatch.record(0, 0, -1, -1, Integer.MAX_VALUE)),
            new Bad("header key length -1 is negative", 1, RawBatch.record(0, 0, -1, -1, 1, -1, -1)),
            new Bad("header key length 9 exceeds", 1, RawBatch.record(0, 0, -1, -1, 1, 9, -1)),
            new Bad("header value length 5 exceeds", 1, RawBatch.record(0, 0, -1, -1, 1, 0, 5)),
            new Bad("its fields end -1 bytes behind", 1, RawBatch.record(0, 0, -1, -1, 0, 0)),
            new Bad("length -1 is not from 0", 1, RawBatch.withLength(-1, ByteBuffer.wrap(new byte[6]))),
            new Bad("length 0 is too small", 1, RawBatch.withLength(0, zerosWithNulls())),
            new Bad("its fields end -94 bytes behind", 1, RawBatch.withLength(100, zerosWithNulls())));

    private static ByteBuffer zerosWithNulls() {
        return ByteBuffer.wrap(new byte[] {0, 0, 0, 1, 1, 0});
    }

    static Stream<Arguments> everyBadBatch() {
        return Arrays.stream(Codec.values()).flatMap(codec -> BAD.stream().map(bad -> Arguments.of(codec, bad)));
    }

    @ParameterizedTest
    @MethodSource("everyBadBatch")
    void shouldSayWhatIsWrongAndThenEnd(Codec codec, Bad bad) {
        // given
        RecordBatch batch =
                RecordBatch.at(RawBatch.of(codec, bad.count(), HexFormat.of().parseHex(bad.recordsHex())), 0);
        List<LogRecord> good = new ArrayList<>();
        // then
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(() -> batch.records().forEach(good::add))
                .withMessageContaining(bad.why());
        assertThat(good).hasSizeLessThanOrEqualTo(1);
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(() -> batch.visitKeys((key, offset) -> true))
                .withMessageContaining(bad.why());
        assertThat(BatchValidator.validateProduced(batch.bytes(), 10_000).isValid())
                .isFalse();
    }

    @Test
    void shouldGiveNothingAfterAnError() {
        // given
        Iterator<LogRecord> records = RecordBatch.at(RawBatch.of(Codec.NONE, 3, RawBatch.concat(FIRST, FIRST)), 0)
                .records()
                .iterator();
        records.next();
        // then
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(records::next)
                .withMessageContaining("record 1 of batch 0..2");
        assertThat(records.hasNext()).isFalse();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(records::next);
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveReadOnlyBuffersThatStayWhileTheIterationGoesOn(Codec codec) {
        // given
        ByteBuffer bytes = Samples.build(codec, Samples.many(5_000));
        // when
        List<LogRecord> records = new ArrayList<>();
        RecordBatch.at(bytes, 0).records().forEach(records::add);
        // then
        for (int i = 0; i < records.size(); i++) {
            ByteBuffer value = records.get(i).value();
            assertThat(value).isEqualTo(Samples.bytes("value number " + i)).matches(ByteBuffer::isReadOnly);
        }
    }

    // Fails if: RecordBatch.visitKeys shows keys in a window that is overwritten, or another record's offset
    @ParameterizedTest
    @EnumSource
    void shouldShowTheKeysOfAllRecords(Codec codec) {
        // given
        RecordBatch batch = RecordBatch.at(Samples.build(codec, Samples.many(5_000)), 0);
        List<ByteBuffer> keys = new ArrayList<>();
        List<Long> offsets = new ArrayList<>();

        // when
        boolean all = batch.visitKeys((key, offset) -> {
            keys.add(key);
            offsets.add(offset);
            return true;
        });

        // then
        List<LogRecord> records = new ArrayList<>();
        batch.records().forEach(records::add);
        assertThat(all).isTrue();
        assertThat(keys).isEqualTo(records.stream().map(LogRecord::key).toList());
        assertThat(offsets).isEqualTo(records.stream().map(LogRecord::offset).toList());
        assertThat(batch.visitKeys((key, offset) -> offset < 7)).isFalse();
    }

    @Test
    void shouldViewUncompressedBytesWithoutCopying() {
        // given
        ByteBuffer bytes = Samples.build(Codec.NONE, List.of(Samples.sample(1, "key", "value")));
        LogRecord record = RecordBatch.at(bytes, 0).records().iterator().next();
        // when
        int at =
                StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString().indexOf("value");
        bytes.put(at, (byte) 'V');
        // then
        assertThat(record.value()).isEqualTo(Samples.bytes("Value"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadFromDirectBuffersAnywhereInThem(Codec codec) {
        // given
        ByteBuffer bytes = Samples.build(codec, Samples.everyShape());
        ByteBuffer direct = ByteBuffer.allocateDirect(100 + bytes.remaining() + 9);
        direct.put(100, bytes, 0, bytes.remaining());
        // then
        assertThat(Samples.read(RecordBatch.at(direct, 100), 0)).isEqualTo(Samples.everyShape());
        assertThat(RecordBatch.at(direct, 100).isCrcValid()).isTrue();
    }

    @Test
    void shouldRefuseATimestampBeyondSixtyFourBits() {
        ByteBuffer bytes = RawBatch.of(Codec.NONE, 1, RawBatch.record(1, 0, -1, -1, 0));
        bytes.putLong(RecordBatch.BASE_TIMESTAMP_AT, Long.MAX_VALUE);
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(() -> RecordBatch.at(bytes, 0).records().iterator().next())
                .withMessageContaining("beyond 64 bits");
    }

    @Test
    void shouldRefuseANegativeCountAndAnUnknownCodec() {
        ByteBuffer negative = RawBatch.of(Codec.NONE, -1, new byte[0]);
        ByteBuffer unknown = RawBatch.of(Codec.NONE, 1, FIRST).putShort(RecordBatch.ATTRIBUTES_AT, (short) 6);
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(() -> RecordBatch.at(negative, 0).records().iterator())
                .withMessageContaining("record count");
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(() -> RecordBatch.at(unknown, 0).records().iterator())
                .withMessageContaining("codec 6");
    }
}
