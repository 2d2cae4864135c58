package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.apache.kafka.common.utils.ByteUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VarintTest {
    private static final long SEED = Long.getLong("tidemark.seed", 7_692);

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "-1, 01",
        "1, 02",
        "63, 7e",
        "-64, 7f",
        "64, 8001",
        "-65, 8101",
        "300, d804",
        "2147483647, feffffff0f",
        "-2147483648, ffffffff0f"
    })
    void shouldCodeIntsInTheKnownBytes(int value, String hex) {
        // given
        ByteBuffer buffer = ByteBuffer.allocate(Varint.MAX_INT_BYTES);
        // when
        Varint.writeInt(buffer, value);
        buffer.flip();
        // then
        assertThat(Samples.hex(buffer)).isEqualTo(hex);
        assertThat(Varint.intBytes(value)).isEqualTo(hex.length() / 2);
        assertThat(Varint.readInt(buffer)).isEqualTo(value);
        assertThat(buffer.hasRemaining()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "-1, 01",
        "2147483648, 8080808010",
        "9223372036854775807, feffffffffffffffff01",
        "-9223372036854775808, ffffffffffffffffff01"
    })
    void shouldCodeLongsInTheKnownBytes(long value, String hex) {
        // given
        ByteBuffer buffer = ByteBuffer.allocate(Varint.MAX_LONG_BYTES);
        // when
        Varint.writeLong(buffer, value);
        buffer.flip();
        // then
        assertThat(Samples.hex(buffer)).isEqualTo(hex);
        assertThat(Varint.longBytes(value)).isEqualTo(hex.length() / 2);
        assertThat(Varint.readLong(buffer)).isEqualTo(value);
        assertThat(buffer.hasRemaining()).isFalse();
    }

    @Test
    void shouldAgreeWithKafkaOnRandomNumbersOfEveryLength() throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20_000; i++) {
            long value = random.nextLong() >> random.nextInt(64);
            ByteBuffer buffer = ByteBuffer.allocate(32);
            Varint.writeLong(buffer, value);
            Varint.writeInt(buffer, (int) value);
            DataInputStream kafka = new DataInputStream(new ByteArrayInputStream(buffer.array()));
            assertThat(ByteUtils.readVarlong(kafka)).as("seed %d", SEED).isEqualTo(value);
            assertThat(ByteUtils.readVarint(kafka)).as("seed %d", SEED).isEqualTo((int) value);
            assertThat(Varint.longBytes(value)).as("seed %d", SEED).isEqualTo(ByteUtils.sizeOfVarlong(value));
            assertThat(Varint.intBytes((int) value)).as("seed %d", SEED).isEqualTo(ByteUtils.sizeOfVarint((int) value));
            buffer.flip();
            assertThat(Varint.readLong(buffer)).as("seed %d", SEED).isEqualTo(value);
            assertThat(Varint.readInt(buffer)).as("seed %d", SEED).isEqualTo((int) value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "80", "ffffffff", "ffffffff1f", "ffffffffff01", "8080808080808001"})
    void shouldRefuseIntThatIsCutOffOrTooLong(String hex) {
        ByteBuffer buffer = bytes(hex);
        assertThatExceptionOfType(InvalidBatchException.class).isThrownBy(() -> Varint.readInt(buffer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ff", "ffffffffffffffffff", "ffffffffffffffffff02", "ffffffffffffffffffff01"})
    void shouldRefuseLongThatIsCutOffOrTooLong(String hex) {
        ByteBuffer buffer = bytes(hex);
        assertThatExceptionOfType(InvalidBatchException.class).isThrownBy(() -> Varint.readLong(buffer));
    }

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }
}
