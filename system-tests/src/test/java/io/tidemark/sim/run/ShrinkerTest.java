package io.tidemark.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.producer.ProducerConfig.Idempotence;
import io.tidemark.model.Acks;
import io.tidemark.model.SafetyRules;
import io.tidemark.sim.plan.ClientPlan;
import io.tidemark.sim.plan.ClusterShape;
import io.tidemark.sim.plan.ProcessFault;
import io.tidemark.sim.plan.SimPlan;
import io.tidemark.sim.plan.Target;
import io.tidemark.sim.plan.TimedFault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Shrinking, with a model of what goes wrong: the host of a fault stands for what it is. */
final class ShrinkerTest {
    private static final int ENOUGH = 2_000;
    private static final SimPlan PLAN = plan(30);

    // Fails if: Shrinker.dropRuns() moves on after a run that was dropped
    @Test
    void shouldLeaveTheFaultsThatAreNeeded() {
        SimPlan small = Shrinker.shrink(PLAN, plan -> hits(plan, 3) && hits(plan, 17), ENOUGH);

        assertThat(targets(small)).containsExactly(3, 17);
    }

    // Fails if: Shrinker.pass() does not come to the clients
    @Test
    void shouldLeaveTheClientsThatAreNeeded() {
        SimPlan small =
                Shrinker.shrink(PLAN, plan -> plan.clients().stream().anyMatch(client -> client.id() == 101), ENOUGH);

        assertThat(small.clients()).extracting(ClientPlan::id).containsExactly(101);
        assertThat(small.faults()).isEmpty();
        assertThat(small.lengthMs()).isZero();
    }

    // Fails if: Shrinker.shorter() halves what is of the shortest time
    @Test
    void shouldShortenAndRoundTimesAsFarAsItStillGoesWrong() {
        // given
        Predicate<SimPlan> fails = plan -> plan.faults().stream()
                .anyMatch(timed -> timed.atMs() >= 1_500 && timed.fault().lastsMs() >= 150);

        // when
        SimPlan small = Shrinker.shrink(PLAN, fails, ENOUGH);

        // then
        assertThat(small.faults()).singleElement().satisfies(timed -> {
            assertThat(timed.atMs() % 100).isZero();
            assertThat(timed.atMs()).isGreaterThanOrEqualTo(1_500);
            assertThat(timed.fault().lastsMs()).isBetween(150, 300);
        });
    }

    // Fails if: Shrinker.attempt() keeps a plan that does not go wrong
    @Test
    void shouldKeepAPlanThatCannotBeSmaller() {
        assertThat(Shrinker.shrink(PLAN, PLAN::equals, ENOUGH)).isEqualTo(PLAN);
    }

    // Fails if: Shrinker.attempt() does not count
    @Test
    void shouldAskNoMoreOftenThanItMay() {
        // given
        AtomicInteger probes = new AtomicInteger();

        // when
        SimPlan small = Shrinker.shrink(
                PLAN,
                plan -> {
                    probes.incrementAndGet();
                    return hits(plan, 3) && hits(plan, 17);
                },
                5);

        // then
        assertThat(probes).hasValue(5);
        assertThat(targets(small)).contains(3, 17);
    }

    private static boolean hits(SimPlan plan, int target) {
        return targets(plan).contains(target);
    }

    private static List<Integer> targets(SimPlan plan) {
        return plan.faults().stream()
                .map(timed -> ((Target.Host) ((ProcessFault.Crash) timed.fault()).who()).id())
                .toList();
    }

    private static SimPlan plan(int faults) {
        List<TimedFault> timed = new ArrayList<>();
        for (int i = 0; i < faults; i++) {
            timed.add(new TimedFault(123 + 77L * i, new ProcessFault.Crash(new Target.Host(i), 431 + i)));
        }
        return new SimPlan(
                1, ClusterShape.DEFAULT, SafetyRules.ALL, timed, List.of(client(100), client(101), client(102)), 9_876);
    }

    private static ClientPlan client(int id) {
        return new ClientPlan(id, Acks.ALL, Idempotence.OFF, 0, 5);
    }
}
