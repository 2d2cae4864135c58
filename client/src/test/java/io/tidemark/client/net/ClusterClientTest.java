package io.tidemark.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.producer.FakeCluster;
import io.tidemark.client.producer.ManualLoop;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClusterClientTest {
    private final ManualLoop loop = new ManualLoop();
    private final FakeCluster brokers = new FakeCluster();
    private final ClusterClient cluster = new ClusterClient(
            new ClusterClient.Settings(
                    List.of(FakeCluster.endpoint(1), FakeCluster.endpoint(2)),
                    Duration.ofSeconds(300),
                    RetryRules.DEFAULT),
            new ClientRuntime(loop, loop, new NoJitter()),
            brokers);

    /** KNOWN_BUGS 44: after a long absence gRPC's own pause before the next attempt is up to two minutes. */
    @Test
    void shouldTryABrokerAtOnceThatIsListedAgain() {
        // given both are connected, and broker 2 was away for long
        refresh();
        refresh();
        brokers.leave(2);
        refresh();
        brokers.takeReconnected();

        // when
        brokers.comeBack(2);
        refresh();

        // then
        assertThat(brokers.takeReconnected()).containsExactly(2);
        refresh();
        assertThat(brokers.takeReconnected()).as("nothing new").isEmpty();
    }

    private void refresh() {
        cluster.refresh();
        loop.advance(Duration.ofMillis(100));
    }
}
