package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnitsTest {
    @ParameterizedTest
    @CsvSource({"0, 0 B", "999, 999 B", "1500, 1.5 kB", "64000000, 64.0 MB", "9223372036854775807, 9.2 EB"})
    void shouldWriteBytes(long sizeBytes, String expected) {
        assertThat(Units.bytes(sizeBytes)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 s", "59, 59 s", "185, 3 min 5 s", "7200, 2 h 0 min", "7380, 2 h 3 min"})
    void shouldWriteTimes(long seconds, String expected) {
        assertThat(Units.seconds(seconds)).isEqualTo(expected);
    }
}
