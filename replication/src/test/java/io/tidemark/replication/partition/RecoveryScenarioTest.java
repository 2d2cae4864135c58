package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.log.ReadRequest.Minimum;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The counterexamples of the safety rules, step by step, on three replicas A (1), B (2) and C (3). */
final class RecoveryScenarioTest {
    private static final Follower B_NAME = new Follower(2, 102);
    private static final Follower C_NAME = new Follower(3, 103);

    private Partition a;
    private Partition b;
    private Partition c;

    private static Partition replica(int id, TruncationMode mode) {
        ReplicaSettings settings = new ReplicaSettings(Duration.ofSeconds(30), mode, FlushMode.ASYNC);
        return new Partition(new MemoryLog(), id, () -> 100 + id, settings, 0);
    }

    private void start(TruncationMode mode) {
        a = replica(1, mode);
        b = replica(2, mode);
        c = replica(3, mode);
    }

    private static void tell(PartitionState state, Partition... replicas) {
        for (Partition replica : replicas) {
            replica.become(state, 0);
        }
    }

    private static void append(Partition leader, Acks acks) {
        assertThat(leader.appendAsLeader(MemoryLog.batch("m"), -1, acks)).isInstanceOf(LeaderAppend.Appended.class);
    }

    private static long end(Partition replica) {
        return replica.log().end().offset();
    }

    private static long highWatermark(Partition replica) {
        return replica.view().highWatermark();
    }

    /** I1 up to the clean election of C: m0 was committed by all three, and read. */
    private void playI1(TruncationMode mode) {
        start(mode);
        tell(States.led(1, 0).at(0, 1, 2, 3), a, b, c);
        append(a, Acks.ALL);
        Exchange.run(b, B_NAME, a, 0);
        Exchange.run(c, C_NAME, a, 0);
        // their next fetch proves that they have m0; its answer, which would carry the high watermark, is lost
        Exchange.answer(a, Exchange.ask(b), B_NAME, 0);
        Exchange.answer(a, Exchange.ask(c), C_NAME, 0);
        assertThat(highWatermark(a)).isEqualTo(1);
        assertThat(highWatermark(c)).isZero();
        // the controller drops B, so A leads epoch 1 with {A, C}; C becomes its follower, then leader of epoch 2
        tell(States.led(1, 1).at(1, 1, 3), a, c);
        tell(States.led(3, 2).at(2, 1, 3), c);
    }

    @Test
    void shouldKeepACommittedRecordByEpochs() {
        playI1(TruncationMode.LEADER_EPOCH);
        assertThat(end(c)).isEqualTo(1);
        assertThat(c.belowHighWatermarkCuts()).isZero();
    }

    @Test
    void shouldShowThatTheSeedsRuleLosesACommittedRecord() {
        // what truncation to the high watermark is kept for: to show this
        playI1(TruncationMode.HIGH_WATERMARK);
        assertThat(c.view().role()).isEqualTo(PartitionView.Role.LEADER);
        assertThat(end(c)).as("m0 is gone from the elected leader").isZero();
    }

    @Test
    void shouldNotFallBackToTheHighWatermarkWhenTheLeaderDoesNotKnowAnEpoch() {
        // I3: C leads e1 and appends alone; A leads e2 and does not know e1
        // Fails if: TruncationRule.onDiverging falls back to the high watermark
        start(TruncationMode.LEADER_EPOCH);
        tell(States.led(1, 0).replicas(1, 3).at(0, 1, 3), a, c);
        append(a, Acks.ALL);
        Exchange.run(c, C_NAME, a, 0);
        Exchange.answer(a, Exchange.ask(c), C_NAME, 0);
        assertThat(highWatermark(a)).isEqualTo(1);
        tell(States.led(3, 1).replicas(1, 3).at(1, 1, 3), c);
        append(c, Acks.LEADER);
        // when
        tell(States.led(1, 2).replicas(1, 3).at(2, 1, 3), a, c);
        Exchange.run(c, C_NAME, a, 0);
        // then m1 of e1 is cut, m0 stays
        assertThat(end(c)).isEqualTo(1);
        assertThat(((MemoryLog) c.log()).epochByOffset()).containsExactly(0);
    }

    @Test
    void shouldMakeAFollowerWaitForALeaderThatHasNotHeardOfItsEpoch() {
        // I4: C is at e2, A still leads e0
        // Fails if: Fencing.follower lets a greater epoch in
        start(TruncationMode.LEADER_EPOCH);
        tell(States.led(1, 0).at(0, 1, 2, 3), a, b, c);
        append(a, Acks.LEADER);
        Exchange.run(c, C_NAME, a, 0);
        tell(States.led(1, 2).at(2, 1, 3), c);
        // when
        FetchEntry entry = Exchange.ask(c);
        ReplicaFetch.Result answer = Exchange.answer(a, entry, C_NAME, 0);
        // then
        assertThat(answer.error()).isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
        assertThat(highWatermark(a)).isZero();
    }

