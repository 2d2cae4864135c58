package io.tidemark.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClosestNameTest {
    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "abc, abc, 0",
        "abc, '', 3",
        "kitten, sitting, 3",
        "broker.di, broker.id, 1",
        "ab, ba, 1",
        "log, slog, 1"
    })
    void shouldCountChanges(String left, String right, int distance) {
        assertThat(ClosestName.distance(left, right)).isEqualTo(distance);
        assertThat(ClosestName.distance(right, left)).isEqualTo(distance);
    }

    @Test
    void shouldTakeTheFirstOfTheClosest() {
        assertThat(ClosestName.of("abcx", List.of("zzzz", "abcd", "abce"))).contains("abcd");
        assertThat(ClosestName.of("abcd", List.of("wxyz"))).isEmpty();
        assertThat(ClosestName.of("x".repeat(100_000), List.of("x"))).isEmpty();
    }
}
