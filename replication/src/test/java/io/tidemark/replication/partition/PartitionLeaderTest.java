package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.ReadRequest.Minimum;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.partition.PartitionView.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Broker 1 as leader. */
final class PartitionLeaderTest {
    private static final int MAX_BYTES = 1 << 20;
    private static final Follower TWO = new Follower(2, 102);
    private static final Follower THREE = new Follower(3, 103);

    private MemoryLog log = new MemoryLog();
    private long nowNs = 1_000_000_000L;

    private Partition partition(long highWatermark) {
        return new Partition(log, 1, () -> 101, ReplicaSettings.DEFAULTS, highWatermark);
    }

    private Partition leader(PartitionState state) {
        Partition partition = partition(0);
        assertThat(partition.become(state, nowNs).change()).isEqualTo(Became.Change.LEADER);
        return partition;
    }

    private static LeaderAppend append(Partition partition, Acks acks) {
        return partition.appendAsLeader(MemoryLog.batch("v"), -1, acks);
    }

    private static ErrorCode error(LeaderAppend append) {
        return append instanceof LeaderAppend.Refused refused ? refused.error() : ErrorCode.NONE;
    }

    private static FetchEntry entry(int leaderEpoch, long offset, int lastEpoch) {
        return new FetchEntry(States.TOPIC_ID, States.PARTITION, leaderEpoch, offset, lastEpoch, 0, MAX_BYTES);
    }

    private FollowerCount count(Partition partition, Follower follower, long offset, int lastEpoch) {
        return partition.countFollowerFetch(entry(5, offset, lastEpoch), follower, nowNs);
    }

    private Advance counted(Partition partition, Follower follower, long offset, int lastEpoch) {
        return ((FollowerCount.Counted) count(partition, follower, offset, lastEpoch)).advance();
    }

    private static ConsumerRead consume(Partition partition, long offset) {
        return partition.readForConsumer(
                new ConsumerFetch.Entry(States.PARTITION, -1, offset, -1, MAX_BYTES), MAX_BYTES, Minimum.ONE_BATCH);
    }

    @Test
    void shouldTakeAcksAllOnlyWhileTheGateIsOpen() {
        // Fails if: Partition.appendAsLeader does not look at the gate
        // given I13: acks {0,1,all} x min ISR {1,2,3} x ISR size {1,2,3}
        for (Acks acks : Acks.values()) {
            for (int minIsr = 1; minIsr <= 3; minIsr++) {
                for (int isrSize = 1; isrSize <= 3; isrSize++) {
                    log = new MemoryLog();
                    List<Integer> isr = new ArrayList<>(List.of(1, 2, 3)).subList(0, isrSize);
                    Partition partition = leader(States.led(1, 5).minIsr(minIsr).at(1, isr.toArray(Integer[]::new)));
                    // when
                    LeaderAppend outcome = append(partition, acks);
                    // then
                    boolean refused = acks == Acks.ALL && isrSize < minIsr;
                    String matrixCase = acks + " min " + minIsr + " of " + isrSize;
                    assertThat(error(outcome))
                            .as(matrixCase)
                            .isEqualTo(refused ? ErrorCode.NOT_ENOUGH_REPLICAS : ErrorCode.NONE);
                    assertThat(log.end().offset()).as(matrixCase).isEqualTo(refused ? 0 : 1);
                    assertThat(partition.view().highWatermark())
                            .as(matrixCase)
                            .isEqualTo(isrSize == 1 && minIsr == 1 ? 1 : 0);
                }
            }
        }
    }

    @Test
    void shouldCommitWithTheAppendItselfWhenItLeadsAlone() {
        Partition partition = leader(States.led(1, 5).at(1, 1));
        LeaderAppend.Appended appended = (LeaderAppend.Appended) append(partition, Acks.ALL);
        assertThat(appended.firstOffset()).isZero();
        assertThat(appended.lastOffset()).isZero();
        assertThat(appended.leaderEpoch()).isEqualTo(5);
        assertThat(appended.advance()).isEqualTo(new Advance(true, 1, null));
        assertThat(log.committedBound()).isEqualTo(1);
    }

