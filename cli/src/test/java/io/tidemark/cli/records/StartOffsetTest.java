package io.tidemark.cli.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cli.CommandFailure;
import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.runtime.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StartOffsetTest {
    private static final long NOW_MS = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();

    private static StartOffset parse(String text) {
        return StartOffset.parse(text, new Clock() {
            @Override
            public long wallMs() {
                return NOW_MS;
            }

            @Override
            public long monotonicNs() {
                return 0;
            }
        });
    }

    private static StartOffset at(String instant) {
        return new StartOffset(LogPosition.atTime(Instant.parse(instant).toEpochMilli()), -1);
    }

    @Test
    void shouldReadEndsAndOffsets() {
        assertThat(parse("start")).isEqualTo(new StartOffset(LogPosition.EARLIEST, -1));
        assertThat(parse("end")).isEqualTo(new StartOffset(LogPosition.LATEST, -1));
        assertThat(parse("0")).isEqualTo(new StartOffset(null, 0));
        assertThat(parse("9223372036854775807")).isEqualTo(new StartOffset(null, Long.MAX_VALUE));
    }

    @Test
    void shouldReadTimes() {
        assertThat(parse("@1700000000123")).isEqualTo(at("2023-11-14T22:13:20.123Z"));
        assertThat(parse("@2026-03-01T10:30:00Z")).isEqualTo(at("2026-03-01T10:30:00Z"));
        assertThat(parse("@2026-03-01T10:30+02:00")).isEqualTo(at("2026-03-01T08:30:00Z"));
        assertThat(parse("@2026-03-01T10:30")).isEqualTo(at("2026-03-01T10:30:00Z"));
        assertThat(parse("@2026-03-01")).isEqualTo(at("2026-03-01T00:00:00Z"));
        assertThat(parse("@1960-01-01")).isEqualTo(at("1970-01-01T00:00:00Z"));
    }

    @Test
    void shouldReadAges() {
        assertThat(parse("-5m")).isEqualTo(at("2026-03-01T11:55:00Z"));
        assertThat(parse("@-250ms")).isEqualTo(at("2026-03-01T11:59:59.750Z"));
        assertThat(parse("-90s")).isEqualTo(at("2026-03-01T11:58:30Z"));
        assertThat(parse("-2h")).isEqualTo(at("2026-03-01T10:00:00Z"));
        assertThat(parse("-1d")).isEqualTo(at("2026-02-28T12:00:00Z"));
        assertThat(parse("-999999999d")).isEqualTo(at("1970-01-01T00:00:00Z"));
    }

    @Test
    void shouldRefuseAnythingElseWithWhatItWants() {
        for (String text : List.of(
                "",
                "-5",
                "5m",
                "@",
                "@yesterday",
                "@2026-13-01",
                "@+999999999-12-31",
                "@2026-03-01T25:00Z",
                "9223372036854775808",
                "-5w")) {
            assertThatThrownBy(() -> parse(text))
                    .as(text)
                    .isInstanceOfSatisfying(
                            CommandFailure.class,
                            failure -> assertThat(failure.exitCode()).isEqualTo(64))
                    .hasMessageContaining("@TIME")
                    .hasMessageContaining(text);
        }
    }
}
