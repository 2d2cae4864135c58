package io.tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.SimDisk;
import io.tidemark.model.Acks;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.IsrChannel.Answer;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.IsrProposal;
import io.tidemark.replication.partition.MemoryLog;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.States;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Broker 1 leads {@code t-0} in epoch 5; broker 2 may join. */
final class IsrProposalsTest {
    private final ReplicaBroker broker = new ReplicaBroker(new SimDisk(), List.of(Path.of("/logs")));
    private Partition partition;

    @BeforeEach
    void lead() {
        broker.full(state(5, 1, 1));
        partition = broker.replica(States.PARTITION);
        broker.news();
    }

    private static PartitionState state(int leaderEpoch, int partitionEpoch, Integer... isr) {
        return States.led(1, leaderEpoch).replicas(1, 2).at(partitionEpoch, isr);
    }

    private IsrProposal proposeGrowth() {
        FetchEntry entry = new FetchEntry(
                States.TOPIC_ID, States.PARTITION, 5, partition.log().end().offset(), -1, 0, 1_000);
        partition.countFollowerFetch(
                entry, new Follower(2, 102), broker.scheduler.clock().monotonicNs());
        IsrProposal proposal = partition.pendingProposal().orElseThrow();
        broker.send(proposal);
        return proposal;
    }

    private void answer(int index, Answer answer) {
        broker.proposed.get(index).answer().accept(answer);
    }

    private List<IsrProposal> sent() {
        return broker.proposed.stream().map(ReplicaBroker.Proposed::proposal).toList();
    }

    private void pass(Duration time) {
        broker.scheduler.advance(time);
    }

    @Test
    void shouldAdoptTheAnswerAndTellWhatMoved() {
        // given a record that waits for its second replica
        broker.changed(States.led(1, 5).replicas(1, 2).minIsr(2).at(2, 1));
        partition.appendAsLeader(MemoryLog.batch("v"), -1, Acks.LEADER);
        IsrProposal proposal = proposeGrowth();
        broker.news();
        // when
        PartitionState grown = States.led(1, 5).replicas(1, 2).minIsr(2).at(3, 1, 2);
        answer(0, new Answer.State(grown));
        // then
        assertThat(sent()).containsExactly(proposal);
        assertThat(partition.state()).contains(grown);
        assertThat(broker.news()).containsExactly("followers moved t-0", "advanced t-0 1");
        pass(Duration.ofSeconds(10));
        assertThat(sent()).hasSize(1);
    }

    @Test
    void shouldSendUnchangedWithGrowingPausesUntilReleased() {
        // scenario 32: errors and timeouts are no answer
        // Fails if: IsrProposals.onAnswer takes an error for an answer
        IsrProposal proposal = proposeGrowth();
        long before = broker.scheduler.clock().monotonicNs();
        for (int i = 0; i < 6; i++) {
            answer(i, new Answer.Failed(ErrorCode.REQUEST_TIMED_OUT));
            pass(Duration.ofSeconds(5));
            assertThat(sent()).hasSize(i + 2);
        }
        assertThat(sent()).containsOnly(proposal);
        assertThat(broker.scheduler.clock().monotonicNs() - before)
                .isEqualTo(Duration.ofSeconds(30).toNanos());
    }

    @Test
    void shouldPauseBeforeItSendsAgain() {
        proposeGrowth();
        answer(0, new Answer.Failed(ErrorCode.NOT_CONTROLLER));
        pass(Duration.ofMillis(99));
        assertThat(sent()).hasSize(1);
        pass(Duration.ofMillis(1));
        assertThat(sent()).hasSize(2);
        answer(1, new Answer.Failed(ErrorCode.NOT_CONTROLLER));
        pass(Duration.ofMillis(199));
        assertThat(sent()).hasSize(2);
        pass(Duration.ofMillis(1));
        assertThat(sent()).hasSize(3);
    }

    @Test
    void shouldNotTakeAStateWithTheSamePartitionEpochForAnAnswer() {
        // DESIGN 5: released only by a state whose partition epoch is greater than the proposal's
        IsrProposal proposal = proposeGrowth();
        answer(0, new Answer.State(state(5, 1, 1)));
        assertThat(partition.pendingProposal()).contains(proposal);
        pass(Duration.ofSeconds(1));
        assertThat(sent()).containsExactly(proposal, proposal);
    }

    @Test
    void shouldBeReleasedByARefusal() {
        // the unchanged state with partition epoch + 1
        proposeGrowth();
        answer(0, new Answer.State(state(5, 2, 1)));
        assertThat(partition.pendingProposal()).isEmpty();
        pass(Duration.ofSeconds(10));
        assertThat(sent()).hasSize(1);
    }

    @Test
    void shouldBeReleasedByAPushThatComesFirst() {
        // KAFKA-1382 (bug 22): the write succeeded, its reply was lost, the push tells
        // Fails if: IsrProposals.retry sends without a look at what is still proposed
        proposeGrowth();
        answer(0, new Answer.Failed(ErrorCode.REQUEST_TIMED_OUT));
        broker.changed(state(5, 2, 1, 2));
        pass(Duration.ofSeconds(10));
        assertThat(sent()).hasSize(1);
        assertThat(partition.pendingProposal()).isEmpty();
    }

    @Test
    void shouldNotFollowACommandThatComesAsAnAnswer() {
        // I8: a state of a newer leader epoch comes by push alone
        IsrProposal proposal = proposeGrowth();
        answer(0, new Answer.State(States.led(2, 6).replicas(1, 2).at(2, 2)));
        assertThat(partition.view().leadsIn(5)).isTrue();
        assertThat(partition.pendingProposal()).contains(proposal);
        // when the push comes
        broker.changed(States.led(2, 6).replicas(1, 2).at(2, 2));
        pass(Duration.ofSeconds(10));
        // then nothing is sent any more
        assertThat(sent()).hasSize(1);
    }

    @Test
    void shouldAskANewControllerAtOnce() {
        // given no answer will ever come from the old one
        IsrProposal proposal = proposeGrowth();
        // when
        broker.manager.apply(new ClusterUpdate(false, ReplicaBroker.brokers(1, 2, 3), 3, List.of(), List.of()));
        // then
        assertThat(sent()).containsExactly(proposal, proposal);
        // and a late failure of the first attempt changes nothing
        answer(0, new Answer.Failed(ErrorCode.BROKER_NOT_AVAILABLE));
        pass(Duration.ofSeconds(10));
        assertThat(sent()).hasSize(2);
        answer(1, new Answer.State(state(5, 2, 1, 2)));
        assertThat(partition.pendingProposal()).isEmpty();
    }

    @Test
    void shouldSendTheSameProposalOnceHoweverOftenItIsGiven() {
        IsrProposal proposal = proposeGrowth();
        broker.send(proposal);
        broker.send(proposal);
        assertThat(sent()).containsExactly(proposal);
    }

    @Test
    void shouldSendNothingAfterItsEnd() {
        proposeGrowth();
        answer(0, new Answer.Failed(ErrorCode.REQUEST_TIMED_OUT));
        broker.manager.shutdown();
        pass(Duration.ofMinutes(1));
        assertThat(sent()).hasSize(1);
    }
}
