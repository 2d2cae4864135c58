package io.tidemark.server.status;

import static io.tidemark.server.status.States.brokers;
import static io.tidemark.server.status.States.partition;
import static io.tidemark.server.status.States.topic;
import static io.tidemark.server.status.States.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.metadata.MetadataCache;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class StatusPagesTest {
    private static ClusterView view(PartitionState... partitions) {
        MetadataCache cache = new MetadataCache();
        cache.apply(update(brokers(1, 2), topic(partitions)), 3);
        return cache.view();
    }

    private static StatusReport report(ClusterView view, List<String> missing, StatusReport.@Nullable Office office) {
        return new StatusReport(
                1_700_000_000_123L,
                new StatusReport.Self(1, 101, "<cluster>", "1.2&3", BrokerState.RUNNING, "CONNECTED", missing, 5, 2, 1),
                new StatusReport.Told(2, 3, 61_000),
                view.brokers(),
                Troubles.of(view),
                List.of(new Election(
                        1_700_000_000_000L, new TopicPartition("or'ders", 4), 1, -1, 9, "<script>alert(1)</script>")),
                office);
    }

    @Test
    void shouldCountEachTroubleUnderTheWorstThatCanBeSaid() {
        Troubles troubles = Troubles.of(view(
                partition(0, 1, 1, 1, 2, 3),
                partition(1, 1, 1, 1, 2),
                partition(2, 1, 1, 1),
                partition(3, -1, 1, 1),
                partition(4, -1, 1, 1)));
        assertThat(troubles.partitions()).isEqualTo(5);
        assertThat(troubles.count(Troubles.Kind.OFFLINE)).isEqualTo(2);
        assertThat(troubles.count(Troubles.Kind.UNDER_MIN_ISR)).isEqualTo(1);
        assertThat(troubles.count(Troubles.Kind.UNDER_REPLICATED)).isEqualTo(1);
        assertThat(troubles.total()).isEqualTo(4);
        assertThat(troubles.listed())
                .extracting(trouble -> trouble.state().partition().partition())
                .containsExactly(3, 4, 2, 1);
    }

    @Test
    void shouldListABoundedNumberTheWorstFirst() {
        // given: so many under-replicated ones, and one that is offline behind them
        PartitionState[] many = IntStream.range(0, 5_000)
                .mapToObj(number -> partition(number, 1, 1, 1, 2))
                .toArray(PartitionState[]::new);
        PartitionState[] all = Arrays.copyOf(many, many.length + 1);
        all[5_000] = partition(5_000, -1, 1, 1);

        // when
        ClusterView view = view(all);
        String html = StatusHtml.of(report(view, List.of(), null));

        // then
        Troubles troubles = Troubles.of(view);
        assertThat(troubles.total()).isEqualTo(5_001);
        assertThat(troubles.listed()).hasSize(Troubles.MAX_LISTED);
        assertThat(troubles.listed().get(0).kind()).isEqualTo(Troubles.Kind.OFFLINE);
        assertThat(html).contains("The first 100 of 5001 are shown.").hasSizeLessThan(100_000);
    }

    @Test
    void shouldEscapeWhateverIsShown() {
        String html = StatusHtml.of(report(view(partition(0, 1, 1, 1, 2)), List.of("a < b"), null));
        assertThat(html)
                .contains("&lt;cluster&gt;")
                .contains("1.2&amp;3")
                .contains("or&#39;ders-4")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
                .contains("rack&lt;1")
                .contains("Not ready: a &lt; b.")
                .doesNotContain("<script")
                .doesNotContain("<cluster>");
    }

    @Test
    void shouldLoadNothingFromElsewhere() {
        String html = StatusHtml.of(report(view(), List.of(), null));
        assertThat(html.replace("http://www.w3.org/2000/svg", "")).doesNotContain("://");
        assertThat(html).doesNotContain("src=").contains("None of 0.").contains("1 min ago");
    }

    @Test
    void shouldShowWhatOnlyTheControllerKnows() {
        StatusReport.Office office = new StatusReport.Office(3, true, List.of(3, 9), List.of(9), List.of(), 2, 1);
        String html = StatusHtml.of(report(view(), List.of(), office));
        String json = StatusJson.of(report(view(), List.of(), office));
        assertThat(html).contains("In office as the controller").contains("<td>3, 9</td>");
        assertThat(json)
                .contains("\"office\":{\"controllerEpoch\":3,\"starting\":true,\"missingBrokers\":[3,9],"
                        + "\"brokersInQuestion\":[9],\"departingBrokers\":[],\"recoveryElections\":2,"
                        + "\"topicDeletions\":1}");
    }

    @Test
    void shouldSayTheSameAsJson() {
        String json = StatusJson.of(report(view(partition(0, -1, 7, 1)), List.of("not yet"), null));
        assertThat(json)
                .startsWith(
                        "{\"atMs\":1700000000123,\"broker\":{\"id\":1,\"epoch\":101,\"clusterId\":\"\\u003ccluster\\u003e\"")
                .contains("\"ready\":false,\"missing\":[\"not yet\"],\"replicas\":5,\"leaders\":2,\"strays\":1}")
                .contains("\"controller\":{\"id\":2,\"epoch\":3,\"toldMsAgo\":61000}")
                .contains(
                        "{\"topic\":\"orders\",\"partition\":0,\"trouble\":\"OFFLINE\",\"leader\":-1,\"leaderEpoch\":7,"
                                + "\"replicas\":[1,2,3],\"isr\":[1],\"minIsr\":2}")
                .contains("\"from\":1,\"to\":-1,\"leaderEpoch\":9")
                .doesNotContain("office")
                .endsWith("}\n");
    }

    @Test
    void shouldWriteJsonOfEveryKind() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("a\"\\b", "x\n\t\u0001\u2028");
        map.put("list", List.of(1, 2L, true));
        map.put("none", null);
        assertThat(JsonText.of(map))
                .isEqualTo("{\"a\\\"\\\\b\":\"x\\u000a\\u0009\\u0001\\u2028\",\"list\":[1,2,true],\"none\":null}\n");
        assertThatThrownBy(() -> JsonText.of(List.of(1.5))).isInstanceOf(IllegalArgumentException.class);
    }
}
