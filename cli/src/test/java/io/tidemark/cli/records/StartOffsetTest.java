package io.tidemark.cli.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cli.CommandFailure;
import io.tidemark.client.net.Wire.LogPosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StartOffsetTest {
    @Test
    void shouldReadEndsAndOffsets() {
        assertThat(StartOffset.parse("start").end()).isEqualTo(LogPosition.EARLIEST);
        assertThat(StartOffset.parse("end").end()).isEqualTo(LogPosition.LATEST);
        assertThat(StartOffset.parse("42")).isEqualTo(new StartOffset(null, 42));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "json", "1e3", "99999999999999999999", "START "})
    void shouldRefuseWhatMeansNothing(String text) {
        assertThatThrownBy(() -> StartOffset.parse(text))
                .isInstanceOfSatisfying(
                        CommandFailure.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(64))
                .hasMessageContaining("\"" + text + "\"");
    }
}
