package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.testkit.SeededRandomness;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A broker dies in any of its file calls, and starts again with everything that it acknowledged. */
final class FileCrashTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STARTED = Duration.ofSeconds(4);
    /** The session of who died has expired, and there is a controller again. */
    private static final Duration RECOVERED = Duration.ofSeconds(15);

    private static final int MOST_CALLS = 200;
    private static final List<FileOperation> CHANGES =
            List.of(FileOperation.APPEND, FileOperation.FORCE, FileOperation.RENAME, FileOperation.FORCE_DIRECTORY);
    private static final int RECORDS = 12;
    private static final int SEEDS = Integer.getInteger("tidemark.sim.runs", 8);
    private static final int STEPS = 25;

    private static SimCluster oneBroker(long seed) {
        return new SimCluster(new SimWorld(seed, Trace.lastLines(60)), 1, SimSettings.of(TruncationMode.LEADER_EPOCH));
    }

    private static void produce(SimCluster cluster, String value) {
        int before = cluster.acked().all().size();
        cluster.produce(1, value);
        cluster.await(value, () -> cluster.acked().all().size() > before, PATIENCE);
    }

    /** Lets it die in that call and come back; what it leads then holds all that was acknowledged, by the invariants. */
    private static void awaitReturn(SimCluster cluster, int nth) {
        cluster.machine(1).mendDisk();
        cluster.await(
                "started again after a crash in call " + nth,
                () -> cluster.machine(1).process() != null && cluster.leader().isPresent(),
                PATIENCE);
        produce(cluster, "after " + nth);
    }

    // DESIGN 9: crashes between any two steps; here of a first start
    // Fails if: ProcessStorage.claim refuses a directory that a broken start has left behind
    @Test
    void shouldStartAgainAfterACrashInAnyFileCallOfItsFirstStart() {
        // given
        SimCluster whole = oneBroker(1);
        whole.start(1);
        whole.run(STARTED);
        long calls = whole.machine(1).fileCalls();
        assertThat(calls).isGreaterThan(10);

        for (int nth = 1; nth <= Math.min(calls, MOST_CALLS); nth++) {
            // when
            SimCluster cluster = oneBroker(1);
            cluster.machine(1).crashInFileCall(nth);
            cluster.start(1);
            cluster.run(STARTED);
            int call = nth;
            cluster.await("call " + nth, () -> cluster.machine(1).fileCalls() > call, PATIENCE);
            cluster.run(RECOVERED);

            // then
            cluster.createTopic(1);
            produce(cluster, "m" + nth);
        }
    }

    // DESIGN 9: crashes between any two steps; here of a start that recovers logs
    // Fails if: AtomicFile.write writes to the file itself
    @Test
    void shouldStartAgainAfterACrashInAnyFileCallOfALaterStart() {
        // given
        SimCluster cluster = oneBroker(2);
        cluster.start(1);
        cluster.run(STARTED);
        cluster.createTopic(1);
        for (int i = 0; i < RECORDS; i++) {
            produce(cluster, "m" + i);
        }
        long before = cluster.machine(1).fileCalls();
        cluster.crash(1);
        cluster.start(1);
        cluster.run(STARTED);
        long calls = cluster.machine(1).fileCalls() - before;
        assertThat(calls).isGreaterThan(10);
        int crashes = 0;

        for (int nth = 1; nth <= Math.min(calls, MOST_CALLS); nth++) {
            // when
            cluster.crash(1);
            cluster.machine(1).crashInFileCall(nth);
            cluster.start(1);
            cluster.run(STARTED);
            crashes += cluster.machine(1).awaitsCrash() ? 0 : 1;

            // then
            awaitReturn(cluster, nth);
        }
        assertThat(crashes).isGreaterThan((int) Math.min(calls, MOST_CALLS) / 2);
    }

    // DESIGN 9: crashes between any two steps; here of appends and of what is written beside them
    // Fails if: LogRecovery takes a torn batch for a whole one
    @Test
    void shouldStartAgainAfterACrashInAnyFileCallOfAnAppend() {
        SimCluster cluster = oneBroker(3);
        cluster.start(1);
        cluster.run(STARTED);
        cluster.createTopic(1);
        produce(cluster, "first");

        for (int nth = 1; nth <= RECORDS; nth++) {
            // when
            cluster.machine(1).crashInFileCall(nth);
            for (int i = 0; i < nth; i++) {
                cluster.produce(1, "m" + nth + "." + i);
            }
            cluster.await("it dies", () -> !cluster.isRunning(1), PATIENCE);
            cluster.run(STARTED);

            // then
            awaitReturn(cluster, nth);
        }
    }

    // S13, S15, I8: with three copies, whatever disks and processes do but lose what was written
    // Fails if: SimHalt keeps the broker-epoch file, or a new process takes over what an unwound one half did
    @Test
    void shouldLoseNothingAcknowledgedWhateverDisksAndProcessesDo() {
        int acknowledged = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            acknowledged += randomRun(seed);
        }
        assertThat(acknowledged).isGreaterThan(8 * SEEDS);
    }

    private static int randomRun(long seed) {
        SimWorld world = new SimWorld(seed, Trace.lastLines(60));
        SimCluster cluster = new SimCluster(world, 3, SimSettings.of(TruncationMode.LEADER_EPOCH));
        SeededRandomness choices = world.fork("choices");
        try {
            cluster.brokerIds().forEach(cluster::start);
            cluster.run(STARTED);
            cluster.createTopic(2);
            for (int step = 0; step < STEPS; step++) {
                strike(cluster, choices.pick(cluster.brokerIds()), choices);
                String record = "r" + step;
                cluster.leader().ifPresent(id -> cluster.produce(id, record));
                cluster.run(Duration.ofMillis(1L + choices.nextInt(1_500)));
            }
            cluster.healAndVerify(PATIENCE);
            return cluster.acked().all().size();
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "seed " + seed + ": " + e.getMessage() + "\n" + String.join("\n", world.trace()), e);
        }
    }

    private static void strike(SimCluster cluster, int broker, SeededRandomness choices) {
        SimHost machine = cluster.machine(broker);
        switch (choices.nextInt(10)) {
            case 0 ->
                machine.failIo(FaultRule.failing(choices.pick(CHANGES), "*")
                        .after(choices.nextInt(10))
                        .times(1));
            case 1, 2 -> machine.crashInFileCall(1 + choices.nextInt(40));
            case 3 -> cluster.stopCleanly(broker);
            case 4 -> machine.diskFull(choices.nextInt(2_000));
            case 5 -> machine.mendDisk();
            case 6 -> machine.slowForces(Duration.ofMillis(choices.nextInt(500)));
            default -> cluster.start(broker);
        }
    }
}
