package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OPERATIONS 1.1: long work shows how far it is, and never disturbs data. */
final class ProgressTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource({
        "table, , 2, LIVE",
        "table, , 01, PLAIN",
        "table, , '', PLAIN",
        "table, false, 2, NONE",
        "json, , 2, NONE",
        "jsonl, , 2, NONE",
        "name, , 2, NONE",
        "json, true, 2, LIVE",
        "json, true, '', PLAIN"
    })
    void shouldBeShownToPeopleAndToWhoAsks(
            Output.Format format, @Nullable Boolean wanted, String terminals, Progress.Mode expected) {
        // given
        Output output = new Output(format, Output.Headers.SHOWN, new PrintWriter(err), new PrintWriter(err));

        // then
        assertThat(ProgressOption.mode(wanted, output, Terminals.parse(terminals)))
                .isEqualTo(expected);
    }

    @Test
    void shouldTellRateShareAndTimeLeft() {
        // given
        ProgressLine line = new ProgressLine("acknowledged", 0);

        // when
        String text = line.text(new Progress.Sample(30_000, 250, 1_000), 10 * SECOND_NS);

        // then
        assertThat(text).isEqualTo("acknowledged 30,000 records, 3,000/s, 25 %, 30 s left");
    }

    @Test
    void shouldTellTheRateOfLate() {
        // given
        ProgressLine line = new ProgressLine("consumed", 0);
        for (int second = 1; second <= 20; second++) {
            line.text(Progress.Sample.open(second * 10L), second * SECOND_NS);
        }

        // when
        String text = line.text(Progress.Sample.open(200), 30 * SECOND_NS);

        // then
        assertThat(text).isEqualTo("consumed 200 records, 5/s");
    }

    @Test
    void shouldNotSayThatNothingIsLeftBeforeItBegins() {
        // given
        ProgressLine line = new ProgressLine("read", 0);

        // then
        assertThat(line.text(Progress.Sample.of(0, 100), SECOND_NS)).isEqualTo("read 0 records, 0/s, 0 %");
        assertThat(line.text(Progress.Sample.of(100, 100), 2 * SECOND_NS)).endsWith("100 %");
    }

    @Test
    void shouldSayStepsOnlyWhereProgressIsShownAndWarningsAlways() {
        // when
        try (Progress silent = Progress.start(Progress.Mode.NONE, new PrintWriter(err), () -> "never")) {
            silent.step("a step");
            silent.note("a warning");
        }
        try (Progress shown = Progress.start(Progress.Mode.PLAIN, new PrintWriter(err), () -> "not within 10 s")) {
            shown.step("another step");
        }

        // then
        assertThat(err).hasToString("a warning\nanother step\n");
    }
}
