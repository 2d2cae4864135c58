package io.tidemark.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Crash;
import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Note;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Action.Via;
import io.tidemark.history.HistoryFormat.Decoded;
import io.tidemark.history.SendMode.Acks;
import io.tidemark.history.SendMode.Idempotence;
import io.tidemark.history.Step.Asked;
import io.tidemark.history.Step.Poll;
import io.tidemark.history.Step.Send;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written in one of the formats is read from it again. */
final class HistoryFormatTest {
    private static final HistoryFormat EDN = HistoryFormat.edn();
    private static final HistoryFormat JSON = HistoryFormat.jsonLines();

    static List<String> names() {
        return Histories.names();
    }

    @Test
    void shouldHaveAllHistories() {
        assertThat(Histories.names()).hasSize(55);
    }

    // Fails if: the exporter writes a field under another name, in another order, or leaves one out.
    @ParameterizedTest
    @MethodSource("names")
    void shouldExportWhatItReadToTheByte(String name) throws IOException {
        for (String line : Files.readAllLines(Histories.file(name))) {
            assertThat(EDN.encode(event(EDN, line))).isEqualTo(line);
        }
    }

    // Fails if: JSON lines have no word for something that EDN has.
    @ParameterizedTest
    @MethodSource("names")
    void shouldLoseNothingInJsonLines(String name) throws IOException {
        for (String line : Files.readAllLines(Histories.file(name))) {
            HistoryEvent event = event(EDN, line);
            assertThat(event(JSON, JSON.encode(event))).isEqualTo(event);
        }
    }

    @Test
    void shouldKeepWhatOnlyWeRecordInBothFormats() {
        // given: each extension, and everything that has to be escaped
        Transfer transfer = Transfer.of(
                        Function.TXN,
                        List.of(
                                Send.of(0, 4).at(7),
                                new Send(1, -5, Send.UNKNOWN_OFFSET, 3),
                                new Asked(),
                                new Poll(List.of()),
                                new Poll(List.of(
                                        ReadRecords.of(2, new long[] {7, 9}, new long[] {4, Long.MAX_VALUE}),
                                        ReadRecords.of(1, new long[0], new long[0])))))
                .under(new SendMode(Acks.LEADER, Idempotence.OFF))
                .rebalancing(List.of(0, 2))
                .toldOf(new TreeMap<>(Map.of(2, 17L)));
        List<Action> actions = List.of(
                transfer,
                new Assignment(Via.ASSIGN, List.of(0, 1), Start.FINAL_READ),
                new Assignment(Via.SUBSCRIBE, List.of(), Start.BEGINNING),
                new Crash(),
                Note.about("kill", List.of("n\"1", "back\\slash\n\u0001\u20ac")));

        for (Action action : actions) {
            // when, then
            int process = action instanceof Note ? HistoryEvent.NEMESIS : 3;
            HistoryEvent event = new HistoryEvent(12, 55_800_000, Phase.INFO, process, action, "say \"why\"");
            assertThat(event(EDN, EDN.encode(event))).isEqualTo(event);
            assertThat(event(JSON, JSON.encode(event))).isEqualTo(event);
        }
    }

    @Test
    void shouldSayNothingOfWhatIsAssumed() {
        HistoryEvent event = event(EDN, "{:index 0, :time 1, :type :ok, :process 3, :f :send, :value [[:send 0 [7 4]]]}");

        assertThat(JSON.encode(event))
                .isEqualTo("{\"index\":0,\"timeNs\":1,\"phase\":\"ok\",\"process\":3,\"f\":\"send\","
                        + "\"steps\":[{\"send\":{\"key\":0,\"value\":4,\"offset\":7}}]}");
    }

    @Test
    void shouldReadOtherSpellingsOfTheSame() {
        String plain = "{:index 3, :time 1, :type :invoke, :process 0, :f :poll, :value [[:poll]]}";
        String other = "  #jepsen.history.Op{:f :poll :value ((:poll)),,:process 0 :type :invoke :index +3 :time 1N"
                + " :node #{n1 2.5 -1e9 1/2} :at #inst \"2024\"} ; done";

        assertThat(event(EDN, other)).isEqualTo(event(EDN, plain));
        assertThat(EDN.decode(" ; only a comment")).isEqualTo(Decoded.NOTHING);
        assertThat(EDN.decode("")).isEqualTo(Decoded.NOTHING);
        assertThat(JSON.decode(JSON.header().orElseThrow())).isEqualTo(Decoded.NOTHING);
        assertThat(JSON.decode(" ")).isEqualTo(Decoded.NOTHING);
    }

