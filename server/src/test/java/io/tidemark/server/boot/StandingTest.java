package io.tidemark.server.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.ClusterUpdate.DeletedTopic;
import io.tidemark.model.TopicState;
import io.tidemark.server.rpc.Health;
import io.tidemark.server.status.States;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a broker says of itself: in sync means in every in-sync set that it belongs to. */
final class StandingTest {
    private final Health health = new Health();
    private final Standing standing = new Standing(health);
    private final InSyncCensus census = new InSyncCensus(2);

    private void push(boolean full, List<DeletedTopic> deleted, TopicState... topics) {
        ClusterUpdate update = new ClusterUpdate(full, States.brokers(1, 2, 3), 1, List.of(topics), deleted);
        standing.told(census.observe(update));
    }

    private boolean inSync() {
        return health.isHolding(Health.Condition.IN_SYNC);
    }

    @Test
    void shouldBeInSyncOnlyWithEveryPartition() {
        // given a restarted broker that was taken out of one of two in-sync sets
        standing.registered();
        assertThat(inSync()).as("nothing was told yet").isFalse();
        push(true, List.of(), States.topic(States.partition(0, 1, 1, 1, 2, 3), States.partition(1, 1, 1, 1, 3)));
        assertThat(health.isHolding(Health.Condition.READY)).isTrue();
        assertThat(inSync()).as("ready is not in sync").isFalse();

        // when it has caught up
        push(false, List.of(), States.topic(States.partition(1, 1, 1, 1, 2, 3)));

        // then
        assertThat(inSync()).isTrue();
        push(false, List.of(), States.topic(States.partition(0, 1, 1, 1)));
        assertThat(inSync()).isFalse();
    }

    @Test
    void shouldNotWaitForADeletedTopicOrOneThatAFullUpdateLeavesOut() {
        standing.registered();
        push(true, List.of(), States.topic(States.partition(0, 1, 1, 1)));
        assertThat(inSync()).isFalse();
        push(false, List.of(new DeletedTopic("orders", States.TOPIC_ID)));
        assertThat(inSync()).isTrue();
        push(false, List.of(), States.topic(States.partition(0, 1, 1, 1)));
        assertThat(inSync()).isFalse();
        push(true, List.of());
        assertThat(inSync()).isTrue();
    }

    @Test
    void shouldNotKnowWithoutARegistrationUntilItIsToldAgain() {
        // given
        standing.registered();
        push(true, List.of(), States.topic(States.partition(0, 1, 1, 1, 2, 3)));
        assertThat(inSync()).isTrue();

        // when
        standing.registrationLost();
        assertThat(inSync()).isFalse();
        standing.registered();

        // then
        assertThat(inSync())
                .as("the controller may have taken it out meanwhile")
                .isFalse();
        push(true, List.of(), States.topic(States.partition(0, 1, 1, 1, 2, 3)));
        assertThat(inSync()).isTrue();
        standing.stopping();
        assertThat(inSync()).isFalse();
    }
}
