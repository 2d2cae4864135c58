package io.tidemark.client.producer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that the field's other clients give: keys must go where they went. */
final class Murmur2Test {
    @ParameterizedTest
    @CsvSource({
        "21, -973932308",
        "foobar, -790332482",
        "a-little-bit-long-string, -985981536",
        "a-little-bit-longer-string, -1486304829",
        "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8, -58897971",
        "abc, 479470107",
        "'', 275646681"
    })
    void shouldHashAsOtherClientsDo(String key, int expected) {
        assertThat(Murmur2.hash(ByteBuffer.wrap(key.getBytes(UTF_8)))).isEqualTo(expected);
    }

    @Test
    void shouldHashTheRemainingBytesAndMoveNothing() {
        // given
        ByteBuffer key = ByteBuffer.wrap("__abc__".getBytes(UTF_8), 2, 3);

        // then
        assertThat(Murmur2.hash(key)).isEqualTo(479_470_107);
        assertThat(key.remaining()).isEqualTo(3);
    }

    @Test
    void shouldChooseAPartitionFromTheHashWithoutItsSign() {
        // given
        ByteBuffer key = ByteBuffer.wrap("foobar".getBytes(UTF_8));

        // then -790332482 without its sign bit is 1357151166
        assertThat(Murmur2.partition(key, 10)).isEqualTo(6);
        assertThat(Murmur2.partition(key, 1)).isZero();
    }
}
