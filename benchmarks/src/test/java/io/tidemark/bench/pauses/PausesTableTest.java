package io.tidemark.bench.pauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PausesTableTest {
    private static final long MS = 1_000_000;

    private static Latencies of(int ordinary, long ordinaryMs, int slow, long slowMs) {
        Latencies latencies = new Latencies();
        for (int i = 0; i < ordinary; i++) {
            latencies.record(ordinaryMs * MS, MS);
        }
        for (int i = 0; i < slow; i++) {
            latencies.record(slowMs * MS, MS);
        }
        return latencies;
    }

    private static PausesTable.Line line(Latencies idle, Latencies beside) {
        return new PausesTable.Line("it is deleted", idle, beside);
    }

    @Test
    void shouldCompareTheSlowestThousandth() {
        // given
        PausesTable.Line fine = line(of(9_980, 1, 20, 10), of(9_980, 1, 20, 19));
        PausesTable.Line slow = line(of(9_980, 1, 20, 10), of(9_980, 1, 20, 25));

        // when / then
        assertThat(fine.ratio()).isCloseTo(1.9, within(0.01));
        assertThat(fine.isMet()).isTrue();
        assertThat(slow.ratio()).isCloseTo(2.5, within(0.01));
        assertThat(slow.isMet()).isFalse();
        assertThat(new PausesTable(List.of(slow)).columns().text())
                .contains("(idle)", "it is deleted", "10,000", "2.50x", "no");
    }

    @Test
    void shouldNotCountFewerThanAThousandth() {
        assertThat(line(of(10_000, 1, 0, 0), of(9_995, 1, 5, 500)).isMet()).isTrue();
    }

    @Test
    void shouldSayWhenThereAreTooFew() {
        // given
        PausesTable table = new PausesTable(List.of(line(of(10_000, 1, 0, 0), of(900, 1, 0, 0))));

        // when / then
        assertThat(table.columns().text()).contains("too few appends");
    }
}
