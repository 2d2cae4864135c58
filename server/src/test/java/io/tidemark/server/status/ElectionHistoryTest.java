package io.tidemark.server.status;

import static io.tidemark.server.status.States.brokers;
import static io.tidemark.server.status.States.partition;
import static io.tidemark.server.status.States.topic;
import static io.tidemark.server.status.States.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.server.metadata.MetadataCache;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ElectionHistoryTest {
    private final ManualClock clock = new ManualClock();
    private final MetadataCache metadata = new MetadataCache();
    private final ElectionHistory history = new ElectionHistory(clock);

    private void told(ClusterUpdate update) {
        var before = metadata.view();
        metadata.apply(update, 1);
        history.observe(before, update);
    }

    private String reason(PartitionState before, PartitionState after, int... live) {
        MetadataCache cache = new MetadataCache();
        ElectionHistory fresh = new ElectionHistory(clock);
        cache.apply(update(brokers(1, 2, 3), topic(before)), 1);
        fresh.observe(cache.view(), update(brokers(live), topic(after)));
        return fresh.recent().get(0).reason();
    }

    @Test
    void shouldRememberWhoLedAndWhoLeads() {
        // given
        told(update(brokers(1, 2, 3), topic(partition(0, 1, 4, 1, 2, 3))));
        assertThat(history.recent())
                .as("what was not known before has not changed")
                .isEmpty();

        // when
        told(update(brokers(2, 3), topic(partition(0, 2, 5, 2, 3))));

        // then
        assertThat(history.recent())
                .containsExactly(
                        new Election(clock.wallMs(), new TopicPartition("orders", 0), 1, 2, 5, "broker 1 is gone"));
    }

    @Test
    void shouldNotTakeOtherChangesForElections() {
        told(update(brokers(1, 2, 3), topic(partition(0, 1, 4, 1, 2, 3))));
        told(update(brokers(1, 2, 3), topic(partition(0, 1, 4, 1, 2))));
        assertThat(history.recent()).isEmpty();
    }

    @Test
    void shouldKeepTheLatestOnly() {
        // given
        told(update(brokers(1, 2, 3), topic(partition(0, 1, 0, 1, 2, 3))));

        // when
        for (int epoch = 1; epoch <= ElectionHistory.CAPACITY + 5; epoch++) {
            told(update(brokers(1, 2, 3), topic(partition(0, 1 + epoch % 3, epoch, 1, 2, 3))));
        }

        // then
        assertThat(history.total()).isEqualTo(ElectionHistory.CAPACITY + 5);
        assertThat(history.recent()).hasSize(ElectionHistory.CAPACITY);
        assertThat(history.recent().get(0).leaderEpoch()).isEqualTo(ElectionHistory.CAPACITY + 5);
    }

    @Test
    void shouldSayWhyAsFarAsTheStatesTell() {
        PartitionState led = partition(0, 2, 4, 2, 3);
        assertThat(reason(led, partition(0, 3, 5, 3), 1, 2, 3)).isEqualTo("broker 2 gave it up");
        assertThat(reason(led, partition(0, -1, 5, 3), 1)).isEqualTo("broker 2 is gone; no replica may lead");
        assertThat(reason(led, partition(0, 1, 5, 1), 1, 3))
                .isEqualTo("broker 2 is gone; a replica outside the in-sync set leads");
        assertThat(reason(led, partition(0, 2, 5, 2, 3), 1, 2, 3)).contains("same broker");
        assertThat(reason(partition(0, 2, 4, 1, 2), partition(0, 1, 5, 1, 2), 1, 2, 3))
                .contains("preferred replica");
        assertThat(reason(partition(0, -1, 4, 3), partition(0, 3, 5, 3), 1, 3)).isEqualTo("there was no leader");
        PartitionState withEligible = new PartitionState(
                led.topicId(),
                led.partition(),
                2,
                4,
                1,
                led.replicas(),
                List.of(new Member(2, 1)),
                List.of(new Member(3, 1)),
                2,
                1);
        assertThat(reason(withEligible, partition(0, 3, 5, 3), 3)).contains("eligible member");
    }

    @Test
    void shouldKnowTheAgeOfWhatItWasTold() {
        assertThat(history.toldMsAgo()).isEqualTo(-1);
        told(update(brokers(1)));
        clock.advance(Duration.ofMillis(1_500));
        assertThat(history.toldMsAgo()).isEqualTo(1_500);
    }
}
