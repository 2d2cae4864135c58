package io.tidemark.system.threebrokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Budgets of memory that are as small as they can be. */
final class TinyBudgetIT extends ThreeBrokersIT {
    private static final int PARTITIONS = 3;
    private static final int PRODUCERS = 100;
    private static final int RECORDS_EACH = 30;

    // S76: a client budget of one batch does not stop 100 producers with acks=all, since peers have a budget of their own and a
    // request gives its bytes back when it is appended, not when it is acknowledged (DESIGN section 7).
    // Fails if: AnswerStream releases a produce's bytes only when it answers it and GrpcListeners gives peers the clients' budget.
    @Test
    void shouldGoOnForAllProducersWithABudgetOfOneBatch() throws Exception {
        // given
        start(PARTITIONS, Map.of("queued.max.request.bytes", "1", "peer.queued.max.request.bytes", "1"));

        // when
        Load load = begin(producing(), PRODUCERS, 5, PARTITIONS);

        // then
        patiently().until(() -> load.leastAcknowledged() >= RECORDS_EACH);
        endAndRequireWhole(load, PARTITIONS);
        assertThat(load.failures()).isEmpty();
        requireNoHalt();
    }
}
