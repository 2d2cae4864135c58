package io.tidemark.cli.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.topic.PartitionList.Condition;
import io.tidemark.cli.topic.PartitionList.Row;
import io.tidemark.client.net.Metadata;
import io.tidemark.model.ErrorCode;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** OPERATIONS 1.2: partition list and its conditions. */
final class PartitionListTest {
    private static final List<Integer> REPLICAS = List.of(1, 2, 3);
    private static final Metadata CLUSTER = cluster();

    private static Metadata cluster() {
        SortedMap<Integer, Metadata.Partition> partitions = new TreeMap<>();
        add(partitions, 0, 1, REPLICAS);
        add(partitions, 1, 2, REPLICAS);
        add(partitions, 2, 1, List.of(1, 3));
        add(partitions, 3, 1, List.of(1));
        add(partitions, 4, -1, List.of(2));
        SortedMap<String, Metadata.Topic> topics = new TreeMap<>();
        topics.put("orders", new Metadata.Topic("orders", ErrorCode.NONE, "id", new TreeMap<>(), partitions));
        topics.put("other", new Metadata.Topic("other", ErrorCode.NONE, "id2", new TreeMap<>(), partitions));
        return new Metadata("cluster", 1, 7, 1, new TreeMap<>(), topics);
    }

    private static void add(SortedMap<Integer, Metadata.Partition> all, int number, int leader, List<Integer> isr) {
        all.put(number, new Metadata.Partition(number, leader, 5, 9, REPLICAS, isr, List.of(), 2));
    }

    private static List<String> orders(Condition... any) {
        return PartitionList.rows(CLUSTER, "orders", List.of(any)).stream()
                .map(Row::name)
                .toList();
    }

    @Test
    void shouldListAllOfAllTopicsWithoutACondition() {
        assertThat(PartitionList.rows(CLUSTER, "", List.of())).hasSize(10);
        assertThat(orders()).hasSize(5).startsWith("orders/0");
    }

    @Test
    void shouldListEachConditionsPartitions() {
        assertThat(orders(Condition.OFFLINE)).containsExactly("orders/4");
        assertThat(orders(Condition.UNDER_MIN_ISR)).containsExactly("orders/3", "orders/4");
        assertThat(orders(Condition.AT_MIN_ISR)).containsExactly("orders/2");
        assertThat(orders(Condition.UNDER_REPLICATED)).containsExactly("orders/2", "orders/3", "orders/4");
        assertThat(orders(Condition.NOT_PREFERRED)).containsExactly("orders/1");
    }

    @Test
    void shouldListWhatIsInOneOfSeveralConditions() {
        assertThat(orders(Condition.NOT_PREFERRED, Condition.OFFLINE)).containsExactly("orders/1", "orders/4");
    }

    @Test
    void shouldTellProgramsTheConditionsByName() {
        // when
        Row offline = PartitionList.rows(CLUSTER, "orders", List.of(Condition.OFFLINE))
                .get(0);

        // then
        assertThat(PartitionList.json(offline))
                .hasToString("{\"topic\":\"orders\",\"partition\":4,\"leader\":-1,\"leaderEpoch\":5,"
                        + "\"partitionEpoch\":9,\"replicas\":[1,2,3],\"isr\":[2],\"eligible\":[],\"minIsr\":2,"
                        + "\"conditions\":[\"offline\",\"under-min-isr\",\"under-replicated\"]}");
    }
}
