package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.LogEnd;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.record.RecordBatch;
import io.tidemark.replication.fetch.ReplicaFetch;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Broker 2 as a follower of broker 1. */
final class PartitionFollowerTest {
    private static final Follower TWO = new Follower(2, 102);

    private MemoryLog log = new MemoryLog();

    private Partition follower(long highWatermark, int leaderEpoch) {
        return follower(highWatermark, leaderEpoch, ReplicaSettings.DEFAULTS);
    }

    private Partition follower(long highWatermark, int leaderEpoch, ReplicaSettings settings) {
        Partition partition = new Partition(log, 2, () -> 102, settings, highWatermark);
        assertThat(partition.become(States.led(1, leaderEpoch).at(1, 1, 2), 0).change())
                .isEqualTo(Became.Change.FOLLOWER);
        return partition;
    }

    private static ReplicaFetch.Result data(long highWatermark, long logStart, ByteBuffer batches) {
        return new ReplicaFetch.Result(States.PARTITION, ErrorCode.NONE, highWatermark, logStart, batches, null);
    }

    private static ByteBuffer batch(long offset, int epoch) {
        ByteBuffer bytes = MemoryLog.batch("v" + offset);
        RecordBatch.at(bytes, bytes.position()).assign(offset, epoch);
        return bytes;
    }

    @Test
    void shouldSayWhereItStands() {
        log = MemoryLog.of(0, 3);
        Partition partition = follower(1, 5);
        assertThat(partition.followerPosition())
                .contains(new FollowerPosition(States.TOPIC_ID, States.PARTITION, 5, 1, 2, 3, 0));
        partition.become(States.led(2, 6).at(2, 2), 0);
        assertThat(partition.followerPosition()).isEmpty();
    }

    @Test
    void shouldFollowTheLeadersHighWatermarkAsFarAsItsOwnLog() {
        // I17
        // Fails if: FollowerRole.highWatermark goes beyond the log's own end
        Partition partition = follower(0, 5);
        FollowerStep step = partition.appendAsFollower(5, data(9, 0, batch(0, 5)));
        assertThat(step).isEqualTo(new FollowerStep.Done(log.end(), 0, 1));
        assertThat(log.committedBound()).isEqualTo(1);
        // a leader whose high watermark lags does not take it back
        partition.appendAsFollower(5, data(0, 0, batch(1, 5)));
        assertThat(partition.view().highWatermark()).isEqualTo(1);
        // an answer without data still tells
        partition.appendAsFollower(5, data(2, 0, ByteBuffer.allocate(0)));
        assertThat(partition.view().highWatermark()).isEqualTo(2);
    }

    @Test
    void shouldAdoptTheLeadersLogStartNeverBeyondItsHighWatermark() {
        // I18
        // Fails if: Replica.append does not take the leader's log start over
        log = MemoryLog.of(0, 0, 0, 0);
        Partition partition = follower(1, 5);
        partition.appendAsFollower(5, data(3, 2, ByteBuffer.allocate(0)));
        assertThat(log.startOffset()).isEqualTo(2);
        assertThat(partition.view().highWatermark()).isEqualTo(3);
        partition.appendAsFollower(5, data(3, 0, ByteBuffer.allocate(0)));
        assertThat(log.startOffset()).isEqualTo(2);
    }

    @Test
    void shouldForgetAnswersOfAnotherEpoch() {
        // I4: what was asked in epoch 5 and is answered when epoch 6 has begun
        // Fails if: Partition does not ask in which epoch an answer was asked for
        log = MemoryLog.of(0, 0, 0);
        Partition partition = follower(1, 5);
        partition.become(States.led(3, 6).at(2, 2, 3), 0);
        assertThat(partition.appendAsFollower(5, data(3, 0, batch(3, 5)))).isEqualTo(new FollowerStep.Fenced());
        assertThat(partition.truncateAsFollower(5, new EpochEnd(0, 0))).isEqualTo(new FollowerStep.Fenced());
        assertThat(partition.restartAsFollower(5, 9)).isEqualTo(new FollowerStep.Fenced());
        assertThat(log.end().offset()).isEqualTo(3);
        assertThat(partition.view().highWatermark()).isEqualTo(1);
    }

