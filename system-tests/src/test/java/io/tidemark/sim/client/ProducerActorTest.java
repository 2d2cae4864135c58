package io.tidemark.sim.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.checker.CheckOptions;
import io.tidemark.checker.Checker;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.History;
import io.tidemark.history.HistoryEvent;
import io.tidemark.history.Operation;
import io.tidemark.history.Phase;
import io.tidemark.history.SendMode;
import io.tidemark.model.Acks;
import io.tidemark.sim.MessageGate;
import io.tidemark.sim.MessageKind;
import io.tidemark.sim.client.WorkloadSettings.ProducerTimes;
import io.tidemark.sim.plan.ClientPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What producers are told by brokers that fail them, and what the history says of it. */
final class ProducerActorTest {
    private static final int CLIENT = 101;
    private static final Duration A_WHILE = Duration.ofSeconds(2);

    private final ClientRun run = new ClientRun(5).started();
    private final int leader = run.leader(0).orElseThrow();

    /** Loses the answers that are on their way to the client when there is one, with their connection. */
    private void loseAnAnswer(Workload workload) {
        MessageGate gate = run.cluster.network().hold(MessageKind.PRODUCE_ANSWER, leader, CLIENT);
        workload.start();
        run.cluster.await("an answer on its way", () -> gate.held() > 0, ClientRun.PATIENCE);
        gate.drop();
        gate.release();
        run.cluster.run(A_WHILE);
    }

    private static List<Operation> withOutcome(History history, Phase phase) {
        return history.operations().stream()
                .filter(operation -> operation.action() instanceof Transfer && operation.outcome() == phase)
                .toList();
    }

    private static void assertValid(Workload workload) {
        assertThat(Checker.check(workload.history(), CheckOptions.STRICT).badKinds())
                .isEmpty();
    }

    // KAFKA-7692, I13: what was written is not written again, and its sender learns where it is
    // Fails if: ProducerActor gives its producers no idempotence, or ClientDoor copies no producer stamp
    @Test
    void shouldWriteOnceWhatAnIdempotentProducerTriesAgain() {
        Workload workload = run.workload(ClientRun.calm(), ClientRun.idempotent(CLIENT, 0));

        loseAnAnswer(workload);

        assertThat(workload.finish(ClientRun.PATIENCE).isWhole()).isTrue();
        assertThat(workload.counts().unknown()).isZero();
        assertThat(workload.counts().acknowledged())
                .isEqualTo(workload.counts().sent())
                .isPositive();
        assertThat(run.endOf(0)).isEqualTo(workload.counts().sent());
        assertThat(withOutcome(workload.history(), Phase.INFO)).isEmpty();
        assertValid(workload);
    }

    // I13. Fails if: ProducerActor takes an unknown outcome for a failure
    @Test
    void shouldSayThatNobodyKnowsWhenAPlainProducerHearsNothing() {
        Workload workload = run.workload(ClientRun.calm(), ClientRun.plain(CLIENT, Acks.ALL, 0));

        loseAnAnswer(workload);

        assertThat(workload.finish(ClientRun.PATIENCE).isWhole()).isTrue();
        assertThat(workload.counts().unknown()).isPositive();
        assertThat(run.endOf(0)).isEqualTo(workload.counts().sent());
        assertThat(withOutcome(workload.history(), Phase.INFO)).isNotEmpty();
        assertThat(withOutcome(workload.history(), Phase.FAIL)).isEmpty();
        assertValid(workload);
    }

