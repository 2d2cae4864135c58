package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.model.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.xerial.snappy.Snappy;

/** Decompression is bounded by what is there and by the caller's limits, and every failure of it is one exception. */
final class DecompressionTest {
    private static final int MEBIBYTE = 1024 * 1024;
    private static final DecodeLimits TIGHT = new DecodeLimits(1_000, 4 * MEBIBYTE, 8 * MEBIBYTE);

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void shouldStopABombAtTheLimit(Codec codec) {
        // given: one record that claims 32 MiB of zeros, and has them
        ByteBuffer bytes = bomb(codec, 32 * MEBIBYTE);
        DecodeLimits limits = new DecodeLimits(1_000, Integer.MAX_VALUE, 8 * MEBIBYTE);
        // when
        long before = Allocations.ofThisThreadBytes();
        BatchValidation validation = BatchValidator.validateProduced(
                bytes,
                new ProducedLimits(
                        bytes.remaining(), ProducedLimits.ANY_TIMESTAMP, ProducedLimits.Keys.OPTIONAL, limits));
        long validatingBytes = Allocations.ofThisThreadBytes() - before;
        // then
        assertThat(validation.error()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(validation.message()).contains("decompress to more than 8388608 bytes");
        assertThat(validatingBytes).isLessThan(2 * MEBIBYTE);
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(() ->
                        RecordBatch.at(bytes, 0).records(limits).iterator().next())
                .withMessageContaining("decompress to more than 8388608 bytes");
        assertThat(Allocations.ofThisThreadBytes() - before).isLessThan(48 * MEBIBYTE);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseALargeRecordBeforeReadingIt(Codec codec) {
        // given
        ByteBuffer bytes = bomb(codec, 5 * MEBIBYTE);
        // when
        long before = Allocations.ofThisThreadBytes();
        // then
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(
                        () -> RecordBatch.at(bytes, 0).records(TIGHT).iterator().next())
                .withMessageContaining("is not from 0 to 4194304");
        assertThat(Allocations.ofThisThreadBytes() - before).isLessThan(MEBIBYTE);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseMoreRecordsThanAllowed(Codec codec) {
        ByteBuffer bytes = Samples.build(codec, Samples.many(1_001));
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(() -> RecordBatch.at(bytes, 0).records(TIGHT).iterator())
                .withMessageContaining("from 0 to 1000");
    }

    @ParameterizedTest
    @EnumSource
    void shouldAllocateNoMoreThanWhatIsThereForALyingRecord(Codec codec) {
        // given: a record that claims 200 MiB and has 6 bytes
        byte[] record = RawBatch.withLength(200 * MEBIBYTE, ByteBuffer.wrap(new byte[] {0, 0, 0, 0, 0, 0}));
        ByteBuffer claims = ByteBuffer.allocate(16).put((byte) 0).put((byte) 0).put((byte) 0);
        Varint.writeInt(claims, 199 * MEBIBYTE);
        byte[] lyingKey = RawBatch.withLength(200 * MEBIBYTE, claims.flip());
        for (byte[] lie : List.of(record, lyingKey)) {
            ByteBuffer bytes = RawBatch.of(codec, 1, lie);
            // when
            long before = Allocations.ofThisThreadBytes();
            // then
            assertThatExceptionOfType(InvalidBatchException.class)
                    .isThrownBy(
                            () -> RecordBatch.at(bytes, 0).records().iterator().next());
            assertThat(Allocations.ofThisThreadBytes() - before).isLessThan(MEBIBYTE);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void shouldReportDamagedAndCutOffCompression(Codec codec) {
        // given
        byte[] whole = RawBatch.compress(
                codec, Samples.build(Codec.NONE, Samples.many(500)).array());
        for (byte[] bad : List.of(new byte[] {1, 2, 3}, new byte[30], Arrays.copyOf(whole, whole.length / 2))) {
            ByteBuffer bytes = RawBatch.ofCompressed(codec, 500, bad);
            // then
            assertThatExceptionOfType(InvalidBatchException.class)
                    .isThrownBy(() -> RecordBatch.at(bytes, 0).records().forEach(record -> {}));
            assertThat(BatchValidator.validateProduced(bytes, 1_000_000).error())
                    .isEqualTo(ErrorCode.INVALID_RECORD);
        }
    }

    /** librdkafka writes one bare block where snappy-java writes a stream. */
    @Test
    void shouldReadBareSnappy() throws IOException {
        // given
        byte[] records = RawBatch.concat(RawBatch.record(0, 0, -1, -1, 0), RawBatch.record(0, 1, -1, -1, 0));
        ByteBuffer bytes = RawBatch.ofCompressed(Codec.SNAPPY, 2, Snappy.compress(records));
        // then
        assertThat(BatchValidator.validateProduced(bytes, 1_000).message()).isEmpty();
        assertThat(RecordBatch.at(bytes, 0).records()).hasSize(2);
    }

    @Test
    void shouldReadSnappysDensestBlock() throws IOException {
        // given: zeros, which snappy packs as tight as it can
        byte[] zeros = new byte[10 * MEBIBYTE];
        SnappyBlocks blocks = new SnappyBlocks(ByteBuffer.wrap(Snappy.compress(zeros)));
        // then
        assertThat(blocks.readAllBytes()).isEqualTo(zeros);
        assertThat(blocks.read()).isEqualTo(-1);
    }

    @Test
    void shouldNotBelieveTheLengthsInSnappy() {
        // given
        String magic = "82534e4150505900" + "00000001" + "00000001";
        List<String> lies = List.of(
                "82534e4150505900" + "000000", // a header that is cut off
                magic + "0000", // a length that is cut off
                magic + "7fffffff" + "00", // a block longer than the bytes
                magic + "ffffffff" + "00", // a negative length
                magic + "00000000" + "00", // an empty block
                magic + "00000006" + "ffffffff07" + "00", // a block that claims 2 GiB
                "ffffffff07" + "00", // the same without framing
                "ffffffff0f" + "00"); // and one that claims 4 GiB
        for (String lie : lies) {
            ByteBuffer bytes =
                    RawBatch.ofCompressed(Codec.SNAPPY, 1, HexFormat.of().parseHex(lie));
            // when
            long before = Allocations.ofThisThreadBytes();
            BatchValidation validation = BatchValidator.validateProduced(bytes, 1_000);
            // then
            assertThat(validation.error()).as(lie).isEqualTo(ErrorCode.INVALID_RECORD);
            assertThat(validation.message()).as(lie).contains("snappy");
            assertThat(Allocations.ofThisThreadBytes() - before).isLessThan(MEBIBYTE);
        }
    }

    private static ByteBuffer bomb(Codec codec, int valueBytes) {
        ByteBuffer head = ByteBuffer.allocate(32)
                .put((byte) 0)
                .put((byte) 0)
                .put((byte) 0)
                .put((byte) 1);
        Varint.writeInt(head, valueBytes);
        byte[] fields = new byte[head.position() + valueBytes + 1];
        head.flip().get(fields, 0, head.limit());
        return RawBatch.of(codec, 1, RawBatch.withLength(fields.length, ByteBuffer.wrap(fields)));
    }
}