    @Test
    void shouldRefuseBytesAndStayWhereItIs() {
        // a batch of an epoch above that of the fetch (DESIGN 5)
        Partition partition = follower(0, 5);
        FollowerStep step = partition.appendAsFollower(5, data(1, 0, batch(0, 6)));
        assertThat(step).isInstanceOf(FollowerStep.Refused.class);
        assertThat(partition.followerPosition().orElseThrow().fetchOffset()).isZero();
        assertThat(partition.view().highWatermark()).isZero();
        assertThat(partition.appendAsFollower(
                        5,
                        new ReplicaFetch.Result(
                                States.PARTITION, ErrorCode.UNKNOWN_LEADER_EPOCH, 1, 0, batch(0, 5), null)))
                .isInstanceOf(FollowerStep.Refused.class);
        assertThat(log.end().offset()).isZero();
    }

    @Test
    void shouldCutBeforeItBelievesTheHighWatermark() {
        // KAFKA-14704 (bug 7): epochs [0,0,2,4,4,4], HW 1; "you diverge: epoch 2 ends at 3" together with HW 5
        // Fails if: the follower takes over the high watermark of a diverging answer
        log = MemoryLog.of(0, 0, 2, 4, 4, 4);
        Partition partition = follower(1, 5);
        ReplicaFetch.Result diverging = new ReplicaFetch.Result(
                States.PARTITION, ErrorCode.NONE, 5, 0, ByteBuffer.allocate(0), new EpochEnd(2, 3));
        // when
        FollowerStep step = partition.appendAsFollower(5, diverging);
        // then
        assertThat(step).isEqualTo(new FollowerStep.Done(log.end(), 0, 1));
        assertThat(log.end().offset()).isEqualTo(3);
        assertThat(log.end().lastEpoch()).isEqualTo(2);
        assertThat(log.committedBound()).isEqualTo(1);
        assertThat(partition.belowHighWatermarkCuts()).isZero();
        // when the next fetch is clean
        partition.appendAsFollower(5, data(5, 0, batch(3, 5)));
        // then
        assertThat(partition.view().highWatermark()).isEqualTo(4);
    }

    @Test
    void shouldDoACutBelowTheHighWatermarkAndCountIt() {
        // DESIGN 5: a tripwire, not a stop; the high watermark follows down
        log = MemoryLog.of(0, 0, 1, 1);
        Partition partition = follower(3, 5);
        partition.truncateAsFollower(5, new EpochEnd(0, 2));
        assertThat(log.end().offset()).isEqualTo(2);
        assertThat(partition.view().highWatermark()).isEqualTo(2);
        assertThat(log.committedBound()).isEqualTo(2);
        assertThat(partition.belowHighWatermarkCuts()).isEqualTo(1);
    }

    @Test
    void shouldStartAgainWhereTheLeaderStartsInOneStep() {
        // KAFKA-9491 (bug 6): records 0..5, LSO 0, HW 3, LEO 6; restart at 4 means LSO = HW = LEO = 4 (S65)
        // Fails if: Replica.restart leaves the high watermark behind
        log = MemoryLog.of(0, 0, 0);
        Partition partition = follower(3, 5);
        // when
        FollowerStep step = partition.restartAsFollower(5, 4);
        // then
        assertThat(step).isEqualTo(new FollowerStep.Done(new LogEnd(4, 0, -1), 4, 4));
        assertThat(partition.view().highWatermark()).isEqualTo(4);
        assertThat(log.committedBound()).isEqualTo(4);
        // when it is elected before any fetch
        partition.become(States.led(2, 6).replicas(2).at(2, 2), 0);
        // then it serves
        assertThat(partition.lookup(OffsetLookup.Which.LATEST, 6)).isEqualTo(new OffsetLookup.Found(4, 6));
        assertThat(partition.appendAsLeader(MemoryLog.batch("v"), 6, Acks.ALL))
                .isInstanceOf(LeaderAppend.Appended.class);
        assertThat(partition.belowHighWatermarkCuts()).isZero();
    }

    @Test
    void shouldNotDropRecordsThatReachTheLeadersStart() {
        log = MemoryLog.of(0, 0, 0);
        Partition partition = follower(1, 5);
        partition.restartAsFollower(5, 2);
        assertThat(log.end().offset()).isEqualTo(3);
        assertThat(log.truncations()).isZero();
    }

    @Test
    void shouldStartAgainFromAnEmptyLogBeyondTheLeadersEnd() {
        // the leader was elected uncleanly, with less than where this empty log starts
        log.truncateFullyAndStartAt(100);
        Partition partition = follower(100, 5);
        partition.restartAsFollower(5, 20);
        assertThat(log.startOffset()).isEqualTo(20);
        assertThat(partition.view().highWatermark()).isEqualTo(20);
        assertThat(partition.belowHighWatermarkCuts()).isEqualTo(1);
    }

