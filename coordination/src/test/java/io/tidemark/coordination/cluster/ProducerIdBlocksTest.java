package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.ClusterEvent.ProducerIdsRequested;
import io.tidemark.model.ErrorCode;
import org.junit.jupiter.api.Test;

final class ProducerIdBlocksTest {
    private final ClusterFixture cluster = ClusterFixture.ofBrokers(2);

    @Test
    void shouldNeverGiveAnIdTwiceAlsoUnderTheNextController() {
        // when
        Decision first = request(1);
        Decision second = request(2);
        cluster.newController();
        cluster.brokersChanged();
        Decision third = request(1);

        // then
        assertThat(answer(first)).isEqualTo(new Answer.ProducerIdBlock(0, 1_000));
        assertThat(answer(second)).isEqualTo(new Answer.ProducerIdBlock(1_000, 1_000));
        assertThat(answer(third)).isEqualTo(new Answer.ProducerIdBlock(2_000, 1_000));
        assertThat(first.writes()).containsExactly(new StateWrite.PutProducerIds(1, 0, 1_000, StateWrite.NO_NODE));
        assertThat(second.writes()).containsExactly(new StateWrite.PutProducerIds(2, 1_000, 2_000, 0));
    }

    @Test
    void shouldRefuseABrokerOfAnEarlierLife() {
        Decision decision = cluster.on(new ProducerIdsRequested(1, 1, 5));
        assertThat(((Answer.Refused) answer(decision)).error()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(decision.writes()).isEmpty();
    }

    private Decision request(int id) {
        return cluster.on(new ProducerIdsRequested(1, id, cluster.node(id).brokerEpoch()));
    }
}