    @Test
    void shouldRecordTheEpochStartAndResetTheOthersWhenItBecomesLeader() {
        // Fails if: Fencing.follower lets a lower epoch in
        // given scenario 29: two records, then leader again
        log = MemoryLog.of(0, 0);
        Partition partition = leader(States.led(1, 5).at(1, 1, 2));
        counted(partition, TWO, 2, 0);
        assertThat(partition.view().highWatermark()).isEqualTo(2);
        append(partition, Acks.LEADER);
        // when
        partition.become(States.led(1, 8).at(2, 1, 2), nowNs);
        append(partition, Acks.LEADER);
        // then I6: the old epoch's fetch is fenced and counts for nothing
        assertThat(log.epochs().endOf(5)).contains(new EpochEnd(5, 3));
        assertThat(count(partition, TWO, 3, 5)).isEqualTo(new FollowerCount.Refused(ErrorCode.FENCED_LEADER_EPOCH, 0));
        assertThat(partition.view().highWatermark()).isEqualTo(2);
        partition.countFollowerFetch(entry(8, 3, 5), TWO, nowNs);
        assertThat(partition.view().highWatermark()).isEqualTo(3);
    }

    @Test
    void shouldTakeTheHighWatermarksPositionFromWhereTheFollowerReads() {
        // given S28, S29: three records, of which the follower has read one
        // Fails if: Replica.located gives the log end's position to every offset
        Partition partition = leader(States.led(1, 5).at(1, 1, 2));
        for (int i = 0; i < 3; i++) {
            append(partition, Acks.LEADER);
        }
        // when
        counted(partition, TWO, 1, 5);
        // then
        assertThat(partition.view().highWatermark()).isEqualTo(1);
        assertThat(partition.view().highWatermarkPosition())
                .isEqualTo(log.positionOf(1))
                .isPositive();
        counted(partition, TWO, 3, 5);
        assertThat(partition.view().highWatermarkPosition()).isEqualTo(log.end().position());
    }

    @Test
    void shouldOpenItsEpochBeforeAnybodyAsks() {
        // KAFKA-7415 (bug 9) through a fetch: two records of epoch 0, two of 5, leader in 8 with nothing written
        // Fails if: Fencing.divergence says nothing about an epoch that the log does not have
        log = MemoryLog.of(0, 0, 5, 5);
        Partition partition = leader(States.led(1, 8).at(1, 1, 2));
        assertThat(log.epochs().endOf(8)).contains(new EpochEnd(8, 4));
        FollowerCount diverging = partition.countFollowerFetch(entry(8, 6, 6), TWO, nowNs);
        assertThat(diverging).isEqualTo(new FollowerCount.Diverging(new EpochEnd(5, 4)));
    }

    @Test
    void shouldCountNothingOfAFetchThatCannotBeRead() {
        // I6
        // Fails if: Replica.count lets in an offset beyond the log's end
        log = MemoryLog.of(0, 0, 0);
        Partition partition = leader(States.led(1, 5).at(1, 1, 2));
        // another epoch, either way
        assertThat(partition.countFollowerFetch(entry(4, 3, 0), TWO, nowNs))
                .isEqualTo(new FollowerCount.Refused(ErrorCode.FENCED_LEADER_EPOCH, 0));
        assertThat(partition.countFollowerFetch(entry(6, 3, 0), TWO, nowNs))
                .isEqualTo(new FollowerCount.Refused(ErrorCode.UNKNOWN_LEADER_EPOCH, 0));
        // out of range, high and low (scenario 38); another history; another topic; nobody's replica
        assertThat(count(partition, TWO, 4, -1)).isEqualTo(new FollowerCount.Refused(ErrorCode.OFFSET_OUT_OF_RANGE, 0));
        assertThat(count(partition, TWO, 3, 4)).isInstanceOf(FollowerCount.Diverging.class);
        FetchEntry otherTopic = new FetchEntry(new TopicId(1, 1), States.PARTITION, 5, 3, 0, 0, MAX_BYTES);
        assertThat(partition.countFollowerFetch(otherTopic, TWO, nowNs))
                .isEqualTo(new FollowerCount.Refused(ErrorCode.INCONSISTENT_TOPIC_ID, 0));
        assertThat(count(partition, new Follower(9, 9), 3, 0))
                .isEqualTo(new FollowerCount.Refused(ErrorCode.UNKNOWN_LEADER_EPOCH, 0));
        assertThat(partition.view().highWatermark()).isZero();
        // then the right one counts, and an earlier life after it does not
        assertThat(counted(partition, TWO, 3, 0).committed()).isTrue();
        assertThat(count(partition, new Follower(2, 99), 0, -1))
                .isEqualTo(new FollowerCount.Refused(ErrorCode.STALE_BROKER_EPOCH, 0));
    }

