package io.tidemark.cli.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Output;
import io.tidemark.client.admin.ClusterHealth;
import io.tidemark.client.admin.ClusterHealth.Kind;
import io.tidemark.client.admin.ClusterHealth.Member;
import io.tidemark.client.admin.ClusterHealth.Problem;
import io.tidemark.client.admin.ClusterHealth.Statement;
import io.tidemark.client.net.Metadata;
import io.tidemark.model.Endpoint;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The JSON is a contract; the table is for reading. */
final class HealthReportTest {
    private final StringWriter out = new StringWriter();

    private String printed(Output.Format format, List<Problem> problems) {
        SortedMap<Integer, Member> members = new TreeMap<>();
        Metadata.Broker one = new Metadata.Broker(1, new Endpoint("b1", 9092), null, "");
        Metadata.Broker two = new Metadata.Broker(2, new Endpoint("b2", 9092), null, "");
        members.put(1, new Member(one, new Statement.Said(Metadata.NONE), 2, 7));
        members.put(2, new Member(two, new Statement.Silent("no answer within 3000 ms"), -1, -1));
        Output output = new Output(format, Output.Headers.SHOWN, new PrintWriter(out), new PrintWriter(out));
        new HealthReport(new ClusterHealth(members, problems)).print(output);
        return out.toString();
    }

    @Test
    void shouldPrintOneLineOfJson() {
        // when
        String printed = printed(
                Output.Format.json, List.of(new Problem(Kind.UNDER_MIN_ISR, "orders/0", "orders/0: [1] of [1, 2]")));

        // then
        assertThat(printed)
                .isEqualTo("{\"healthy\":false,\"brokers\":["
                        + "{\"id\":1,\"address\":\"b1:9092\",\"answered\":true,\"controller\":2,\"controllerEpoch\":7},"
                        + "{\"id\":2,\"address\":\"b2:9092\",\"answered\":false,\"controller\":-1,\"controllerEpoch\":-1}],"
                        + "\"problems\":[{\"kind\":\"under-min-isr\",\"subject\":\"orders/0\","
                        + "\"text\":\"orders/0: [1] of [1, 2]\"}]}\n");
    }

    @Test
    void shouldPrintMembersAndProblemsForPeople() {
        // when
        String printed = printed(Output.Format.table, List.of(new Problem(Kind.OFFLINE, "a/0", "a/0 has no leader")));

        // then
        assertThat(printed)
                .isEqualTo("not healthy: 1 problem\n"
                        + "BROKER  ADDRESS  CONTROLLER          ANSWER\n"
                        + "     1  b1:9092  broker 2 (epoch 7)  ok\n"
                        + "     2  b2:9092  -                   no answer within 3000 ms\n"
                        + "offline: a/0 has no leader\n");
    }

    @Test
    void shouldNotPrintThousandsOfProblemsForPeople() {
        // given
        List<Problem> problems = IntStream.range(0, 1_000)
                .mapToObj(number -> new Problem(Kind.OFFLINE, "a/" + number, "a/" + number + " has no leader"))
                .toList();

        // then
        assertThat(printed(Output.Format.table, problems))
                .contains("a/19 has no leader")
                .doesNotContain("a/20 ")
                .contains("and 980 more: tidemark partition list");
    }
}
