package io.tidemark.coordination.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class AssignmentTest {
    @Test
    void shouldGoRoundTheBrokersAndShiftTheFollowers() {
        assertThat(Assignment.roundRobin(List.of(1, 2, 3), 6, 2, 0))
                .containsExactly(
                        List.of(1, 2), List.of(2, 3), List.of(3, 1), List.of(1, 3), List.of(2, 1), List.of(3, 2));
    }

    @Test
    void shouldStartElsewhereForAnotherNumber() {
        assertThat(Assignment.roundRobin(List.of(1, 2, 3), 1, 1, 2)).containsExactly(List.of(3));
        assertThat(Assignment.roundRobin(List.of(1, 2, 3), 1, 3, Long.MIN_VALUE).get(0))
                .containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void shouldGiveDistinctBrokersAndEvenLoadForEverySize() {
        for (int brokers = 1; brokers <= 7; brokers++) {
            List<Integer> ids = IntStream.range(0, brokers).boxed().toList();
            for (int factor = 1; factor <= brokers; factor++) {
                // when
                List<List<Integer>> assignment = Assignment.roundRobin(ids, brokers * 3, factor, 41L * factor);

                // then
                SortedMap<Integer, Integer> leaders = new TreeMap<>();
                SortedMap<Integer, Integer> replicas = new TreeMap<>();
                for (List<Integer> each : assignment) {
                    assertThat(each).hasSize(factor).doesNotHaveDuplicates();
                    leaders.merge(each.get(0), 1, Integer::sum);
                    each.forEach(id -> replicas.merge(id, 1, Integer::sum));
                }
                assertThat(leaders.values()).containsOnly(3);
                assertThat(replicas.values()).containsOnly(3 * factor);
            }
        }
    }
}
