package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.Incarnations.Arrival;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** I11: recorded are epoch 10, nonce 5, directory "a". */
final class IncarnationsTest {
    @ParameterizedTest
    @CsvSource({
        // broker epoch, continues, nonce, directory, verdict
        "10, -1, 5, a, KNOWN",
        "20, 10, 5, a, SAME_PROCESS",
        "20, 10, 6, a, SAME_LOGS",
        "20, -1, 6, a, NEW_LOGS",
        // a rolled-back disk continues an epoch before the recorded one
        "20, 9, 5, a, NEW_LOGS",
        "20, 10, 6, b, NEW_LOGS",
        "20, 10, 5, b, NEW_LOGS",
    })
    void shouldJudgeARegistrationByWhatIsRecorded(
            long epoch, long continues, long nonce, String directory, Arrival verdict) {
        // given
        Incarnation recorded = new Incarnation(3, registration(10, -1, 5, "a"), 0);

        // then
        assertThat(Incarnations.judge(recorded, registration(epoch, continues, nonce, directory)))
                .isEqualTo(verdict);
    }

    @Test
    void shouldTakeABrokerThatWasNeverRecordedForNew() {
        assertThat(Incarnations.judge(null, registration(10, 9, 5, "a"))).isEqualTo(Arrival.NEW_LOGS);
    }

    @Test
    void shouldNumberAboveEveryEntryThatNamesTheBroker() {
        // given: the record of broker 2 is lost while entries of incarnation 1 stand
        ClusterFixture cluster = ClusterFixture.withTopic(3, 2);
        ClusterState state = cluster.state();
        ClusterState without = ClusterState.loaded(
                2,
                state.incarnations().values().stream()
                        .filter(each -> each.registration().id() != 2)
                        .toList(),
                state.topics().values(),
                List.of(),
                state.producerIds());

        // when
        Decision decision = new ClusterMachine(ClusterFixture.settings())
                .decide(without, new ClusterEvent.BrokersChanged(state.registrations()));

        // then: it is not taken for the life that earned the entry
        assertThat(decision.next().incarnations().get(2).number()).isEqualTo(2);
        assertThat(decision.next().partition(ClusterFixture.PARTITION).state().isr())
                .isEqualTo(members("1#1", "3#1"));
    }

    private static BrokerRegistration registration(long epoch, long continues, long nonce, String directory) {
        Endpoint endpoint = new Endpoint("h", 1);
        return new BrokerRegistration(1, epoch, nonce, endpoint, endpoint, endpoint, "", List.of(directory), continues);
    }
}
