package io.tidemark.system.threebrokers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.producer.ProducerConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Budgets of memory that are as small as they can be. */
final class TinyBudgetIT extends ThreeBrokersIT {
    private static final int PARTITIONS = 3;
    private static final int BATCH_BYTES = 1_000;
    private static final int PRODUCERS = 100;
    private static final int RECORDS_EACH = 30;

    // Issue 5 (must show 8): a client budget of one batch does not stop 100 producers with acks=all, since peers have a
    // budget of their
    // own and a
    // request gives its bytes back when it is appended, not when it is acknowledged (DESIGN section 7).
    // Fails if: InFlightBytes.release does not wake the streams that wait for room.
    @Test
    void shouldGoOnForAllProducersWithABudgetOfOneBatch() throws Exception {
        // given
        String batch = Integer.toString(BATCH_BYTES);
        start(PARTITIONS, Map.of("message.max.bytes", batch, "queued.max.request.bytes", batch));
        ProducerConfig config = producing().withLimits(new ProducerConfig.Limits(BATCH_BYTES, BATCH_BYTES, 1 << 20, 5));

        // when
        Load load = begin(config, PRODUCERS, 5, PARTITIONS);

        // then
        patiently().until(() -> load.leastAcknowledged() >= RECORDS_EACH);
        endAndRequireWhole(load, PARTITIONS);
        assertThat(load.failures()).isEmpty();
        requireNoHalt();
    }
}
