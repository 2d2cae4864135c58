package io.tidemark.bench.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.bench.report.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LogTableTest {
    private static LogSample sample(LogRow row, LogSystem system, int round, double figure) {
        return new LogSample(row, system, round, figure, null);
    }

    private static LogSample failed(LogRow row, LogSystem system, int round) {
        return new LogSample(row, system, round, null, "it ended");
    }

    @Test
    void shouldCompareMediansAndPairRoundsForTheSpread() {
        // given
        LogTable table = new LogTable(
                List.of(LogRow.CLEANER),
                List.of(
                        sample(LogRow.CLEANER, LogSystem.KAFKA, 1, 100),
                        sample(LogRow.CLEANER, LogSystem.TIDEMARK, 1, 150),
                        sample(LogRow.CLEANER, LogSystem.TIDEMARK, 2, 80),
                        sample(LogRow.CLEANER, LogSystem.KAFKA, 2, 200),
                        sample(LogRow.CLEANER, LogSystem.KAFKA, 3, 120),
                        sample(LogRow.CLEANER, LogSystem.TIDEMARK, 3, 90)));

        // when
        Spread ratio = table.ratio(LogRow.CLEANER).orElseThrow();

        // then
        assertThat(ratio.median()).isCloseTo(0.75, within(1e-9));
        assertThat(ratio.min()).isCloseTo(0.4, within(1e-9));
        assertThat(ratio.max()).isCloseTo(1.5, within(1e-9));
        assertThat(table.columns().text())
                .contains("MiB/s", "120 (100-200)", "90.0 (80.0-150)", "0.75x (0.40-1.50)", "no");
    }

    @Test
    void shouldBeMetFromNineTenthsOn() {
        // given
        LogTable table = new LogTable(
                List.of(LogRow.READ_RANDOM),
                List.of(
                        sample(LogRow.READ_RANDOM, LogSystem.KAFKA, 1, 10_000),
                        sample(LogRow.READ_RANDOM, LogSystem.TIDEMARK, 1, 9_000)));

        // when / then
        assertThat(table.columns().text()).contains("1/s", "10,000", "0.90x", "yes");
    }

    @Test
    void shouldCountFailuresAndSayNothingWithoutAPartner() {
        // given
        LogTable table = new LogTable(
                List.of(LogRow.RECOVERY),
                List.of(
                        failed(LogRow.RECOVERY, LogSystem.KAFKA, 1),
                        sample(LogRow.RECOVERY, LogSystem.TIDEMARK, 1, 500)));

        // when / then
        assertThat(table.ratio(LogRow.RECOVERY)).isEmpty();
        assertThat(table.columns().text()).contains("-, 1 failed", "500 (500-500)");
    }
}
