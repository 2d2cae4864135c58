package io.tidemark.sim.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.sim.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scenarios that do not go as their text says. */
final class ScriptRunnerTest {
    private static final String HEAD = """
            scenario of nothing much
            rule JOIN_FROM_EPOCH_START violates InSyncHolds
            brokers 2
            start 1 2 ; run 1s
            topic replicas 2
            await caught-up
            """;

    private static ScriptResult play(String text, Trace trace) {
        SimScript.Parsed parsed = SimScript.parse(text);
        assertThat(parsed).isInstanceOf(SimScript.Parsed.Script.class);
        return new ScriptRunner(((SimScript.Parsed.Script) parsed).script(), Waiver.NOTHING, trace).run();
    }

    // Issue 5 (must show 1). Fails if: ScriptRunner.run() goes on behind a statement that failed, or forgets its line
    @ParameterizedTest
    @CsvSource({
        "expect log 1 is m0, not as expected: it is []",
        "await acked m0 within 50ms, waited in vain: acknowledged are {}",
        "expect isr 1, not as expected: the state is ",
        "expect leader 2, not as expected: 1 leads",
        "deliver fetch 1 -> 2, only 0 wait at fetch 1 -> 2",
        "overlook Nothing, nothing is checked under the name of Nothing",
        "release fetch 1 -> 2, only 0 wait at fetch 1 -> 2",
    })
    void shouldTellTheLineOfWhatFails(String statement, String problem) {
        // when
        ScriptResult result = play(HEAD + "\n" + statement + "\ncrash 1\nexpect acked m9\n", Trace.OFF);

        // then
        assertThat(result).isInstanceOf(ScriptResult.Failed.class);
        assertThat(((ScriptResult.Failed) result).line()).isEqualTo(8);
        assertThat(((ScriptResult.Failed) result).problem()).startsWith(problem);
    }

    // Fails if: Conditions.host() takes nobody for a broker
    @Test
    void shouldFailWhereNobodyHasTheRole() {
        ScriptResult result = play(HEAD + "crash 1 2\nproduce m0 to leader\n", Trace.OFF);

        assertThat(result).isEqualTo(new ScriptResult.Failed(8, "nobody is leader"));
    }

    // Fails if: Gates.drop() takes the gate away, or deliver() lets all through
    @Test
    void shouldLetThroughWhatItIsTold() {
        // when
        ScriptResult result = play(HEAD + """
                        hold fetch-answer 1 -> 2
                        produce m0 to 1
                        await waiting fetch-answer 1 -> 2 1
                        drop fetch-answer 1 -> 2
                        expect not waiting fetch-answer 1 -> 2 1
                        await waiting fetch-answer 1 -> 2 1
                        expect log 2 is empty
                        deliver fetch-answer 1 -> 2
                        await log 2 is m0
                        release
                        await caught-up
                        """, Trace.OFF);

        // then
        assertThat(result.text()).isEqualTo("safe");
    }

    // Fails if: ScriptRunner.noteState() notes a state twice, or only the first
    @Test
    void shouldShowStates() {
        // given
        Trace trace = Trace.recording();

        // when
        ScriptResult result = play(HEAD + "show states\ntransfer 2\nawait leader 2\nmin-isr 1\nrun 1s\n", trace);

        // then
        assertThat(result.text()).isEqualTo("safe");
        List<String> states = trace.lines().stream()
                .filter(line -> line.contains("recorded: "))
                .toList();
        assertThat(states).hasSize(3);
        assertThat(states.get(0)).contains("leader 1 in epoch 0", "minimum 2");
        assertThat(states.get(1)).contains("leader 2 in epoch 1", "minimum 2");
        assertThat(states.get(2)).contains("leader 2 in epoch 1", "minimum 1");
    }
}
