package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemark.core.log.FaultSweep.Effect;
import io.tidemark.core.log.FaultSweep.Scenario;
import io.tidemark.core.log.FaultSweep.Tolerance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every file operation of every one of {@link FaultScenarios} goes wrong once. */
final class FaultSweepTest {
    private static final Duration PATIENCE = Duration.ofSeconds(280);
    private static final int SHOWN = 12;

    // S13, S15, S46, S50, KAFKA-10778. Fails if: LogTruncator.find throws without fencing the log.
    @Test
    @Timeout(300)
    void shouldFenceOrTolerateWhicheverOperationFails() {
        Set<String> tolerated = sweep(Effect.FAIL);
        // A list that names what never happens would hide what does.
        assertThat(tolerated)
                .containsExactlyInAnyOrderElementsOf(
                        FaultSweep.TOLERANCES.stream().map(Tolerance::pattern).toList());
    }

    // KAFKA-10778, KAFKA-6834. Fails if: BatchScan takes a range that ends early for a torn batch.
    @Test
    @Timeout(300)
    void shouldFenceOrTolerateWhicheverReadOrAppendComesShort() {
        sweep(Effect.SHORT);
    }

    private static Set<String> sweep(Effect effect) {
        List<String> wrong = new ArrayList<>();
        Set<String> tolerated = new TreeSet<>();
        AtomicReference<FaultSweep> current = new AtomicReference<>();
        assertTimeoutPreemptively(
                PATIENCE,
                () -> {
                    for (Scenario scenario : FaultScenarios.ALL) {
                        for (SweptLog.Ending ending : SweptLog.Ending.values()) {
                            FaultSweep sweep = new FaultSweep(scenario, effect, ending);
                            current.set(sweep);
                            wrong.addAll(sweep.run());
                            tolerated.addAll(sweep.tolerated());
                            System.out.printf(
                                    "%s, %s, %s: %d operations%n", scenario.name(), effect, ending, sweep.runs());
                        }
                    }
                },
                () -> "hangs: " + current.get().now());
        assertThat(wrong.subList(0, Math.min(SHOWN, wrong.size())))
                .as("%d of what went wrong:%n%s", wrong.size(), String.join("\n", wrong))
                .isEmpty();
        return tolerated;
    }
}
