package io.tidemark.client.producer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PartitionWriterBackOffTest {
    private static final long NOW = 1_000;

    private final PartitionWriter writer = new PartitionWriter(5);

    @Test
    void shouldSendNothingWhileItBacksOff() {
        // given
        writer.backOffUntil(NOW + 10, 3);

        // then
        assertThat(writer.maySend(NOW + 9)).isFalse();
        assertThat(writer.maySend(NOW + 10)).isTrue();
    }

    // A failover costs the producer no pause beyond that of the cluster.
    // Fails if: PartitionWriter.ledIn does nothing
    @Test
    void shouldNotBackOffFromTheNextLeader() {
        // given
        writer.backOffUntil(NOW + 10, 3);

        // then
        writer.ledIn(3);
        assertThat(writer.maySend(NOW)).isFalse();
        writer.ledIn(4);
        assertThat(writer.maySend(NOW)).isTrue();
    }
}