    @Test
    void shouldRefuseAFollowerBelowItsLogStart() {
        log = MemoryLog.of(0, 0, 0, 0);
        Partition partition = leader(States.led(1, 5).replicas(1, 2).at(1, 1));
        assertThat(partition.view().highWatermark()).isEqualTo(4);
        assertThat(log.advanceStartOffset(3)).isTrue();
        assertThat(count(partition, TWO, 1, 0)).isEqualTo(new FollowerCount.Refused(ErrorCode.OFFSET_OUT_OF_RANGE, 3));
    }

    @Test
    void shouldKeepALaggingReplicaOutUntilItReachesTheEpochStart() {
        // KAFKA-7128 (bug 21): replicas L=1, F1=2, F2=3; ISR {1, 3}; LEO 5, HW 2
        // Fails if: IsrRules.mayJoin goes by the high watermark alone
        log = MemoryLog.of(0, 0, 0, 0, 0);
        Partition partition = partition(2);
        partition.become(States.led(3, 4).at(1, 1, 3), nowNs);
        partition.become(States.led(1, 5).at(2, 1, 3), nowNs);
        append(partition, Acks.LEADER);
        append(partition, Acks.LEADER);
        // when
        assertThat(counted(partition, TWO, 0, -1).proposal()).isNull();
        assertThat(counted(partition, TWO, 2, 0).proposal()).isNull();
        // then
        assertThat(counted(partition, TWO, 5, 0).proposal()).isNotNull();
    }

    @Test
    void shouldGiveConsumersOnlyWhatIsCommitted() {
        // I15, KAFKA-9196 (bug 8): offset 0 committed, offset 1 not
        // Fails if: consumers read up to the log's end
        // scenario 38
        Partition partition = leader(States.led(1, 5).at(1, 1, 2));
        append(partition, Acks.LEADER);
        counted(partition, TWO, 1, 5);
        append(partition, Acks.LEADER);
        // when
        ConsumerRead.Data atZero = (ConsumerRead.Data) consume(partition, 0);
        ConsumerRead.Data atOne = (ConsumerRead.Data) consume(partition, 1);
        ConsumerRead.Data atTwo = (ConsumerRead.Data) consume(partition, 2);
        // then
        long oneRecord = log.positionOf(1);
        assertThat(atZero.batches().remaining()).isEqualTo(oneRecord);
        assertThat(atZero.highWatermark()).isEqualTo(1);
        assertThat(partition.view().highWatermarkPosition() - atZero.fetchPosition())
                .isEqualTo(oneRecord);
        assertThat(atOne.batches().hasRemaining()).isFalse();
        assertThat(partition.view().highWatermarkPosition() - atOne.fetchPosition())
                .isZero();
        // I16: between high watermark and log end it waits
        assertThat(atTwo.batches().hasRemaining()).isFalse();
        assertThat(partition.view().highWatermarkPosition() - atTwo.fetchPosition())
                .isNegative();
        assertThat(consume(partition, 3))
                .isInstanceOfSatisfying(
                        ConsumerRead.Refused.class,
                        refused -> assertThat(refused.error()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE));
    }