    @Test
    void shouldNotAppendForAZombieFollowerAndNotSplitItsLog() {
        // I5: A e0 m0 to C; A cuts m0 under B(e1), leads e3 with m1, m2; C, still at e0, fetches offset 1
        // Fails if: Fencing.follower lets a lower epoch in
        start(TruncationMode.LEADER_EPOCH);
        tell(States.led(1, 0).at(0, 1, 2, 3), a, b, c);
        append(a, Acks.LEADER);
        Exchange.run(c, C_NAME, a, 0);
        FetchEntry zombie = Exchange.ask(c);
        tell(States.led(2, 1).at(1, 1, 2), a, b);
        Exchange.run(a, new Follower(1, 101), b, 0);
        assertThat(end(a)).isZero();
        tell(States.led(1, 3).at(3, 1, 2), a);
        append(a, Acks.LEADER);
        append(a, Acks.LEADER);
        // when
        ReplicaFetch.Result answer = Exchange.answer(a, zombie, C_NAME, 0);
        // then
        assertThat(answer.error()).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
        // and at e3 its tail does not match: it cuts m0 before it appends
        tell(States.led(1, 3).at(3, 1, 2), c);
        Exchange.run(c, C_NAME, a, 0);
        assertThat(end(c)).isZero();
        Exchange.run(c, C_NAME, a, 0);
        assertThat(((MemoryLog) c.log()).epochByOffset()).containsExactly(3, 3);
    }

    @Test
    void shouldNotCommitWithWhatAFollowerProvedInAnEarlierEpoch() {
        // I6: C (e0) fetched m0 from A; leadership B(e1), A(e2); C's old position must not count at e2
        // Fails if: Fencing.follower lets a lower epoch in
        start(TruncationMode.LEADER_EPOCH);
        tell(States.led(1, 0).replicas(1, 3).at(0, 1, 3), a, c);
        append(a, Acks.LEADER);
        Exchange.run(c, C_NAME, a, 0);
        FetchEntry old = Exchange.ask(c);
        tell(States.led(1, 2).replicas(1, 3).at(2, 1, 3), a);
        // when it arrives late
        Exchange.answer(a, old, C_NAME, 0);
        // then
        assertThat(highWatermark(a)).isZero();
    }

    @Test
    void shouldNotAdmitAnEmptyReplicaToALeaderWhoseHighWatermarkLags() {
        // I7: B leads e1 with {B, C}, m0 committed; C leads e2 with its own high watermark still 0
        // Fails if: IsrRules.mayJoin goes by the high watermark alone
        start(TruncationMode.LEADER_EPOCH);
        tell(States.led(2, 1).at(0, 2, 3), a, b, c);
        append(b, Acks.ALL);
        Exchange.run(c, C_NAME, b, 0);
        Exchange.answer(b, Exchange.ask(c), C_NAME, 0);
        assertThat(highWatermark(b)).isEqualTo(1);
        tell(States.led(3, 2).at(1, 2, 3), a, c);
        assertThat(highWatermark(c)).isZero();
        // when A, empty, is at C's high watermark
        Exchange.answer(c, Exchange.ask(a), new Follower(1, 101), 0);
        // then
        assertThat(c.pendingProposal()).isEmpty();
        Exchange.run(a, new Follower(1, 101), c, 0);
        Exchange.answer(c, Exchange.ask(a), new Follower(1, 101), 0);
        assertThat(c.pendingProposal()).isPresent();
    }

    @Test
    void shouldNotExposeWhatADeposedLeaderAppendsAlone() {
        // I8 (a) and I20: B is deposed by C(e2) unknowingly, appends, and cannot get rid of C
        // Fails if: holdsHighWatermark leaves out who is to be removed
        start(TruncationMode.LEADER_EPOCH);
        tell(States.led(2, 1).replicas(2, 3).at(0, 2, 3), b, c);
        tell(States.led(3, 2).replicas(2, 3).at(1, 2, 3), c);
        append(b, Acks.ALL);
        Advance shrink = b.checkIsr(Duration.ofSeconds(31).toNanos());
        assertThat(shrink.proposal()).isNotNull();
        // when the controller answers with the state that it has: another epoch, so it is no answer for this role
        // (and would be a command); meanwhile nothing is exposed
        assertThat(highWatermark(b)).isZero();
        ConsumerFetch.Entry entry = new ConsumerFetch.Entry(States.PARTITION, -1, 0, -1, 1_000);
        assertThat(((ConsumerRead.Data) b.readForConsumer(entry, 1_000, Minimum.ONE_BATCH))
                        .batches()
                        .hasRemaining())
                .isFalse();
        // then
        b.become(States.led(3, 2).replicas(2, 3).at(1, 2, 3), 0);
        assertThat(highWatermark(b)).isZero();
    }

    @Test
    void shouldEndUpEqualAfterFastLeaderChanges() {
        // KAFKA-6361 (bug 10): unclean elections between X (2) and Y (3), acks=1, then both up
        // Fails if: TruncationRule.onDiverging goes by the leader's end alone
        start(TruncationMode.LEADER_EPOCH);
        tell(States.led(2, 0).replicas(2, 3).at(0, 2, 3), b, c);
        append(b, Acks.LEADER);
        Exchange.run(c, C_NAME, b, 0);
        tell(States.led(3, 1).replicas(2, 3).at(1, 3), c);
        append(c, Acks.LEADER);
        tell(States.led(2, 2).replicas(2, 3).at(2, 2), b);
        append(b, Acks.LEADER);
        append(b, Acks.LEADER);
        append(b, Acks.LEADER);
        tell(States.led(3, 3).replicas(2, 3).at(3, 3), c);
        append(c, Acks.LEADER);
        tell(States.led(2, 4).replicas(2, 3).at(4, 2), b, c);
        append(b, Acks.LEADER);
        append(b, Acks.LEADER);
        // when
        for (int i = 0; i < 5; i++) {
            Exchange.run(c, C_NAME, b, 0);
        }
        // then
        assertThat(((MemoryLog) c.log()).epochByOffset()).containsExactly(0, 2, 2, 2, 4, 4);
        assertThat(((MemoryLog) c.log()).epochByOffset()).isEqualTo(((MemoryLog) b.log()).epochByOffset());
    }
}
