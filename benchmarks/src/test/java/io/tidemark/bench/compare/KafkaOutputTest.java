package io.tidemark.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class KafkaOutputTest {
    @Test
    void shouldTakeTheProducersTotalAndNotItsProgress() {
        // given
        List<String> output = List.of(
                "120000 records sent, 24000.0 records/sec (23.44 MB/sec), 1000.0 ms avg latency, 1500.0 ms max"
                        + " latency.",
                "500000 records sent, 24743.5 records/sec (24.16 MB/sec), 1122.44 ms avg latency, 2212.00 ms max"
                        + " latency, 1122 ms 50th, 1760 ms 95th, 2112 ms 99th, 2212 ms 99.9th.");

        // then
        assertThat(KafkaOutput.produced(output)).isEqualTo(24743.5);
    }

    @Test
    void shouldTakeTheConsumersRateWithoutTheJoin() {
        // given
        List<String> output = List.of("2026-11-29 10:00:00:000, 2026-11-29 10:00:05:000, 1464.8438, 292.9688, 1500000,"
                + " 300000.0000, 702, 4298, 340.8198, 348999.5347");

        // then
        assertThat(KafkaOutput.consumed(output)).isEqualTo(348999.5347);
    }

    @Test
    void shouldFailTheJobWhereThereIsNoResult() {
        assertThatThrownBy(() -> KafkaOutput.produced(List.of("WARN"))).isInstanceOf(JobFailure.class);
        assertThatThrownBy(() -> KafkaOutput.consumed(List.of())).isInstanceOf(JobFailure.class);
        assertThatThrownBy(() -> LastJson.of(List.of("{"))).isInstanceOf(JobFailure.class);
        assertThatThrownBy(() -> LastJson.of(List.of("nothing"))).isInstanceOf(JobFailure.class);
    }
}
