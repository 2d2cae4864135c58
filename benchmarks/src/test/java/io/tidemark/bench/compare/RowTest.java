package io.tidemark.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RowTest {
    @Test
    void shouldSelectByNameOrBeginning() {
        assertThat(Row.select(List.of("failover", "consume-1k")))
                .containsExactly(Row.CONSUME_1K, Row.FAILOVER_LEADER, Row.FAILOVER_CONTROLLER, Row.FAILOVER_FOLLOWER);
    }

    @Test
    void shouldNameTheRowsWhenThereIsNoSuch() {
        assertThatThrownBy(() -> Row.select(List.of("consume", "latency-5k")))
                .hasMessageContaining("latency-5k;")
                .hasMessageContaining("latency-10k-p99");
    }
}