    @Test
    void shouldOnlyTakeOverNumbersInTheSameEpoch() {
        // scenario 34, I9: no truncation, no new role, the position stays
        // Fails if: RoleChange.decide takes a state of the same leader epoch for a new role
        log = MemoryLog.of(0, 0, 4);
        Partition partition = follower(1, 5, settings(TruncationMode.HIGH_WATERMARK));
        assertThat(log.end().offset()).isEqualTo(1);
        log.add(4);
        Became became = partition.become(States.led(1, 5).at(2, 1), 0);
        assertThat(became.change()).isEqualTo(Became.Change.UPDATED);
        assertThat(became.roleEnded()).isFalse();
        assertThat(log.end().offset()).isEqualTo(2);
        assertThat(partition.become(States.led(1, 5).at(2, 1), 0).change()).isEqualTo(Became.Change.STALE);
    }

    @Test
    void shouldCutToTheLastCheckpointedHighWatermarkInTheSeedsMode() {
        // S65, S60: the file says 1; in memory the high watermark has moved on to 3
        // Fails if: Replica.follow cuts to the high watermark in memory
        log = MemoryLog.of(0, 0, 0, 0);
        Partition partition = new Partition(log, 2, () -> 102, settings(TruncationMode.HIGH_WATERMARK), 1);
        partition.become(States.led(1, 5).at(1, 1, 2), 0);
        assertThat(log.end().offset()).isEqualTo(1);
        partition.appendAsFollower(5, data(3, 0, batch(1, 5)));
        partition.appendAsFollower(5, data(3, 0, batch(2, 5)));
        partition.onCheckpointed(2);
        // when
        partition.become(States.led(3, 6).at(2, 2, 3), 0);
        // then
        assertThat(log.end().offset()).isEqualTo(2);
        assertThat(partition.view().highWatermark()).isEqualTo(2);
        assertThat(partition.belowHighWatermarkCuts()).isEqualTo(1);
    }

    @Test
    void shouldCutNothingWhenTheCheckpointReachesBeyondTheLogInTheSeedsMode() {
        // S65: a target above the log's end is a no-op
        // Fails if: Replica.follow starts the log again at a checkpoint that it does not reach
        log = MemoryLog.of(0, 0, 0);
        Partition partition = new Partition(log, 2, () -> 102, settings(TruncationMode.HIGH_WATERMARK), 9);
        partition.become(States.led(1, 5).at(1, 1, 2), 0);
        assertThat(log.end().offset()).isEqualTo(3);
        assertThat(partition.view().highWatermark()).isEqualTo(3);
        assertThat(partition.belowHighWatermarkCuts()).isZero();
    }

    @Test
    void shouldForceWhatAnEndedLeadershipLeftBeforeItsFirstFetchInSyncMode() {
        log = MemoryLog.of(0, 0);
        assertThat(log.forcedEnd().offset()).isZero();
        follower(0, 5, new ReplicaSettings(Duration.ofSeconds(30), TruncationMode.LEADER_EPOCH, FlushMode.SYNC));
        assertThat(log.forcedEnd().offset()).isEqualTo(2);
    }

    @Test
    void shouldCopyALeaderAndRejoinItsHistory() {
        // KAFKA-6361 (bug 10) in small: broker 2 led epoch 1 alone and wrote; broker 1 leads epoch 2 without that
        // Fails if: Replica.cutWhereDiverging cuts nothing
        MemoryLog leadersLog = MemoryLog.of(0, 0, 2, 2);
        Partition leader = new Partition(leadersLog, 1, () -> 101, ReplicaSettings.DEFAULTS, 0);
        leader.become(States.led(1, 2).replicas(1, 2).at(3, 1), 0);
        log = MemoryLog.of(0, 0, 1, 1, 1);
        Partition partition = follower(2, 2);
        // when
        for (int i = 0; i < 3; i++) {
            Exchange.run(partition, TWO, leader, 0);
        }
        // then
        assertThat(log.epochByOffset()).containsExactly(0, 0, 2, 2);
        assertThat(partition.view().highWatermark()).isEqualTo(4);
        assertThat(leader.pendingProposal()).isPresent();
        assertThat(partition.belowHighWatermarkCuts()).isZero();
    }

    private static ReplicaSettings settings(TruncationMode mode) {
        return new ReplicaSettings(Duration.ofSeconds(30), mode, FlushMode.ASYNC);
    }
}
