package io.tidemark.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.bench.compare.Summary.Figures;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SummaryTest {
    private static Sample latency(String system, int repetition, double p99Ms, double otherPercent) {
        return new Sample(system, repetition, Job.LATENCY_10K, Map.of(Metric.P99_MS, p99Ms), 12, otherPercent, null);
    }

    private static Sample failover(String system, int repetition, double measuredMs) {
        return new Sample(system, repetition, Job.FAILOVER_LEADER, Map.of(Metric.MEASURED_MS, measuredMs), 10, 0, null);
    }

    @Test
    void shouldCompareMediansAndPairRepetitionsForTheSpread() {
        // given
        List<Sample> samples = List.of(
                latency("kafka", 1, 100, 1),
                latency("tidemark", 1, 30, 2),
                latency("tidemark", 2, 10, 25),
                latency("kafka", 2, 200, 3),
                latency("kafka", 3, 400, 0),
                latency("tidemark", 3, 40, 0));

        // when
        Summary summary = Summary.of(List.of(Row.LATENCY_10K_P99), samples).get(0);

        // then
        assertThat(summary.kafka()).contains(new Figures(200, 100, 400, 3, 0, 3));
        assertThat(summary.tidemark()).contains(new Figures(30, 10, 40, 3, 0, 25));
        Figures ratio = summary.ratio().orElseThrow();
        assertThat(ratio.median()).isCloseTo(0.15, within(1e-9));
        assertThat(ratio.min()).isCloseTo(0.05, within(1e-9));
        assertThat(ratio.max()).isCloseTo(0.3, within(1e-9));
        assertThat(summary.isMet()).contains(true);
    }

    @Test
    void shouldTakeTheMiddleOfTwoMedians() {
        assertThat(Figures.of(new double[] {4, 1, 3, 2}, 0, 0).median()).isEqualTo(2.5);
    }

    @Test
    void shouldCountFailedRepetitionsAndSayNothingWithoutAPartner() {
        // given
        List<Sample> samples = List.of(
                latency("tidemark", 1, 30, 0),
                Sample.failed("tidemark", 2, Job.LATENCY_10K, "it ended"),
                Sample.failed("kafka", 1, Job.LATENCY_10K, "it ended"));

        // when
        Summary summary = Summary.of(List.of(Row.LATENCY_10K_P99), samples).get(0);

        // then
        assertThat(summary.kafka()).isEmpty();
        assertThat(summary.tidemark().map(Figures::failed)).contains(1);
        assertThat(summary.ratio()).isEmpty();
        assertThat(summary.isMet()).isEmpty();
    }

    @Test
    void shouldHoldAFigureOfOurOwnToItsBoundWithoutAPartner() {
        // given
        List<Row> rows = List.of(Row.FAILOVER_LEADER);

        // then
        assertThat(Summary.of(rows, List.of(failover("tidemark", 1, 1_000)))
                        .get(0)
                        .isMet())
                .contains(true);
        assertThat(Summary.of(rows, List.of(failover("tidemark", 1, 1_001)))
                        .get(0)
                        .isMet())
                .contains(false);
    }

    @Test
    void shouldPrintTheSameCellsForPeopleAndInMarkdown() {
        // given
        List<Sample> samples = List.of(latency("kafka", 1, 100, 1), latency("tidemark", 1, 30, 26));
        Table table = new Table(Summary.of(List.of(Row.LATENCY_10K_P99, Row.PEAK_RSS), samples));

        // when
        List<String> lines = table.markdown().lines().toList();

        // then
        assertThat(lines)
                .contains(
                        "| p99 at 10,000 rec/s of 1 KiB, warm client | ms | 100.00 (100.00-100.00) | 30.00"
                                + " (30.00-30.00) | 0.30x (0.30-0.30) | <= 0.2x | no | 1/26 |",
                        "| peak RSS of the largest broker | MiB | - | - | - | <= 1.0x | - | -/- |");
        assertThat(table.text()).contains("0.30x (0.30-0.30)  <= 0.2x").doesNotContain("|");
    }
}