    // Fails if: a flaw is thrown instead of answered, or its column is not that of the place.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{:index 1 | 1 | '{' is not closed",
                "{:index 1, :index 2} | 12 | a map with the key :index twice",
                "{:index} | 2 | a map's key without a value",
                "[1 2) | 5 | ')' closes nothing",
                "[1] [2] | 5 | more than one value on the line",
                "[\"abc] | 2 | a string without an end",
                "[\"a\\qc\"] | 5 | an unknown escape in a string",
                "[\"\\u12g4\"] | 7 | four hexadecimal digits are due",
                "[12x] | 2 | not a number: 12x",
                "[9223372036854775808] | 2 | a number beyond 64 bits: 9223372036854775808",
                "[\\a] | 2 | characters are not supported",
                "[#_ 1] | 2 | '#_' is not supported",
                "[:] | 2 | a keyword without a name",
                "[1 2] | 1 | an operation is a map",
                "{:index 1, :time 1, :process 1, :f :crash} | 1 | :type is missing",
                "{:index 1, :time 1, :type :maybe, :process 1, :f :crash} | 21 | :type is none of invoke, ok, fail, info",
                "{:index :a, :time 1, :type :ok, :process 1, :f :crash} | 2 | :index has :a where a number is due",
                "{:index 1, :time 1, :type :ok, :process -4, :f :crash} | 32 | :process is negative",
                "{:index 1, :time 1, :type :ok, :process 1, :f 7} | 44 | :f is no keyword",
                "{:index 1, :time 1, :type :ok, :process 1, :f :assign, :value 4} | 56 | :value has 4 where values in a row are due",
                "{:index 1, :time 1, :type :ok, :process 1, :f :send, :value [[:send 0 [-1 4]]]} | 54 | :value has a negative offset",
                "{:index 1, :time 1, :type :ok, :process 1, :f :send, :value [[:send 4294967296 1]]} | 54 | :value has a number beyond 32 bits: 4294967296",
                "{:index 1, :time 1, :type :ok, :process 1, :f :poll, :value [[:poll {0 [[1]]}]]} | 54 | :value polls something that is not [offset value]",
                "{:index 1, :time 1, :type :ok, :process 1, :f :send, :value [[:send 0 1]], :acks 3} | 76 | :acks is no keyword",
                "{:index 1, :time 1, :type :ok, :process 1, :f :send, :value [[:send 0 1]], :idempotent 3} | 76 | :idempotent is neither true nor false",
                "{:index 1, :time 1, :type :ok, :process 1, :f :send, :value [[:send 0 1]], :record-keys [1 2]} | 76 | :record-keys has 2 entries for 1 sends",
            })
    void shouldSayWhereEdnIsBad(String line, int column, String message) {
        Decoded decoded = EDN.decode(line);

        assertThat(decoded.event()).isEmpty();
        assertThat(decoded.flaw().orElseThrow()).isEqualTo(new HistoryFormat.Flaw(column, message));
    }

    @Test
    void shouldBoundTheDepthOfEdn() {
        assertThat(EDN.decode("[".repeat(100_000)).flaw().orElseThrow().message())
                .isEqualTo("nested more than 64 deep");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"index\":1",
                "{\"index\":\"a\"}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":1,\"f\":\"crash\"} {}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"maybe\",\"process\":1,\"f\":\"crash\"}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":\"me\",\"f\":\"crash\"}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":-1,\"f\":\"crash\"}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":1}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":1,\"f\":\"send\",\"steps\":[{\"send\":{\"key\":0}}]}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":1,\"f\":\"send\",\"steps\":[{\"shout\":{}}]}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":1,\"f\":\"poll\",\"steps\":[{\"poll\":[{\"records\":[[1,2]]}]}]}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":1,\"f\":\"poll\",\"steps\":[{\"poll\":[{\"key\":0,\"records\":[[1]]}]}]}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":1,\"f\":\"send\",\"steps\":[],\"acks\":\"some\"}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":1,\"f\":\"assign\",\"keys\":[0],\"start\":\"end\"}",
                "{\"index\":1,\"timeNs\":1,\"phase\":\"ok\",\"process\":1,\"f\":\"kill\",\"value\":\"[\"}",
                "{\"history\":\"tidemark\",\"version\":2}",
                "[]",
                "nonsense",
            })
    void shouldRefuseBadJsonWithoutAnException(String line) {
        Decoded decoded = JSON.decode(line);

        assertThat(decoded.event()).isEmpty();
        assertThat(decoded.flaw().orElseThrow().message()).isNotBlank();
    }

    @Test
    void shouldPassOverFieldsThatALaterVersionMayHave() {
        String line = "{\"later\":[1,{\"a\":2}],\"index\":1,\"timeNs\":2,\"phase\":\"info\",\"process\":\"nemesis\","
                + "\"f\":\"kill\",\"value\":\"[\\\"n1\\\"]\"}";

        assertThat(event(JSON, line))
                .isEqualTo(new HistoryEvent(
                        1, 2, Phase.INFO, HistoryEvent.NEMESIS, Note.about("kill", List.of("n1")), ""));
    }

    private static HistoryEvent event(HistoryFormat format, String line) {
        Decoded decoded = format.decode(line);
        return decoded.event().orElseThrow(() -> new AssertionError(line + ": " + decoded.flaw()));
    }
}
