package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.LeaderElection.Kind;
import io.tidemark.coordination.cluster.LeaderElection.Unclean;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Scenario 45, I12, I14: the election table. Assignment 1, 2, 3, min ISR 2; entries of incarnation 1 are valid. Brokers: "+"
 * registered, "?" in question, "s" shutting down, "-" lost, in the order of their ids.
 */
final class LeaderElectionTest {
    @ParameterizedTest
    @CsvSource({
        // brokers, ISR, eligible, unclean, how, leader, its ISR
        "+++, 1#1 2#1 3#1, '', FORBIDDEN, CLEAN, 1, 1#1 2#1 3#1",
        "-++, 2#1 3#1, '', FORBIDDEN, CLEAN, 2, 2#1 3#1",
        "+++, 3#1 2#1, '', FORBIDDEN, CLEAN, 2, 3#1 2#1",
        "?++, 1#1 3#1, '', FORBIDDEN, CLEAN, 3, 1#1 3#1",
        "s++, 1#1 3#1, '', FORBIDDEN, CLEAN, 3, 1#1 3#1",
        // an eligible member only when no member of the ISR can lead
        "++-, 1#1, 2#1, FORBIDDEN, CLEAN, 1, 1#1",
        "-++, 1#1, 2#1 3#1, FORBIDDEN, ELIGIBLE, 2, 2#1",
        "-++, 1#1, 3#1, FORBIDDEN, ELIGIBLE, 3, 3#1",
        "?+-, 1#1, 2#1, FORBIDDEN, ELIGIBLE, 2, 2#1",
        "-++, 1#1, 2#0 3#1, ALLOWED, ELIGIBLE, 3, 3#1",
        // a void entry never leads, and unclean is last
        "+--, 1#0, '', FORBIDDEN, NOBODY, -1, 1#0",
        "+++, 1#0, 2#0 3#0, ALLOWED, NOBODY, -1, 1#0",
        "-+-, 1#1, '', FORBIDDEN, NOBODY, -1, 1#1",
        "-++, 1#1, '', ALLOWED, UNCLEAN, 2, 2#1",
        "-+-, 1#1, 2#0, ALLOWED, UNCLEAN, 2, 2#1",
        "-s+, 1#1, '', ALLOWED, UNCLEAN, 3, 3#1",
        "---, 1#1, '', ALLOWED, NOBODY, -1, 1#1",
        // a member in question may be back in a moment
        "?++, 1#1, '', ALLOWED, NOBODY, -1, 1#1",
        "-+?, 1#1, 3#1, ALLOWED, NOBODY, -1, 1#1",
    })
    void shouldElectByTheTable(ArgumentsAccessor row) {
        // given
        PartitionState partition = partition(entries(row.getString(1)), entries(row.getString(2)));

        // when
        LeaderElection.Outcome outcome =
                new LeaderElection(view(row.getString(0))).elect(partition, partition.isr(), row.get(3, Unclean.class));

        // then
        assertThat(outcome)
                .isEqualTo(new LeaderElection.Outcome(
                        row.get(4, Kind.class), row.getInteger(5), entries(row.getString(6))));
    }

    private static PartitionState partition(List<Member> isr, List<Member> eligible) {
        return new PartitionState(
                ClusterFixture.TOPIC_ID,
                ClusterFixture.PARTITION,
                PartitionState.NO_LEADER,
                4,
                9,
                List.of(1, 2, 3),
                isr,
                eligible,
                2,
                1);
    }

    private static BrokerView view(String brokers) {
        SortedMap<Integer, BrokerRegistration> registrations = new TreeMap<>();
        SortedMap<Integer, Incarnation> incarnations = new TreeMap<>();
        SortedMap<Integer, Question> questions = new TreeMap<>();
        SortedMap<Integer, Departure> departures = new TreeMap<>();
        Endpoint endpoint = new Endpoint("h", 1);
        for (int id = 1; id <= brokers.length(); id++) {
            BrokerRegistration registration =
                    new BrokerRegistration(id, 10L * id, id, endpoint, endpoint, endpoint, "", List.of(), -1);
            incarnations.put(id, new Incarnation(1, registration, 0));
            char mark = brokers.charAt(id - 1);
            if (mark == '+' || mark == 's') {
                registrations.put(id, registration);
            }
            if (mark == 's') {
                departures.put(id, new Departure(10L * id, Departure.Reason.SHUTTING_DOWN));
            }
            if (mark == '?') {
                questions.put(id, new Question(registration, Question.Phase.GRACE));
            }
        }
        return new BrokerView(
                new ClusterState.Brokers(registrations, incarnations, questions, departures), new TreeSet<>());
    }

    private static List<Member> entries(String text) {
        return text.isEmpty() ? List.of() : members(text.split(" "));
    }
}