    @Test
    void shouldTellAConsumerThatWhatItReadWasCut() {
        log = MemoryLog.of(0, 0, 3);
        Partition partition = leader(States.led(1, 5).replicas(1).at(1, 1));
        ConsumerFetch.Entry entry = new ConsumerFetch.Entry(States.PARTITION, 5, 3, 2, MAX_BYTES);
        assertThat(partition.readForConsumer(entry, MAX_BYTES, Minimum.ONE_BATCH))
                .isEqualTo(new ConsumerRead.Diverging(new EpochEnd(0, 2)));
    }

    @Test
    void shouldFenceAReadWhoseBytesMayHaveBeenCutMeanwhile() {
        // given: while a follower's bytes are copied, the leader is deposed, cut, and leads again
        log = MemoryLog.of(0, 0, 0);
        Partition partition = leader(States.led(1, 5).at(1, 1, 2));
        log.beforeReturningRead(() -> {
            partition.become(States.led(2, 6).at(2, 1, 2), nowNs);
            partition.truncateAsFollower(6, new EpochEnd(0, 1));
            partition.become(States.led(1, 7).at(3, 1, 2), nowNs);
        });
        // when
        FollowerRead read = partition.readForFollower(entry(5, 0, -1), MAX_BYTES, Minimum.ONE_BATCH);
        // then
        assertThat(read).isEqualTo(new FollowerRead.Refused(ErrorCode.FENCED_LEADER_EPOCH, 0));
    }