    // Fails if: ProducerActor.kill leaves operations open, or goes on under the number of one that ended unknown
    @Test
    void shouldComeBackAsAnotherProcessAfterADeath() {
        // given
        Workload workload = run.workload(ClientRun.calm(), ClientRun.idempotent(CLIENT, 0));
        MessageGate gate = run.cluster.network().hold(MessageKind.PRODUCE_ANSWER, leader, CLIENT);
        workload.start();
        run.cluster.await("an answer on its way", () -> gate.held() > 0, ClientRun.PATIENCE);

        // when
        workload.kill(CLIENT);
        gate.release();
        run.cluster.run(A_WHILE);

        // then
        assertThat(workload.finish(ClientRun.PATIENCE).isWhole()).isTrue();
        List<Operation> unknown = withOutcome(workload.history(), Phase.INFO);
        assertThat(unknown).isNotEmpty();
        assertThat(workload.counts().deaths()).isOne();
        assertThat(withOutcome(workload.history(), Phase.OK))
                .filteredOn(operation ->
                        operation.invokedAt() > unknown.get(unknown.size() - 1).completedAt())
                .isNotEmpty()
                .extracting(Operation::process)
                .doesNotContainAnyElementsOf(
                        unknown.stream().map(Operation::process).toList());
        assertValid(workload);
    }

    // I13: NOT_ENOUGH_REPLICAS is said before anything is appended
    // Fails if: SendOutcome.of takes each failure for an unknown outcome
    @Test
    void shouldFailForCertainWhenTooFewReplicasAreThere() {
        // given
        run.others(leader).forEach(run.cluster::crash);
        run.cluster.run(Duration.ofSeconds(6));
        Workload workload = run.workload(
                ClientRun.calm().withTimes(new ProducerTimes(Duration.ofSeconds(1), Duration.ofSeconds(2))),
                ClientRun.plain(CLIENT, Acks.ALL, 0));

        // when
        workload.start();
        run.cluster.run(Duration.ofSeconds(8));

        // then
        assertThat(workload.counts().failed()).isPositive();
        assertThat(workload.counts().unknown()).isZero();
        assertThat(workload.counts().acknowledged()).isZero();
        assertThat(run.endOf(0)).isZero();
    }

    // I13: what the in-sync set was too small for after the append may be there, or not
    // Fails if: ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND says that nothing was written
    @Test
    void shouldSayThatNobodyKnowsWhenTheInSyncSetShrinksAfterTheAppend() {
        // given
        List<HistoryEvent> events = new ArrayList<>();
        ClientPlan plan = ClientRun.plain(CLIENT, Acks.ALL, 0);
        Workload workload = new Workload(
                run.site,
                ClientRun.calm().withTimes(new ProducerTimes(Duration.ofSeconds(6), Duration.ofSeconds(10))),
                List.of(plan),
                events::add,
                ClientObserver.NONE);
        run.others(leader).forEach(other -> run.cluster.cut(leader, other));

        // when
        workload.start();
        run.cluster.run(Duration.ofSeconds(3));
        run.heal();

        // then
        assertThat(workload.finish(ClientRun.PATIENCE).isWhole()).isTrue();
        assertThat(events)
                .filteredOn(event -> event.error().contains("NOT_ENOUGH_REPLICAS_AFTER_APPEND"))
                .isNotEmpty()
                .extracting(HistoryEvent::phase)
                .containsOnly(Phase.INFO);
        assertValid(workload);
    }

    // I13, I20. Fails if: ProducerActor records what a leader alone acknowledged as a promise for all replicas
    @Test
    void shouldRecordHowMuchAnAcknowledgementPromises() {
        Workload workload = run.workload(
                ClientRun.calm(),
                ClientRun.idempotent(CLIENT, 0),
                ClientRun.plain(102, Acks.LEADER, 1),
                ClientRun.plain(103, Acks.NONE, 2));

        workload.start();
        run.cluster.run(A_WHILE);

        assertThat(workload.finish(ClientRun.PATIENCE).isWhole()).isTrue();
        assertThat(withOutcome(workload.history(), Phase.OK))
                .extracting(operation -> ((Transfer) operation.action()).mode())
                .contains(
                        SendMode.STRICT,
                        new SendMode(SendMode.Acks.LEADER, SendMode.Idempotence.OFF),
                        new SendMode(SendMode.Acks.NONE, SendMode.Idempotence.OFF));
        assertThat(workload.counts().weaklyAcknowledged()).isPositive();
        assertValid(workload);
    }
}
