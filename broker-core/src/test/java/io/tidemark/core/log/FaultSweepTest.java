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

/** Every file operation of every scenario goes wrong once. A new scenario is one more line of {@link #SCENARIOS}. */
final class FaultSweepTest {
    private static final Duration PATIENCE = Duration.ofSeconds(150);
    private static final int SHOWN = 12;

    private static final List<Scenario> SCENARIOS = List.of(
            new Scenario("append, roll, force", log -> {
                log.append(4);
                log.force();
                log.appendTogether(5);
                log.read();
                log.pass(Duration.ZERO);
                log.append(1);
            }),
            new Scenario("truncate inside and append again", log -> {
                log.append(6);
                log.force();
                log.truncate(5);
                log.append(3);
                log.force();
                log.truncate(0);
                log.append(1);
                log.read();
            }),
            new Scenario("start again, above and below", log -> {
                log.append(4);
                log.force();
                log.startAgain(100);
                log.append(2);
                log.force();
                log.advanceStart(102);
                log.pass(LogRig.RECORDING_PERIOD);
                log.truncate(50);
                log.append(2);
                log.force();
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("delete records and records of them", log -> {
                log.append(6);
                log.force();
                log.advanceStart(7);
                log.pass(LogRig.RECORDING_PERIOD);
                log.restartAfterKill();
                log.read();
                log.append(2);
                log.advanceStart(12);
                log.restartCleanly();
                log.read();
            }),
            new Scenario("stop cleanly and start", log -> {
                log.append(5);
                log.restartCleanly();
                log.append(2);
                log.restartCleanly();
                log.read();
            }),
            new Scenario("copy from a leader, with gaps", log -> {
                log.copy(3);
                log.copy(9);
                log.append(3);
                log.truncate(7);
                log.force();
                log.copy(20);
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("take a batch that begins below the start", log -> {
                log.startAgain(10);
                log.copy(9);
                log.force();
                log.append(2);
                log.read();
            }),
            new Scenario("delete and create", log -> {
                log.append(4);
                log.force();
                log.createAnother();
                log.recreate();
                log.append(1);
                log.recreate();
                log.append(1);
                log.force();
                log.pass(SweptLog.CONFIG.retention().deleteDelay().plusMillis(1));
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("delayed deletion", log -> {
                log.append(5);
                log.force();
                log.truncate(1);
                log.pass(SweptLog.CONFIG.retention().deleteDelay().plusMillis(1));
                log.append(1);
                log.truncate(0);
                log.leave("00000000000000000099.snapshot.tmp");
                log.restartAfterKill();
                log.read();
            }));

    // S13, S15, S46, S50, KAFKA-10778. Fails if: LogTruncator.find throws without fencing the log.
    @Test
    @Timeout(200)
    void shouldFenceOrTolerateWhicheverOperationFails() {
        Set<String> tolerated = sweep(Effect.FAIL);
        // A list that names what never happens would hide what does.
        assertThat(tolerated)
                .containsExactlyInAnyOrderElementsOf(
                        FaultSweep.TOLERANCES.stream().map(Tolerance::pattern).toList());
    }

    // KAFKA-10778, KAFKA-6834. Fails if: BatchScan takes a range that ends early for a torn batch.
    @Test
    @Timeout(200)
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
                    for (Scenario scenario : SCENARIOS) {
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
