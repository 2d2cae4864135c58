package io.tidemark.checker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.checker.CheckOptions.Rules;
import io.tidemark.checker.CheckOptions.WriteOrder;
import io.tidemark.history.Action.Via;
import io.tidemark.history.Histories;
import io.tidemark.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The verdicts of Jepsen's Kafka workload checker: ours are the same, under each pair of options. */
final class KafkaVerdictsTest {
    /** Coarse twins, which stand beside the kind of a cycle and say nothing more. */
    private static final Map<String, String> TWINS = Map.of(
            "G0", "PL-1-cycle-exists",
            "G0-realtime", "strong-PL-1-cycle-exists",
            "G1c", "PL-2-cycle-exists",
            "G1c-realtime", "strong-PL-2-cycle-exists");

    private static final Set<String> CYCLES = TWINS.keySet();

    static List<String> names() {
        return Histories.names();
    }

    // Fails if: any kind is found where it was not, is missed, or names another key, value or operation.
    @ParameterizedTest
    @MethodSource("names")
    void shouldFindTheSameCases(String name) throws IOException {
        // given
        JsonObject expected = expected(name);

        // when
        Verdict verdict = Checker.check(Histories.load(name), options(expected.getAsJsonObject("options")));

        // then
        assertSame(verdict, expected);
        assertThat(cases(VerdictJson.of(verdict).getAsJsonObject("details")))
                .isEqualTo(cases(expected.getAsJsonObject("details")));
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldComeToTheSameVerdictUnderOtherOptions(String name) throws IOException {
        History history = Histories.load(name);
        JsonArray variants = expected(name).getAsJsonArray("variants");

        assertThat(variants).hasSize(3);
        for (JsonElement variant : variants) {
            assertSame(Checker.check(history, options(variant.getAsJsonObject())), variant.getAsJsonObject());
        }
    }

    private static void assertSame(Verdict verdict, JsonObject expected) {
        assertThat(verdict.isValid()).isEqualTo(expected.get("valid").getAsBoolean());
        assertThat(withTwins(verdict.badKinds())).isEqualTo(words(expected.getAsJsonArray("badErrors")));
        assertThat(withTwins(verdict.reportedKinds())).isEqualTo(words(expected.getAsJsonArray("reportedErrors")));
    }

    private static JsonObject expected(String name) throws IOException {
        return JsonParser.parseString(Files.readString(Histories.verdict(name))).getAsJsonObject();
    }

    private static CheckOptions options(JsonObject options) {
        return CheckOptions.STRICT
                .with(Rules.KAFKA_WORKLOAD)
                .with(Via.valueOf(options.get("subVia").getAsString().toUpperCase(Locale.ROOT)))
                .with(options.get("wwDeps").getAsBoolean() ? WriteOrder.DRAWN : WriteOrder.IGNORED);
    }

    /** By kind the cases as text, sorted; of cycles only whether there are any. */
    private static Map<String, List<String>> cases(JsonObject details) {
        Map<String, List<String>> cases = new TreeMap<>();
        for (Map.Entry<String, JsonElement> kind : details.entrySet()) {
            List<String> texts = new ArrayList<>();
            if (!CYCLES.contains(kind.getKey())) {
                kind.getValue().getAsJsonArray().forEach(one -> texts.add(sorted(one.getAsJsonObject())));
            }
            texts.sort(null);
            cases.put(kind.getKey(), texts);
        }
        return cases;
    }

    private static String sorted(JsonObject one) {
        Map<String, String> facts = new TreeMap<>();
        one.entrySet().forEach(fact -> facts.put(fact.getKey(), fact.getValue().toString()));
        return facts.toString();
    }

    private static List<String> withTwins(List<String> kinds) {
        List<String> all = new ArrayList<>(kinds);
        kinds.stream().filter(CYCLES::contains).map(TWINS::get).forEach(all::add);
        all.sort(null);
        return all;
    }

    private static List<String> words(JsonArray array) {
        List<String> words = new ArrayList<>();
        array.forEach(word -> words.add(word.getAsString()));
        words.sort(null);
        return words;
    }
}
