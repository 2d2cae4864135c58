package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SequencesTest {
    /** KAFKA-7692: a batch of 21 records from 2147483637 ends at 9, and the next one starts at 10. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "5, 3, 8",
        "2147483637, 20, 9",
        "2147483637, 10, 2147483647",
        "2147483637, 11, 0",
        "2147483647, 1, 0",
        "2147483647, 2147483647, 2147483646",
        "0, 2147483647, 2147483647"
    })
    void shouldWrapFromTheLargestToZero(int sequence, int increment, int expected) {
        assertThat(Sequences.plus(sequence, increment)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"9, 10", "2147483636, 2147483637", "2147483647, 0"})
    void shouldGiveTheFollowingSequence(int sequence, int expected) {
        assertThat(Sequences.next(sequence)).isEqualTo(expected);
    }
}
