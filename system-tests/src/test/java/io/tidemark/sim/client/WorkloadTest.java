package io.tidemark.sim.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.checker.CheckOptions;
import io.tidemark.checker.Checker;
import io.tidemark.checker.Verdict;
import io.tidemark.history.EventSink;
import io.tidemark.history.HistoryFile;
import io.tidemark.history.HistoryFormat;
import io.tidemark.history.HistoryWriter;
import io.tidemark.model.Acks;
import io.tidemark.sim.plan.ClientPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole workloads on a cluster that fails, and the verdicts over what they saw. */
final class WorkloadTest {
    private static final long FIRST_SEED = Long.getLong("tidemark.sim.seed", 1L);
    private static final int SEEDS = Integer.getInteger("tidemark.sim.runs", 3);
    private static final List<ClientPlan> PLANS = List.of(
            ClientRun.idempotent(101, 0),
            ClientRun.idempotent(102, 0),
            ClientRun.plain(103, Acks.ALL, 1),
            ClientRun.plain(104, Acks.LEADER, 2),
            ClientRun.plain(105, Acks.NONE, 2));

    /** A workload and what it left behind. */
    private record Done(ClientRun run, Workload workload, FinalDrain.Drained drained, Verdict verdict) {}

    private static Done runWithFaults(long seed, EventSink events) {
        ClientRun run = new ClientRun(seed).started();
        WorkloadSettings settings = WorkloadSettings.of(ClientRun.TOPIC, ClientRun.PARTITIONS);
        Workload workload = new Workload(run.site, settings, PLANS, events, ClientObserver.NONE);
        workload.start();
        run.cluster.run(Duration.ofSeconds(2));
        int first = run.leader(0).orElseThrow();
        workload.note("crash", List.of("broker " + first));
        run.cluster.crash(first);
        run.cluster.run(Duration.ofSeconds(4));
        run.cluster.start(first);
        run.cluster.run(Duration.ofSeconds(1));
        int second = run.leader(0).orElseThrow();
        run.others(second).forEach(other -> run.cluster.cut(second, other));
        run.cluster.run(Duration.ofSeconds(2));
        run.heal();
        FinalDrain.Drained drained = workload.finish(ClientRun.PATIENCE);
        return new Done(run, workload, drained, Checker.check(workload.history(), CheckOptions.STRICT));
    }

    // I1, I13, I15: what real clients were told holds, whatever died meanwhile
    // Fails if: ProduceHandler answers acks=all before the high watermark has passed the records
    @Test
    void shouldKeepEveryPromiseMadeToClients() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            Done done = runWithFaults(seed, event -> {});

            assertThat(done.verdict().badKinds())
                    .as("seed %s: %s", seed, done.verdict().found())
                    .isEmpty();
            assertThat(done.drained().isWhole()).as("seed %s", seed).isTrue();
            WorkloadCounts counts = done.workload().counts();
            assertThat(counts.acknowledged()).as("seed %s", seed).isGreaterThan(100);
            assertThat(counts.weaklyAcknowledged()).as("seed %s", seed).isGreaterThan(50);
            assertThat(counts.read()).as("seed %s", seed).isGreaterThan(200);
            assertThat(done.verdict().coverage().finalReads())
                    .as("seed %s", seed)
                    .isPositive();
        }
    }

    // DESIGN section 9. Fails if: a client draws from a randomness that is not its own run's
    @Test
    void shouldRunTheSameFromTheSameSeed() {
        List<Object> first = new ArrayList<>();
        List<Object> second = new ArrayList<>();

        Done one = runWithFaults(FIRST_SEED, first::add);
        Done other = runWithFaults(FIRST_SEED, second::add);

        assertThat(second).isEqualTo(first).hasSizeGreaterThan(200);
        assertThat(other.run().world.digest()).isEqualTo(one.run().world.digest());
    }

    // I13: brokers that take a record twice are found by what readers see
    // Fails if: FinalDrain or ConsumerActor leaves out of the history what it was given twice
    @Test
    void shouldFindADuplicateAndJudgeTheExportAlike(@TempDir Path directory) throws IOException {
        // given
        Path file = directory.resolve("history.edn");
        Workload workload;
        try (HistoryWriter writer = HistoryWriter.create(file, HistoryFormat.edn())) {
            ClientRun run = new ClientRun(FIRST_SEED).started();
            List<Long> acknowledged = new ArrayList<>();
            workload = new Workload(
                    run.site,
                    ClientRun.calm(),
                    List.of(ClientRun.idempotent(101, 0)),
                    writer,
                    (by, offset, value) -> acknowledged.add(value));
            workload.start();
            run.cluster.await("a record", () -> !acknowledged.isEmpty(), ClientRun.PATIENCE);

            // when
            run.cluster.produce(run.leader(0).orElseThrow(), Long.toString(acknowledged.get(0)));
            run.cluster.run(Duration.ofSeconds(1));
            assertThat(workload.finish(ClientRun.PATIENCE).isWhole()).isTrue();
        }

        // then
        Verdict verdict = Checker.check(workload.history(), CheckOptions.STRICT);
        assertThat(verdict.badKinds()).contains("duplicate");
        HistoryFile.Loaded loaded = HistoryFile.load(file);
        assertThat(loaded.unreadable()).isEmpty();
        assertThat(Checker.check(loaded.history().orElseThrow(), CheckOptions.STRICT))
                .isEqualTo(verdict);
    }

    // I1, I12: async mode promises nothing to a cluster of which every machine loses power, and the last reader sees it
    // Fails if: FinalDrain assigns with another start than FINAL_READ, or waits only for what leaders have
    @Test
    void shouldFindWhatEveryMachineLostWithItsPower() {
        // given
        ClientRun run = new ClientRun(FIRST_SEED).started();
        Workload workload = run.workload(ClientRun.calm(), ClientRun.idempotent(101, 1));
        workload.start();
        run.cluster.run(Duration.ofSeconds(3));
        workload.stop();
        run.cluster.await("no send is open", workload::isIdle, ClientRun.PATIENCE);

        // when
        run.cluster.brokerIds().forEach(run.cluster::powerLoss);
        run.heal();
        FinalDrain.Drained drained = workload.finish(ClientRun.PATIENCE);

        // then
        assertThat(drained.isWhole()).isTrue();
        assertThat(Checker.check(workload.history(), CheckOptions.STRICT).badKinds())
                .contains("acked-record-lost");
    }

    // Fails if: FinalDrain calls a partition read whose leader it never found
    @Test
    void shouldSayWhereItGotStuckAndJudgeNothingByIt() {
        // given
        ClientRun run = new ClientRun(FIRST_SEED).started();
        Workload workload = run.workload(ClientRun.calm(), ClientRun.idempotent(101, 1));
        workload.start();
        run.cluster.run(Duration.ofSeconds(1));

        // when
        run.cluster.brokerIds().forEach(run.cluster::crash);
        FinalDrain.Drained drained = workload.finish(Duration.ofSeconds(5));

        // then
        assertThat(drained.isWhole()).isFalse();
        assertThat(drained.behind()).hasSize(ClientRun.PARTITIONS);
        Verdict verdict = Checker.check(workload.history(), CheckOptions.STRICT);
        assertThat(verdict.coverage().finalReads()).isZero();
        assertThat(verdict.badKinds()).doesNotContain("acked-record-lost");
    }
}
