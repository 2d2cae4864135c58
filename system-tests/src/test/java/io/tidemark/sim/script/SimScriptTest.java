package io.tidemark.sim.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.SafetyRule;
import io.tidemark.sim.MessageKind;
import io.tidemark.sim.plan.Link;
import io.tidemark.sim.plan.Target;
import io.tidemark.sim.script.SimScript.Parsed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios as text. */
final class SimScriptTest {
    private static final String HEAD = """
            # a comment
            scenario of nothing much
            rule JOIN_FROM_EPOCH_START violates InSyncHolds
            brokers 3 min.insync.replicas 1 lag 1s
            """;

    private static final Link ONE_TO_TWO = new Link(new Target.Host(1), new Target.Host(2));
    private static final Link TWO_TO_ONE = new Link(new Target.Host(2), new Target.Host(1));

    private static SimScript script(String text) {
        Parsed parsed = SimScript.parse(text);
        assertThat(parsed).isInstanceOf(Parsed.Script.class);
        return ((Parsed.Script) parsed).script();
    }

    private static Statement statement(String text) {
        List<SimScript.Step> steps = script(HEAD + text).steps();
        assertThat(steps).hasSize(1);
        assertThat(steps.get(0).line()).isEqualTo(5);
        return steps.get(0).statement();
    }

    // Issue 5 (must show 1). Fails if: SimScript.Draft.read() drops what the head says
    @Test
    void shouldReadWhatItIsAbout() {
        // when
        SimScript script = script(HEAD + "seed 7\n");

        // then
        assertThat(script.title()).isEqualTo("of nothing much");
        assertThat(script.claim().waiver().rules().waived()).containsExactly(SafetyRule.JOIN_FROM_EPOCH_START);
        assertThat(script.claim().waiver().truncation()).isEqualTo(TruncationMode.LEADER_EPOCH);
        assertThat(script.claim().invariant()).isEqualTo("InSyncHolds");
        assertThat(script.seed()).isEqualTo(7);
        assertThat(script.shape().brokers()).isEqualTo(3);
        assertThat(script.shape().minInsyncReplicas()).isEqualTo(1);
        assertThat(script.shape().times().lagMs()).isEqualTo(1_000);
    }

    // Fails if: Waiver.of() knows safety rules alone
    @Test
    void shouldTakeTheTruncationModeForARule() {
        SimScript script = script("scenario a\nrule replica.truncation BATCH_NOT_ABOVE_FETCH violates X\nbrokers 1\n");

        assertThat(script.claim().waiver().truncation()).isEqualTo(TruncationMode.HIGH_WATERMARK);
        assertThat(script.claim().waiver().names()).containsExactly("replica.truncation", "BATCH_NOT_ABOVE_FETCH");
    }

    // Fails if: Words.ofLine() takes a line for one statement
    @Test
    void shouldTellTheLinesOfStatements() {
        // when
        List<SimScript.Step> steps =
                script(HEAD + "\nrun 1s ; run 20ms   # so much\n\nheal\n").steps();

        // then
        assertThat(steps)
                .containsExactly(
                        new SimScript.Step(6, new Statement.Run(1_000)),
                        new SimScript.Step(6, new Statement.Run(20)),
                        new SimScript.Step(8, new Statement.HealAll()));
    }

    // Fails if: StatementText.onGate() or directions() mixes up a link's ends
    @Test
    void shouldReadWhatHappensToLinks() {
        assertThat(statement("hold fetch-answer 1 -> 2"))
                .isEqualTo(new Statement.OnGate(Statement.GateAction.HOLD, MessageKind.FETCH_ANSWER, ONE_TO_TWO, 1));
        assertThat(statement("deliver push 2 -> 1 3"))
                .isEqualTo(new Statement.OnGate(Statement.GateAction.DELIVER, MessageKind.PUSH, TWO_TO_ONE, 3));
        assertThat(statement("cut 1 -> 2"))
                .isEqualTo(new Statement.OnLink(Statement.LinkAction.CUT, List.of(ONE_TO_TWO)));
        assertThat(statement("heal 1 - 2"))
                .isEqualTo(new Statement.OnLink(Statement.LinkAction.HEAL, List.of(ONE_TO_TWO, TWO_TO_ONE)));
        assertThat(statement("release")).isEqualTo(new Statement.ReleaseAll());
    }

    // Fails if: StatementText.log() stops at the first value, or takes "within" for one
    @Test
    void shouldReadConditions() {
        assertThat(statement("await log leader is m0 m1 within 2s"))
                .isEqualTo(new Statement.Await(new Condition.LogIs(Target.Role.LEADER, List.of("m0", "m1")), 2_000));
        assertThat(statement("expect log 2 is empty"))
                .isEqualTo(new Statement.Expect(new Condition.LogIs(new Target.Host(2), List.of())));
        assertThat(statement("expect not acked m0"))
                .isEqualTo(new Statement.Expect(new Condition.Not(new Condition.Acknowledged("m0"))));
        assertThat(statement("await isr 1 2"))
                .isEqualTo(new Statement.Await(
                        new Condition.HasMembers(
                                Condition.MemberSet.ISR, List.of(new Target.Host(1), new Target.Host(2))),
                        30_000));
        assertThat(statement("expect eligible nobody"))
                .isEqualTo(new Statement.Expect(new Condition.HasMembers(Condition.MemberSet.ELIGIBLE, List.of())));
    }

    // Issue 5 (must show 1). Fails if: SimScript.parse() tells another line, or goes on behind a bad statement
    @ParameterizedTest
    @ValueSource(
            strings = {
                "walk",
                "start",
                "start one",
                "start 1 two",
                "cut 1 2",
                "cut 1 -> ",
                "hold 1 -> 2",
                "hold letters 1 -> 2",
                "hold fetch 1 - 2",
                "hold fetch 1 -> 2 3",
                "deliver fetch 1 -> 2 0",
                "topic",
                "topic replicas 0",
                "transfer",
                "min-isr 0",
                "produce m0",
                "produce m0 to",
                "produce m0 to 1 twice",
                "run",
                "run 0ms",
                "run soon",
                "await",
                "await rain",
                "await leader 1 within",
                "await waiting fetch 1 -> 2",
                "expect log 1 is",
                "expect log 1 m0",
                "expect not",
                "show everything",
                "overlook",
                "seed x",
                "rule violates InSyncHolds",
                "rule JOIN_FROM_EPOCH_START",
                "rule JOIN_FROM_EPOCH_START violates",
                "rule BE_NICE violates InSyncHolds",
                "brokers none",
                "scenario"
            })
    void shouldNameTheLineOfABadStatement(String statement) {
        // when
        Parsed parsed = SimScript.parse(HEAD + "run 1s\n" + statement + "\nwalk\n");

        // then
        assertThat(parsed).isInstanceOf(Parsed.Bad.class);
        assertThat(((Parsed.Bad) parsed).line()).isEqualTo(6);
        assertThat(((Parsed.Bad) parsed).problem()).contains(statement.trim());
    }

    // Fails if: SimScript.Draft.finish() takes a text without them
    @ParameterizedTest
    @CsvSource({"scenario, scenario", "rule, rule", "brokers, brokers"})
    void shouldMissWhatAScenarioMustSay(String word, String told) {
        // given
        List<String> rest = HEAD.lines().filter(line -> !line.startsWith(word)).toList();

        // when
        Parsed parsed = SimScript.parse(String.join("\n", rest));

        // then
        assertThat(parsed).isInstanceOf(Parsed.Bad.class);
        assertThat(((Parsed.Bad) parsed).problem()).contains(told);
    }
}
