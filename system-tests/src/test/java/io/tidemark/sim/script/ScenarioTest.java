package io.tidemark.sim.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.SafetyRule;
import io.tidemark.sim.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The counterexamples of the safety rules on whole clusters ({@code src/test/resources/scenarios}): each is safe while all rules are
 * kept, and loses something without the rule that it is about. Both leave a trace that a person can follow ({@code golden/NAME.txt} and
 * {@code golden/NAME.without.txt}); {@code -Dtidemark.golden.write=true} writes them anew.
 */
final class ScenarioTest {
    static List<String> names() throws URISyntaxException {
        return files().names();
    }

    private static ScenarioFiles files() throws URISyntaxException {
        return new ScenarioFiles(Path.of(Objects.requireNonNull(ScenarioTest.class.getResource("/scenarios"))
                .toURI()));
    }

    private static SimScript script(String name) throws URISyntaxException {
        SimScript.Parsed parsed = files().read(name);
        assertThat(parsed).as(name).isInstanceOf(SimScript.Parsed.Script.class);
        return ((SimScript.Parsed.Script) parsed).script();
    }

    // Issue 5 (must show 1): I1, I2, I3, I4, I5, I6, I7, I8, I11, I12, I20.
    // Fails if: any rule of SafetyRule is not kept under SafetyRules.ALL at the place that a scenario is about
    @ParameterizedTest
    @MethodSource("names")
    void shouldBeSafeWhileAllRulesAreKept(String name) throws IOException, URISyntaxException {
        // given
        Trace trace = Trace.recording();

        // when
        ScriptResult result = new ScriptRunner(script(name), Waiver.NOTHING, trace).run();

        // then
        assertThat(result.text()).isEqualTo("safe");
        assertGolden(name, trace.lines());
    }

    // Issue 5 (must show 1): I1, I2, I3, I4, I5, I6, I7, I8, I11, I12.
    // Fails if: SafetyRules.keeps() is always true, or RunChecks leaves out the invariant that a scenario names
    @ParameterizedTest
    @MethodSource("names")
    void shouldLoseSomethingWithoutItsRule(String name) throws IOException, URISyntaxException {
        // given
        SimScript script = script(name);
        Trace trace = Trace.recording();

        // when
        ScriptResult result = new ScriptRunner(script, script.claim().waiver(), trace).run();

        // then
        assertThat(result).as(result.text()).isInstanceOf(ScriptResult.Violated.class);
        assertThat(((ScriptResult.Violated) result).invariant())
                .isEqualTo(script.claim().invariant());
        List<String> lines = new ArrayList<>(trace.lines());
        lines.add(result.text());
        assertGolden(name + ".without", lines);
    }

    // Issue 5 (must show 1). Fails if: SimScript.Draft.finish() asks for no rule
    @ParameterizedTest
    @MethodSource("names")
    void shouldNameItsRule(String name) throws URISyntaxException {
        // when
        Waiver waiver = script(name).claim().waiver();

        // then
        assertThat(waiver.names()).isNotEmpty();
        for (SafetyRule rule : waiver.rules().waived()) {
            rule.shieldedBy()
                    .ifPresent(shield -> assertThat(waiver.rules().waived())
                            .as("%s shows nothing while %s is kept", rule, shield)
                            .contains(shield));
        }
    }

    // Issue 5 (must show 1). Fails if: a scenario's file is gone
    @Test
    void shouldHaveAScenarioForEachCounterexample() throws URISyntaxException {
        assertThat(names())
                .contains(
                        "I1",
                        "I2",
                        "I3",
                        "I4",
                        "I5",
                        "I6",
                        "I7",
                        "I8a",
                        "I8b",
                        "I11-restart",
                        "I11-wipe",
                        "I12",
                        "two-sets",
                        "lowered-min-isr");
    }

    /** Compares with what is kept; writes that anew if asked to, for a person to read before it is committed. */
    private static void assertGolden(String name, List<String> lines) throws IOException {
        String trace = String.join("\n", lines) + "\n";
        if (Boolean.getBoolean("tidemark.golden.write")) {
            Files.writeString(Path.of("src", "test", "resources", "golden", name + ".txt"), trace);
        } else {
            assertThat(trace).isEqualTo(golden(name));
        }
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = ScenarioTest.class.getResourceAsStream("/golden/" + name + ".txt")) {
            assertThat(in).as("golden trace %s", name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
