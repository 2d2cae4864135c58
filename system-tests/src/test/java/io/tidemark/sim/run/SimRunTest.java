package io.tidemark.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.DiskFault;
import io.tidemark.sim.plan.FaultMix;
import io.tidemark.sim.plan.Mix;
import io.tidemark.sim.plan.PlanText;
import io.tidemark.sim.plan.SimPlan;
import io.tidemark.sim.plan.Target;
import io.tidemark.sim.plan.TimedFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One run of a plan. */
final class SimRunTest {
    private static final int SEEDS_TO_FIND_IT = 300;

    // Issue 5 (must show 3). Fails if: a part of a run draws from anything but the plan
    @Test
    void shouldRunTheSameFromTheSamePlanWithAnyTrace() {
        // given
        SimPlan plan = FaultMix.draw(3, Mix.ORDINARY);
        Trace first = Trace.recording();
        Trace second = Trace.recording();

        // when
        RunResult run = new SimRun(plan, first).run();
        RunResult again = new SimRun(plan, second).run();
        RunResult untraced = new SimRun(plan, Trace.OFF).run();

        // then
        assertThat(run).isInstanceOf(RunResult.Clean.class).isEqualTo(again).isEqualTo(untraced);
        assertThat(second.lines()).isEqualTo(first.lines()).hasSizeGreaterThan(100);
    }

    // Fails if: FaultStriker.begin() sets no timers
    @Test
    void shouldStrikeAndCountWhatThePlanSays() {
        // given
        SimPlan plan = read("""
                seed 5
                brokers 3 session 2s lag 1s
                client 100 acks all idempotence off partition 0 rate 10
                length 9s
                at 500ms transfer follower
                at 1s crash leader down 500ms
                at 5s cut follower -> leader for 300ms
                at 5500ms isolate follower for 200ms
                at 6s pause follower for 100ms
                at 6500ms zk-expire leader
                """);
        Trace trace = Trace.recording();

        // when
        RunResult result = new SimRun(plan, trace).run();

        // then
        assertThat(result.violated()).isEmpty();
        assertThat(result.counts().crashes()).isEqualTo(1);
        assertThat(result.counts().cuts()).isEqualTo(2);
        assertThat(result.counts().otherFaults()).isEqualTo(3);
        assertThat(result.counts().leaderChanges()).isGreaterThanOrEqualTo(2);
        assertThat(result.counts().acknowledged()).isBetween(20L, result.counts().sent());
        assertThat(trace.lines().stream().filter(line -> line.contains("fault: ")))
                .hasSize(6);
    }

    // DESIGN section 9: the simulator must be shown to find planted faults.
    // Fails if: SimRun.settings() leaves out the truncation mode
    @Test
    void shouldFindTruncationToTheHighWatermark() {
        assertThat(firstViolation(Mix.ORDINARY.with(TruncationMode.HIGH_WATERMARK)))
                .hasValueSatisfying(name -> assertThat(name).matches("[A-Z]\\w+"));
    }

    // I12, DESIGN section 9. Fails if: SimRun.settings() leaves out the rules
    @Test
    void shouldFindThatUnforcedRecordsAreCounted() {
        assertThat(firstViolation(Mix.ORDINARY.with(SafetyRules.without(SafetyRule.SYNC_COUNTS_FORCED))))
                .hasValueSatisfying(name -> assertThat(name).matches("[A-Z]\\w+"));
    }

    // Fails if: SimRun.run() lets a violation out, or names it by its whole message
    @Test
    void shouldTellWhatWasViolatedWithTheEndOfTheTrace() {
        // given
        Mix mix = Mix.ORDINARY.with(TruncationMode.HIGH_WATERMARK);
        long seed = 1;
        while (new SimRun(FaultMix.draw(seed, mix), Trace.OFF).run().violated().isEmpty()) {
            seed++;
        }

        // when
        RunResult result = new SimRun(FaultMix.draw(seed, mix), Trace.lastLines(40)).run();

        // then
        assertThat(result).isInstanceOfSatisfying(RunResult.Violated.class, violated -> {
            assertThat(violated.lastLines()).hasSize(40);
            assertThat(violated.invariant()).matches("[A-Z]\\w+");
            assertThat(violated.message()).isNotEmpty().doesNotContain("\n");
        });
    }

    // Fails if: ViolationName.of() names a failed task by the whole of its message
    @Test
    void shouldNameWhatEndedARun() {
        assertThat(ViolationName.of(new IllegalStateException("I17: broker 1 ..."))).isEqualTo("I17");
        assertThat(ViolationName.of(new IllegalStateException("waited in vain for: a leader\n1.0 ms  x")))
                .isEqualTo(ViolationName.NO_PROGRESS);
        assertThat(ViolationName.of(
                        new IllegalStateException("fetcher failed", new ArithmeticException("overflow of 5"))))
                .isEqualTo("ArithmeticException");
    }

    private static Optional<String> firstViolation(Mix mix) {
        for (long seed = 1; seed <= SEEDS_TO_FIND_IT; seed++) {
            Optional<String> violated =
                    new SimRun(FaultMix.draw(seed, mix), Trace.OFF).run().violated();
            if (violated.isPresent()) {
                return violated;
            }
        }
        return Optional.empty();
    }

    private static SimPlan read(String text) {
        SimPlan plan = ((PlanText.Parsed.Plan) PlanText.parse(text)).plan();
        assertThat(plan.shape().flush()).isEqualTo(FlushMode.ASYNC);
        return plan;
    }
}