    @Test
    void shouldNotAnswerSuccessOnceTheRoleHasEnded() {
        // KAFKA-9198 (bug 20), (a) stop and (b) become follower, between the check and the write
        // Fails if: Replica.stop does not fence the log
        for (boolean stop : new boolean[] {true, false}) {
            log = new MemoryLog();
            Partition partition = leader(States.led(1, 5).at(1, 1, 2));
            LeaderAppend.Appended waiting = (LeaderAppend.Appended) append(partition, Acks.ALL);
            log.beforeAppend(() -> {
                if (stop) {
                    partition.stop(ErrorCode.NOT_LEADER_OR_FOLLOWER);
                } else {
                    partition.become(States.led(2, 6).at(2, 1, 2), nowNs);
                }
            });
            // when
            LeaderAppend outcome = append(partition, Acks.ALL);
            // then: the late one is not written, and the waiting one sees that its epoch is over
            assertThat(error(outcome)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
            assertThat(log.end().offset()).isEqualTo(1);
            assertThat(partition.view().leadsIn(waiting.leaderEpoch())).isFalse();
            assertThat(((LeaderAppend.Refused) append(partition, Acks.LEADER)).leader())
                    .isEqualTo(stop ? PartitionState.NO_LEADER : 2);
        }
    }

    @Test
    void shouldAppendAndReadWhileTheLockIsFree() {
        // scenario 35: neither an append nor a read holds the lock that in-sync set changes and other fetches need
        // Fails if: Partition.appendAsLeader holds its lock while the log writes
        Partition partition = leader(States.led(1, 5).at(1, 1, 2));
        Runnable others = () -> CompletableFuture.runAsync(() -> {
                    partition.checkIsr(nowNs);
                    partition.lookup(OffsetLookup.Which.EARLIEST, -1);
                })
                .join();
        log.beforeAppend(others);
        assertThat(error(append(partition, Acks.ALL))).isEqualTo(ErrorCode.NONE);
        log.beforeReturningRead(others);
        assertThat(partition.readForFollower(entry(5, 0, -1), MAX_BYTES, Minimum.ONE_BATCH))
                .isInstanceOf(FollowerRead.Data.class);
        counted(partition, TWO, 1, 5);
        log.beforeReturningRead(others);
        assertThat(partition.lookupTime(0, -1, () -> true)).isInstanceOf(OffsetLookup.Found.class);
    }

    @Test
    void shouldGoOnWhileAProposalHasNoAnswer() {
        // scenario 32 and 35
        // Fails if: the high watermark waits for the answer to a proposal
        Partition partition = leader(States.led(1, 5).at(1, 1, 2));
        counted(partition, TWO, 0, -1);
        Advance growth = counted(partition, THREE, 0, -1);
        assertThat(partition.pendingProposal()).contains(growth.proposal());
        append(partition, Acks.ALL);
        counted(partition, TWO, 1, 5);
        counted(partition, THREE, 1, 5);
        assertThat(partition.view().highWatermark()).isEqualTo(1);
        assertThat(partition.pendingProposal()).contains(growth.proposal());
        // when
        Became became = partition.become(States.led(1, 5).at(2, 1, 2, 3), nowNs);
        // then
        assertThat(became.change()).isEqualTo(Became.Change.UPDATED);
        assertThat(partition.pendingProposal()).isEmpty();
    }

    @Test
    void shouldForgetAProposalWithItsRole() {
        // KAFKA-1382 (bug 22): another leader's epoch: wait for the controller, overwrite nothing
        // Fails if: Replica.endRole keeps the leader's role
        Partition partition = leader(States.led(1, 5).at(1, 1));
        counted(partition, TWO, 0, -1);
        partition.become(States.led(2, 6).at(3, 1, 2), nowNs);
        assertThat(partition.pendingProposal()).isEmpty();
        assertThat(partition.become(States.led(1, 5).at(9, 1, 2), nowNs).change())
                .isEqualTo(Became.Change.STALE);
    }

    @Test
    void shouldShrinkByTimeAndKeepWhoeverMakesRounds() {
        // scenario 31
        // Fails if: LeaderRole.onSessionRound does not count as a fetch
        Partition partition = leader(States.led(1, 5).at(1, 1, 2, 3));
        counted(partition, TWO, 0, -1);
        counted(partition, THREE, 0, -1);
        nowNs += Duration.ofSeconds(20).toNanos();
        partition.onSessionRound(TWO, nowNs);
        nowNs += Duration.ofSeconds(20).toNanos();
        Advance shrink = partition.checkIsr(nowNs);
        assertThat(shrink.proposal().members())
                .extracting(IsrProposal.ProposedMember::brokerId)
                .containsExactly(1, 2);
    }

    @Test
    void shouldNotNameTheLatestOffsetBeforeTheEpochStartIsCommitted() {
        // I16
        // Fails if: Replica.lookup does not ask where the epoch starts
        log = MemoryLog.of(0, 0, 0);
        Partition partition = partition(1);
        partition.become(States.led(1, 5).at(1, 1, 2), nowNs);
        assertThat(partition.lookup(OffsetLookup.Which.LATEST, 5))
                .isEqualTo(new OffsetLookup.Refused(ErrorCode.OFFSET_NOT_AVAILABLE, -1, 5));
        assertThat(partition.lookup(OffsetLookup.Which.EARLIEST, 5)).isEqualTo(new OffsetLookup.Found(0, 5));
        counted(partition, TWO, 3, 0);
        assertThat(partition.lookup(OffsetLookup.Which.LATEST, 5)).isEqualTo(new OffsetLookup.Found(3, 5));
        assertThat(partition.lookup(OffsetLookup.Which.LATEST, 4))
                .isEqualTo(new OffsetLookup.Refused(ErrorCode.FENCED_LEADER_EPOCH, -1, 5));
    }

    @Test
    void shouldAnswerATimeWithCommittedRecordsOnly() {
        // given: records of 10, 20 and 30, of which the follower has two
        Partition partition = leader(States.led(1, 5).at(1, 1, 2));
        for (long timestampMs : new long[] {10, 20, 30}) {
            partition.appendAsLeader(MemoryLog.batchAt(timestampMs), -1, Acks.ALL);
        }
        counted(partition, TWO, 2, 5);

        // when / then: what is not committed is answered with the high watermark
        assertThat(partition.lookupTime(15, 5, () -> true)).isEqualTo(new OffsetLookup.Found(1, 5));
        assertThat(partition.lookupTime(20, -1, () -> true)).isEqualTo(new OffsetLookup.Found(1, 5));
        assertThat(partition.lookupTime(25, 5, () -> true)).isEqualTo(new OffsetLookup.Found(2, 5));
        assertThat(partition.lookupTime(99, 5, () -> true)).isEqualTo(new OffsetLookup.Found(2, 5));
        counted(partition, TWO, 3, 5);
        assertThat(partition.lookupTime(25, 5, () -> true)).isEqualTo(new OffsetLookup.Found(2, 5));
        assertThat(partition.lookupTime(99, 5, () -> true)).isEqualTo(new OffsetLookup.Found(3, 5));
    }

    @Test
    void shouldRefuseATimeThatItCannotAnswer() {
        // I16: a new leader does not know the end yet
        // Fails if: Partition.lookupTime does not ask whether the end is known
        log = MemoryLog.of(0, 0, 0);
        Partition partition = partition(1);
        partition.become(States.led(1, 5).at(1, 1, 2), nowNs);
        assertThat(partition.lookupTime(0, 5, () -> true))
                .isEqualTo(new OffsetLookup.Refused(ErrorCode.OFFSET_NOT_AVAILABLE, -1, 5));
        counted(partition, TWO, 3, 0);
        assertThat(partition.lookupTime(0, 4, () -> true))
                .isEqualTo(new OffsetLookup.Refused(ErrorCode.FENCED_LEADER_EPOCH, -1, 5));
        assertThat(partition.lookupTime(0, 5, () -> false))
                .isEqualTo(new OffsetLookup.Refused(ErrorCode.REQUEST_TIMED_OUT, -1, 5));
        // the role ends while the log is searched
        log.beforeReturningRead(() -> partition.become(States.led(2, 6).at(2, 1, 2), nowNs));
        assertThat(partition.lookupTime(0, 5, () -> true))
                .isEqualTo(new OffsetLookup.Refused(ErrorCode.NOT_LEADER_OR_FOLLOWER, 2, 6));
    }

    @Test
    void shouldStartFromTheCheckpointWithinTheLogsBounds() {
        // S63, scenario 33
        // Fails if: HighWatermark takes the checkpointed value as it is
        log = MemoryLog.of(0, 0, 0);
        assertThat(partition(2).view().highWatermark()).isEqualTo(2);
        assertThat(partition(9).view().highWatermark()).isEqualTo(3);
        log.committedBound(2);
        log.advanceStartOffset(2);
        assertThat(partition(0).view().highWatermark()).isEqualTo(2);
        assertThat(log.committedBound()).isEqualTo(2);
    }

    @Test
    void shouldKeepItsHighWatermarkThroughRoleChanges() {
        log = MemoryLog.of(0, 0, 0);
        Partition partition = partition(2);
        partition.become(States.led(2, 4).at(1, 1, 2), nowNs);
        partition.become(States.led(1, 5).at(2, 1, 2), nowNs);
        partition.become(States.led(-1, 6).at(3, 1), nowNs);
        assertThat(partition.view().role()).isEqualTo(Role.NONE);
        assertThat(partition.view().highWatermark()).isEqualTo(2);
    }

    @Test
    void shouldCountWithForcedEndsInSyncMode() {
        Partition partition = new Partition(
                log,
                1,
                () -> 101,
                new ReplicaSettings(Duration.ofSeconds(30), TruncationMode.LEADER_EPOCH, FlushMode.SYNC),
                0);
        partition.become(States.led(1, 5).replicas(1, 2).at(1, 1, 2), nowNs);
        append(partition, Acks.ALL);
        counted(partition, TWO, 1, 5);
        assertThat(partition.view().highWatermark()).isZero();
        // when
        log.force();
        // then
        assertThat(partition.onLocalForced()).isEqualTo(new Advance(true, 1, null));
    }

    @Test
    void shouldHaveNoRoleAfterAStorageFailure() {
        // scenario 37: nothing can be acknowledged any more
        // Fails if: Replica.lead ends the old role after the log has begun the epoch
        Partition partition = leader(States.led(1, 5).at(1, 1));
        log.breakDisk();
        assertThatThrownBy(() -> append(partition, Acks.ALL)).isInstanceOf(KafkaStorageException.class);
        assertThat(partition.view().highWatermark()).isZero();
        assertThatThrownBy(() -> partition.become(States.led(1, 6).at(2, 1), nowNs))
                .isInstanceOf(KafkaStorageException.class);
        assertThat(partition.view().role()).isEqualTo(Role.NONE);
        partition.stop(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(error(append(partition, Acks.ALL))).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
    }
}
