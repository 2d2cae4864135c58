package io.tidemark.cli.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Tidemark;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Commands that ask a broker, against one that always answers the same; also what the training run relies on. */
final class AskingTest {
    private static final String ID = "0".repeat(32);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String address, String... arguments) {
        CommandLine line = Tidemark.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-b", address));
        return line.execute(all.toArray(String[]::new));
    }

    private int ask(String... arguments) throws IOException {
        try (CannedBroker broker = new CannedBroker()) {
            return run(broker.address().toString(), arguments);
        }
    }

    @Test
    void shouldListTopicsForEachReader() throws IOException {
        assertThat(ask("topic", "list")).isZero();
        assertThat(ask("topic", "list", "-o", "json")).isZero();
        assertThat(ask("topic", "list", "-o", "name")).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "NAME    PARTITIONS  REPLICATION",
                        "orders           1            1",
                        "[{\"name\":\"orders\",\"topicId\":\"" + ID + "\",\"partitions\":1,\"replicationFactor\":1}]",
                        "orders");
        assertThat(err).hasToString("");
    }

    @Test
    void shouldDescribeATopicWithTheKeysThatScriptsRead() throws IOException {
        assertThat(ask("topic", "describe", "orders", "-o", "json")).isZero();
        assertThat(out)
                .hasToString("{\"name\":\"orders\",\"topicId\":\"" + ID + "\",\"configs\":{},\"partitions\":["
                        + "{\"partition\":0,\"leader\":1,\"leaderEpoch\":1,\"partitionEpoch\":1,"
                        + "\"replicas\":[1],\"isr\":[1],\"eligible\":[]}]}\n");
    }

    @Test
    void shouldDescribeATopicToPeople() throws IOException {
        assertThat(ask("topic", "describe", "orders", "--no-headers")).isZero();
        assertThat(out.toString().lines()).containsExactly("topic orders, id " + ID, "0  1  1  1  1  -  ok");
    }

    @Test
    void shouldListBrokersWithTheKeysThatScriptsRead() throws IOException {
        assertThat(ask("broker", "list", "-o", "jsonl")).isZero();
        assertThat(out.toString())
                .matches("\\{\"id\":1,\"address\":\"127.0.0.1:\\d+\",\"httpAddress\":null,\"rack\":\"\","
                        + "\"controller\":true,\"leaders\":1}\n");
    }

    @Test
    void shouldSayWhichTopicWasMeantAndWhoSaidSo() throws IOException {
        assertThat(ask("topic", "describe", "ordres")).isEqualTo(1);
        assertThat(err.toString())
                .containsPattern(
                        "there is no topic ordres \\(said broker 1 at 127\\.0\\.0\\.1:\\d+\\); did you mean orders\\?")
                .contains("next: tidemark topic list");
        assertThat(out).hasToString("");
    }

    @Test
    void shouldNotAskForConfirmationOfWhatIsNotThere() throws IOException {
        assertThat(ask("topic", "delete", "ordres")).isEqualTo(1);
        assertThat(err.toString()).contains("cannot delete topic ordres: there is no topic ordres");
    }

    @Test
    void shouldRefuseToDeleteUnconfirmed() throws IOException {
        assertThat(ask("topic", "delete", "orders")).isEqualTo(4);
        assertThat(err.toString()).contains("not confirmed").contains("--yes");
    }

    @Test
    void shouldRefuseToDeleteRecordsUnconfirmed() throws IOException {
        assertThat(ask("topic", "trim", "orders", "-p", "0", "--to", "5")).isEqualTo(4);
        assertThat(err.toString())
                .contains("records of orders/0 are not deleted")
                .contains("--yes");
    }

    @Test
    void shouldSayThatThereIsNoSuchPartition() throws IOException {
        assertThat(ask("consume", "orders", "-p", "7")).isEqualTo(1);
        assertThat(ask("partition", "transfer-leader", "orders/7", "1")).isEqualTo(1);
        assertThat(ask("topic", "trim", "orders", "-p", "7", "--to", "5", "--yes"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("topic orders has partitions 0 to 0, not 7");
    }

    @Test
    void shouldNameTheAddressesWhenNobodyAnswers() throws IOException {
        // given
        String nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = "127.0.0.1:" + socket.getLocalPort();
        }

        // when
        int code = run(nobody, "topic", "list", "--timeout", "3");

        // then
        assertThat(code).isEqualTo(5);
        assertThat(err.toString())
                .contains("tried " + nobody)
                .contains("BROKER_NOT_AVAILABLE")
                .contains("next: ");
        assertThat(out).hasToString("");
    }
}
