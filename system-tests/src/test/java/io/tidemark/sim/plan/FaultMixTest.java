package io.tidemark.sim.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.SafetyRules;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What plans are drawn. */
final class FaultMixTest {
    private static final int SEEDS = 1_000;

    // Fails if: FaultMix.draw() takes its chance from anything but the seed
    @Test
    void shouldDrawTheSamePlanFromTheSameSeed() {
        for (long seed = 1; seed <= 50; seed++) {
            assertThat(FaultMix.draw(seed, Mix.ORDINARY)).isEqualTo(FaultMix.draw(seed, Mix.ORDINARY));
            assertThat(FaultMix.draw(seed, Mix.ORDINARY).faults())
                    .isNotEqualTo(FaultMix.draw(seed + 1, Mix.ORDINARY).faults());
        }
    }

    // Fails if: FaultMix.pick() never comes to the last kind
    @Test
    void shouldDrawEveryFamilyAndKindOfCluster() {
        // given
        EnumSet<FaultFamily> families = EnumSet.noneOf(FaultFamily.class);
        EnumSet<FlushMode> modes = EnumSet.noneOf(FlushMode.class);
        TreeSet<Integer> sizes = new TreeSet<>();
        TreeSet<Integer> minimums = new TreeSet<>();

        // when
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimPlan plan = FaultMix.draw(seed, Mix.ORDINARY);
            plan.faults().forEach(timed -> families.add(timed.fault().family()));
            modes.add(plan.shape().flush());
            sizes.add(plan.shape().brokers());
            minimums.add(plan.shape().minInsyncReplicas());
        }

        // then
        assertThat(families).containsExactly(FaultFamily.values());
        assertThat(modes).containsExactly(FlushMode.values());
        assertThat(sizes).containsExactly(3, 4);
        assertThat(minimums).containsExactly(1, 2);
    }

    // What a power loss may take in async mode the checks of a run cannot tell from a loss.
    // Fails if: FaultMix.draw() does not look at the flush mode
    @Test
    void shouldLeaveMachinesTheirPowerInAsyncMode() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimPlan plan = FaultMix.draw(seed, Mix.ORDINARY);
            if (plan.shape().flush() == FlushMode.ASYNC) {
                assertThat(plan.faults())
                        .as("seed %d", seed)
                        .noneMatch(timed -> timed.fault() instanceof DiskFault.PowerLoss);
            }
        }
    }

    // Fails if: FaultMix.draw() ignores the families
    @Test
    void shouldKeepToTheFamiliesThatWereAskedFor() {
        // given
        Mix clocks =
                new Mix(new TreeSet<>(List.of(FaultFamily.CLOCK)), 40, SafetyRules.ALL, TruncationMode.LEADER_EPOCH);
        Mix nothing = new Mix(new TreeSet<>(), 40, SafetyRules.ALL, TruncationMode.LEADER_EPOCH);

        // then
        assertThat(FaultMix.draw(1, clocks).faults())
                .isNotEmpty()
                .allMatch(timed -> timed.fault().family() == FaultFamily.CLOCK);
        assertThat(FaultMix.draw(1, nothing).faults()).isEmpty();
        assertThat(FaultMix.draw(1, nothing).lengthMs()).isBetween(40 * 300L, 40 * 1_500L);
    }
}
