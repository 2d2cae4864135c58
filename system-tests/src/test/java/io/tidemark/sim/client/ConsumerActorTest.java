package io.tidemark.sim.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.checker.CheckOptions;
import io.tidemark.checker.Checker;
import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Crash;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Operation;
import io.tidemark.history.Phase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Readers that die, and readers whose log is cut. */
final class ConsumerActorTest {
    private static final int CONSUMER = Workload.FIRST_CONSUMER;
    private static final WorkloadSettings ONE_READER = ClientRun.calm().withConsumers(1);

    private final ClientRun run = new ClientRun(8).started();
    private final Workload workload = run.workload(ONE_READER, ClientRun.idempotent(101, 0));

    private List<Start> assignments() {
        return workload.history().operations().stream()
                .map(Operation::action)
                .filter(action -> action instanceof Assignment)
                .map(action -> ((Assignment) action).start())
                .toList();
    }

    // I16. Fails if: ConsumerActor goes on behind what it was given, or calls it reading from the beginning
    @Test
    void shouldGoOnWhereItWasOrAsSomebodyElseAfterADeath() {
        workload.start();
        for (int i = 0; i < 12; i++) {
            run.cluster.run(Duration.ofSeconds(1));
            workload.kill(CONSUMER);
        }
        run.cluster.run(Duration.ofSeconds(1));

        assertThat(workload.finish(ClientRun.PATIENCE).isWhole()).isTrue();
        assertThat(workload.counts().deaths()).isEqualTo(12);
        assertThat(assignments()).contains(Start.BEGINNING, Start.KEPT).endsWith(Start.FINAL_READ);
        assertThat(workload.history().operations())
                .filteredOn(operation -> operation.action() instanceof Crash)
                .isNotEmpty()
                .extracting(Operation::outcome)
                .containsOnly(Phase.INFO);
        assertThat(Checker.check(workload.history(), CheckOptions.STRICT).badKinds())
                .isEmpty();
    }

    // I14: a consumer whose records are gone is told so, and the history has it
    // Fails if: ConsumerActor takes a LogTruncatedException for any other failure
    @Test
    void shouldWriteDownThatALogWasCut() {
        // given
        workload.start();
        run.cluster.run(Duration.ofSeconds(3));
        workload.stop();
        run.cluster.await("no send is open", workload::isIdle, ClientRun.PATIENCE);
        run.cluster.run(Duration.ofSeconds(1));

        // when
        run.cluster.brokerIds().forEach(run.cluster::powerLoss);
        run.heal();
        run.cluster.run(Duration.ofSeconds(15));

        // then
        assertThat(workload.finish(ClientRun.PATIENCE).isWhole()).isTrue();
        assertThat(Checker.check(workload.history(), CheckOptions.STRICT).badKinds())
                .contains("truncation-seen", "acked-record-lost");
    }
}
