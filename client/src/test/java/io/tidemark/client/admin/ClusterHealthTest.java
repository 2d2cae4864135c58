package io.tidemark.client.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.admin.ClusterHealth.Kind;
import io.tidemark.client.admin.ClusterHealth.Problem;
import io.tidemark.client.admin.ClusterHealth.Statement;
import io.tidemark.client.net.Metadata;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** OPERATIONS 1.2: health is what every broker says, and disagreement is seen. */
final class ClusterHealthTest {
    private static final List<Integer> ALL = List.of(1, 2, 3);

    private static SortedMap<Integer, Metadata.Broker> brokers(List<Integer> ids) {
        SortedMap<Integer, Metadata.Broker> brokers = new TreeMap<>();
        ids.forEach(id -> brokers.put(id, new Metadata.Broker(id, new Endpoint("b" + id, 9092), null, "")));
        return brokers;
    }

    private static Metadata.Partition partition(int leader, int partitionEpoch, List<Integer> isr) {
        return new Metadata.Partition(0, leader, 5, partitionEpoch, ALL, isr, List.of(), 2);
    }

    private static Metadata view(int controllerEpoch, List<Integer> live, Metadata.Partition partition) {
        SortedMap<Integer, Metadata.Partition> partitions = new TreeMap<>();
        partitions.put(0, partition);
        SortedMap<String, Metadata.Topic> topics = new TreeMap<>();
        topics.put("orders", new Metadata.Topic("orders", ErrorCode.NONE, "id", new TreeMap<>(), partitions));
        return new Metadata("cluster", 1, controllerEpoch, 1, brokers(live), topics);
    }

    private static Statement said(Metadata metadata) {
        return new Statement.Said(metadata);
    }

    private static List<Kind> kinds(ClusterHealth health) {
        return health.problems().stream().map(Problem::kind).toList();
    }

    private static ClusterHealth judge(List<Integer> live, Statement... statements) {
        SortedMap<Integer, Statement> all = new TreeMap<>();
        for (int i = 0; i < statements.length; i++) {
            all.put(live.get(i), statements[i]);
        }
        return ClusterHealth.of(brokers(live), all);
    }

    @Test
    void shouldFindNothingWrongWhenAllAgreeAndAllIsInSync() {
        // given
        Statement well = said(view(7, ALL, partition(1, 4, ALL)));

        // then
        assertThat(judge(ALL, well, well, well).isHealthy()).isTrue();
    }

    @Test
    void shouldNameTheMissingBrokerAndThePartitionThatItLeavesBehind() {
        // given
        List<Integer> live = List.of(1, 2);
        Statement told = said(view(7, live, partition(1, 5, live)));

        // when
        ClusterHealth health = judge(live, told, told);

        // then
        assertThat(health.problems())
                .containsExactly(
                        new Problem(Kind.BROKER_MISSING, "3", "broker 3 has replicas and is not here"),
                        new Problem(Kind.UNDER_REPLICATED, "orders/0", "orders/0: [1, 2] of [1, 2, 3] in sync"));
    }

    @Test
    void shouldPutThePartitionThatCannotBeWrittenBeforeTheBrokerThatIsMissing() {
        // given
        List<Integer> live = List.of(1);
        Statement told = said(view(7, live, partition(1, 6, live)));

        // then
        assertThat(kinds(judge(live, told)))
                .containsExactly(Kind.UNDER_MIN_ISR, Kind.BROKER_MISSING, Kind.BROKER_MISSING);
    }

    @Test
    void shouldCallAPartitionWithoutALeaderOfflineAndNothingElse() {
        // given
        List<Integer> live = List.of(1, 2);
        Statement told = said(view(7, live, partition(-1, 6, List.of(3))));

        // then
        assertThat(kinds(judge(live, told, told))).containsExactly(Kind.OFFLINE, Kind.BROKER_MISSING);
    }

    @Test
    void shouldTakeSilenceForAProblem() {
        // given
        Statement well = said(view(7, ALL, partition(1, 4, ALL)));

        // when
        ClusterHealth health = judge(ALL, well, new Statement.Silent("no answer within 3000 ms"), well);

        // then
        assertThat(health.problems())
                .containsExactly(new Problem(
                        Kind.BROKER_SILENT, "2", "broker 2 at b2:9092 does not answer: no answer within 3000 ms"));
    }

    @Test
    void shouldSeeThatABrokerListensToAnEarlierController() {
        // given
        Statement now = said(view(7, ALL, partition(1, 4, ALL)));
        Statement before = said(view(6, ALL, partition(1, 4, ALL)));

        // then
        assertThat(kinds(judge(ALL, before, now, now))).containsExactly(Kind.DISAGREEMENT);
    }

    @Test
    void shouldJudgePartitionsByWhoHasHeardMost() {
        // given
        Statement stale = said(view(7, ALL, partition(1, 4, ALL)));
        Statement fresh = said(view(7, ALL, partition(1, 5, List.of(1, 2))));

        // when
        ClusterHealth health = judge(ALL, stale, fresh, stale);

        // then
        assertThat(kinds(health)).containsExactly(Kind.UNDER_REPLICATED, Kind.DISAGREEMENT, Kind.DISAGREEMENT);
    }

    @Test
    void shouldSayThatThereIsNoControllerWhenNobodyKnowsOne() {
        // given
        Metadata lonely = new Metadata("cluster", -1, -1, 1, brokers(ALL), new TreeMap<>());

        // then
        assertThat(kinds(judge(ALL, said(lonely), said(lonely), said(lonely)))).containsExactly(Kind.NO_CONTROLLER);
    }
}
