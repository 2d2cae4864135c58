package io.tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.ReadRequest.Minimum;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.Acks;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.RecordBatch;
import io.tidemark.replication.ReplicaManager.LogEndAnswer;
import io.tidemark.replication.ReplicaManager.LogEndQuery;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.ConsumerRead;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.FollowerPosition;
import io.tidemark.replication.partition.FollowerRead;
import io.tidemark.replication.partition.LeaderAppend;
import io.tidemark.replication.partition.MemoryLog;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView.Role;
import io.tidemark.replication.partition.States;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/** Broker 1 over real logs on a simulated disk. */
final class ReplicaManagerTest {
    private static final Path LOGS = Path.of("/logs");
    private static final TopicPartition T0 = States.PARTITION;
    private static final TopicPartition T1 = new TopicPartition("t", 1);

    private final SimDisk disk = new SimDisk();
    private ReplicaBroker broker = new ReplicaBroker(disk, List.of(LOGS));

    private static PartitionState led(int leader, int leaderEpoch, int partitionEpoch) {
        return States.led(leader, leaderEpoch).at(partitionEpoch, 1, 2, 3);
    }

    private static PartitionState alone(int leaderEpoch, int partitionEpoch) {
        return States.led(1, leaderEpoch).replicas(1).at(partitionEpoch, 1);
    }

    private static PartitionState named(TopicPartition name, TopicId id, PartitionState state) {
        return new PartitionState(
                id,
                name,
                state.leader(),
                state.leaderEpoch(),
                state.partitionEpoch(),
                state.replicas(),
                state.isr(),
                state.eligible(),
                state.effectiveMinIsr(),
                state.controllerEpoch());
    }

    private static ErrorCode append(Partition partition) {
        LeaderAppend append = partition.appendAsLeader(MemoryLog.batch("v"), -1, Acks.ALL);
        return append instanceof LeaderAppend.Refused refused ? refused.error() : ErrorCode.NONE;
    }

    private void restart() {
        broker.logs.closeCleanly();
        broker = new ReplicaBroker(disk, List.of(LOGS));
    }

    private void kill() {
        broker.logs.closeAtOnce();
        broker = new ReplicaBroker(disk, List.of(LOGS));
    }

    @Test
    void shouldGiveTheOthersTheirRolesWhenOnePartitionCannotTakeIts() {
        // given
        broker.broken = T0;
        // when
        broker.full(alone(0, 0), named(T1, States.TOPIC_ID, alone(0, 0)));
        // then
        assertThat(broker.manager.find(T0)).isEmpty();
        assertThat(append(broker.replica(T1))).isEqualTo(ErrorCode.NONE);
        assertThat(broker.failures).isEmpty();
    }

    @Test
    void shouldGiveRolesAndTellWhatFollows() {
        // when
        broker.full(led(2, 0, 0), named(T1, States.TOPIC_ID, alone(0, 0)));
        // then
        assertThat(broker.replica(T0).view().role()).isEqualTo(Role.FOLLOWER);
        assertThat(broker.replica(T1).view().role()).isEqualTo(Role.LEADER);
        assertThat(broker.news())
                .containsExactly(
                        "unfollow t-0",
                        "ended t-0 NOT_LEADER_OR_FOLLOWER",
                        "unfollow t-1",
                        "ended t-1 NOT_LEADER_OR_FOLLOWER",
                        "follow t-0 from 2 at peer2:9002");
        // when the leader changes, then this broker leads
        broker.changed(led(3, 1, 1));
        assertThat(broker.news())
                .containsExactly("unfollow t-0", "ended t-0 NOT_LEADER_OR_FOLLOWER", "follow t-0 from 3 at peer3:9003");
        broker.changed(led(1, 2, 2));
        assertThat(broker.news()).containsExactly("unfollow t-0", "ended t-0 NOT_LEADER_OR_FOLLOWER");
        assertThat(broker.manager.strays()).isEmpty();
    }

    @Test
    void shouldNotDisturbFetchersWhenOnlyNumbersChange() {
        // scenario 34: one is adopted, which whoever waits for followers hears of; fetchers do not
        // Fails if: RoleChange.decide takes a state of the same leader epoch for a new role
        broker.full(led(2, 0, 0));
        broker.news();
        broker.changed(States.led(2, 0).at(1, 1, 2));
        broker.changed(States.led(2, 0).at(1, 1, 2));
        broker.changed(States.led(2, 0).at(0, 1, 2, 3));
        assertThat(broker.news()).containsExactly("followers moved t-0");
        assertThat(broker.replica(T0).state()).contains(States.led(2, 0).at(1, 1, 2));
    }

    @Test
    void shouldKnowWhichBrokersLive() {
        // given
        List<String> changes = new ArrayList<>();
        broker.live.listen(() -> changes.add(broker.live.isLive(2) + " " + broker.live.isLive(3)));

        // when
        broker.manager.apply(new ClusterUpdate(true, ReplicaBroker.brokers(1, 3), 2, List.of(), List.of()));
        broker.manager.apply(new ClusterUpdate(false, ReplicaBroker.brokers(1, 3), 2, List.of(), List.of()));
        broker.manager.apply(new ClusterUpdate(false, ReplicaBroker.brokers(1, 2, 3), 2, List.of(), List.of()));

        // then
        assertThat(changes).containsExactly("false true", "true true");
    }

    @Test
    void shouldFollowALeaderWhereverAndWheneverItIsRegistered() {
        // given the leader's broker is not registered yet
        PartitionState state = led(2, 0, 0);
        broker.manager.apply(
                new ClusterUpdate(true, ReplicaBroker.brokers(1, 3), 2, ReplicaBroker.topics(state), List.of()));
        assertThat(broker.news()).doesNotContain("follow t-0 from 2 at peer2:9002");
        // when it comes
        broker.changed();
        assertThat(broker.news()).containsExactly("follow t-0 from 2 at peer2:9002");
        broker.changed();
        assertThat(broker.news()).isEmpty();
        // when it registers again (bug 44), goes, and comes back
        SortedMap<Integer, BrokerRegistration> again = ReplicaBroker.brokers(1, 2, 3);
        again.put(2, ReplicaBroker.registration(2, 200));
        broker.manager.apply(new ClusterUpdate(false, again, 2, List.of(), List.of()));
        assertThat(broker.news()).containsExactly("follow t-0 from 2 at peer2:9002");
        broker.manager.apply(new ClusterUpdate(false, ReplicaBroker.brokers(1), 2, List.of(), List.of()));
        assertThat(broker.news()).containsExactly("unfollow t-0");
        broker.changed();
        assertThat(broker.news()).containsExactly("follow t-0 from 2 at peer2:9002");
    }

    @Test
    void shouldStopWhatAFullUpdateDoesNotNameAndKeepItsData() {
        // DESIGN 6: absence never deletes data
        broker.full(alone(0, 0), named(T1, States.TOPIC_ID, alone(0, 0)));
        append(broker.replica(T0));
        broker.news();
        // when
        broker.full(named(T1, States.TOPIC_ID, alone(0, 0)));
        // then
        assertThat(broker.news()).containsExactly("unfollow t-0", "ended t-0 NOT_LEADER_OR_FOLLOWER");
        assertThat(append(broker.replica(T0))).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(append(broker.replica(T1))).isEqualTo(ErrorCode.NONE);
        assertThat(broker.manager.strays()).containsExactly(T0);
        assertThat(broker.logs.find(T0).orElseThrow().end().offset()).isEqualTo(1);
        // when it is named again, nothing was lost
        broker.full(alone(0, 0));
        assertThat(append(broker.replica(T0))).isEqualTo(ErrorCode.NONE);
        assertThat(broker.logs.find(T0).orElseThrow().end().offset()).isEqualTo(2);
        assertThat(broker.manager.strays()).containsExactly(T1);
    }

    @Test
    void shouldReportLogsAsStrayThatNobodyEverPlacedHere() {
        broker.full(alone(0, 0));
        restart();
        broker.full();
        assertThat(broker.manager.strays()).containsExactly(T0);
        assertThat(broker.manager.find(T0)).isEmpty();
    }

    @Test
    void shouldStopByEpochAndDeleteByIdAlone() {
        // scenario 36: older/equal/newer epoch, named without this broker: stopped, never deleted
        // Fails if: ReplicaManager.delete goes by the name alone
        PartitionState without = States.led(2, 5).replicas(2, 3).at(9, 2);
        for (int[] epochs : new int[][] {{4, 99}, {5, 6}, {5, 7}}) {
            ReplicaBroker fresh = new ReplicaBroker(new SimDisk(), List.of(LOGS));
            fresh.full(States.led(2, 5).at(7, 1, 2, 3));
            PartitionState offered = States.led(2, epochs[0]).replicas(2, 3).at(epochs[1], 2);
            fresh.changed(offered);
            boolean stale = epochs[0] < 5 || epochs[1] < 7;
            assertThat(fresh.replica(T0).view().role())
                    .as("epochs %d %d", epochs[0], epochs[1])
                    .isEqualTo(stale ? Role.FOLLOWER : Role.NONE);
        }
        broker.full(States.led(2, 5).at(7, 1, 2, 3));
        broker.changed(without);
        assertThat(broker.replica(T0).view().role()).isEqualTo(Role.NONE);
        assertThat(broker.logs.find(T0)).isPresent();
        // when a topic of the same name and another id is deleted
        delete(new TopicId(1, 1));
        assertThat(broker.logs.find(T0)).isPresent();
        // when this one is
        delete(States.TOPIC_ID);
        assertThat(broker.logs.find(T0)).isEmpty();
        assertThat(broker.manager.find(T0)).isEmpty();
        // when there is none, or none that can be opened
        delete(States.TOPIC_ID);
        broker.broken = T0;
        broker.full(States.led(2, 5).at(7, 1, 2, 3));
        broker.changed(without);
        delete(States.TOPIC_ID);
        assertThat(broker.manager.find(T0)).isEmpty();
        assertThat(broker.failures).isEmpty();
    }

    private void delete(TopicId id) {
        broker.manager.apply(new ClusterUpdate(
                false, ReplicaBroker.brokers(1, 2, 3), 2, List.of(), List.of(new ClusterUpdate.DeletedTopic("t", id))));
    }

    @Test
    void shouldAnswerLateCallersOfADeletedPartition() {
        broker.full(alone(0, 0));
        Partition partition = broker.replica(T0);
        append(partition);
        broker.news();
        // when
        delete(States.TOPIC_ID);
        // then
        assertThat(broker.news()).containsExactly("unfollow t-0", "ended t-0 UNKNOWN_TOPIC_OR_PARTITION");
        assertThat(append(partition)).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(consume(partition, 0))
                .isInstanceOfSatisfying(
                        ConsumerRead.Refused.class,
                        refused -> assertThat(refused.error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION));
        assertThat(broker.failures).isEmpty();
        broker.manager.checkpointHighWatermarks();
    }

    @Test
    void shouldRefuseRatherThanFailWhenTheLogGoesUnderACall() {
        // a deletion between a request's fence and its turn at the log is no storage failure
        broker.full(alone(0, 0));
        Partition partition = broker.replica(T0);
        append(partition);
        broker.logs.delete(T0, States.TOPIC_ID);
        assertThat(append(partition)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(consume(partition, 0)).isInstanceOf(ConsumerRead.Refused.class);
        FetchEntry entry = new FetchEntry(States.TOPIC_ID, T0, 0, 0, -1, 0, 1_000);
        assertThat(partition.readForFollower(entry, 1_000, Minimum.ONE_BATCH)).isInstanceOf(FollowerRead.Refused.class);
    }

    @Test
    void shouldSetTheOldDataAsideWhenATopicWasCreatedAgain() {
        // the same name, another id, while this broker was away; the old one's high watermark means nothing to it
        broker.full(alone(0, 0));
        append(broker.replica(T0));
        append(broker.replica(T0));
        broker.manager.checkpointHighWatermarks();
        Partition old = broker.replica(T0);
        broker.news();
        TopicId newId = new TopicId(9, 9);
        // when
        broker.full(named(T0, newId, led(1, 0, 0)));
        // then
        assertThat(broker.news()).startsWith("unfollow t-0", "ended t-0 UNKNOWN_TOPIC_OR_PARTITION", "unfollow t-0");
        assertThat(broker.replica(T0).topicId()).isEqualTo(newId);
        assertThat(broker.replica(T0).view().highWatermark()).isZero();
        assertThat(append(old)).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        // and after a crash before the next checkpoint the new log has no high watermark of the old one
        append(broker.replica(T0));
        append(broker.replica(T0));
        append(broker.replica(T0));
        kill();
        broker.full(named(T0, newId, led(1, 1, 1)));
        assertThat(broker.replica(T0).log().end().offset()).isEqualTo(3);
        assertThat(broker.replica(T0).view().highWatermark()).isZero();
    }

    @Test
    void shouldStartALoadedLogFromItsCheckpointAndANewOneFromItsStart() {
        // S58, S63, S64
        // S57. Fails if: ReplicaManager.start sets no timer for checkpoints, or open() passes 0 in
        broker.full(alone(0, 0));
        assertThat(broker.replica(T0).view().highWatermark()).isZero();
        append(broker.replica(T0));
        append(broker.replica(T0));
        broker.scheduler.advance(ReplicaBroker.CHECKPOINT_INTERVAL);
        append(broker.replica(T0));
        kill();
        broker.full(led(2, 1, 1));
        assertThat(broker.replica(T0).log().end().offset()).isEqualTo(3);
        assertThat(broker.replica(T0).view().highWatermark()).isEqualTo(2);
    }

    @Test
    void shouldNotLoseCheckpointsWhileNoAssignmentHasArrived() {
        // KAFKA-769 (bug 23): checkpoints run before the first assignment; then the broker dies once more
        broker.full(alone(0, 0), named(T1, States.TOPIC_ID, alone(0, 0)));
        append(broker.replica(T0));
        append(broker.replica(T1));
        append(broker.replica(T1));
        broker.scheduler.advance(ReplicaBroker.CHECKPOINT_INTERVAL);
        kill();
        broker.scheduler.advance(Duration.ofMinutes(1));
        kill();
        broker.scheduler.advance(Duration.ofMinutes(1));
        // when
        broker.full(led(2, 1, 1), named(T1, States.TOPIC_ID, led(2, 1, 1)));
        // then
        assertThat(broker.replica(T0).view().highWatermark()).isEqualTo(1);
        assertThat(broker.replica(T1).view().highWatermark()).isEqualTo(2);
        assertThat(broker.replica(T0).followerPosition().orElseThrow().fetchOffset())
                .isEqualTo(1);
        assertThat(broker.replica(T1).followerPosition().orElseThrow().fetchOffset())
                .isEqualTo(2);
    }

    @Test
    void shouldCheckpointAndAnswerWaitersOnACleanStop() {
        // S59
        // Fails if: ReplicaManager.shutdown writes no checkpoint
        broker.full(alone(0, 0));
        append(broker.replica(T0));
        broker.news();
        // when
        broker.manager.shutdown();
        // then
        assertThat(broker.news()).containsExactly("unfollow t-0", "ended t-0 NOT_LEADER_OR_FOLLOWER");
        assertThat(append(broker.replica(T0))).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        restart();
        broker.full(led(2, 1, 1));
        assertThat(broker.replica(T0).view().highWatermark()).isEqualTo(1);
    }

    @Test
    void shouldCheckInSyncSetsByTime() {
        // scenario 31 through the scheduler: nobody fetches
        // Fails if: ReplicaManager.start sets no timer for in-sync sets
        broker.full(led(1, 0, 0));
        broker.scheduler.advance(Duration.ofSeconds(30));
        assertThat(broker.proposed).isEmpty();
        broker.scheduler.advance(Duration.ofSeconds(15));
        assertThat(broker.proposed).hasSize(1);
        assertThat(broker.proposed.get(0).proposal().members())
                .extracting(member -> member.brokerId())
                .containsExactly(1);
    }

    @Test
    void shouldGoOnWithOtherPartitionsWhenOneMeetsAStorageFailure() {
        // scenario 37, S14: the disk fails under t-0, then t-0 is told to change its role
        // Fails if: ReplicaManager lets a storage failure of one partition end the whole change
        // S15. Fails if: ReplicaManager.guarded stops the partition before it reports the failure
        FaultPlan plan = new FaultPlan();
        broker = new ReplicaBroker(new FaultFiles(new SimDisk(), plan, pause -> {}), List.of(LOGS));
        broker.full(alone(0, 0), named(T1, States.TOPIC_ID, alone(0, 0)));
        plan.add(FaultRule.failing(FileOperation.APPEND, "/logs/t-0/*.log"));
        assertThatThrownBy(() -> append(broker.replica(T0))).isInstanceOf(KafkaStorageException.class);
        assertThat(broker.replica(T0).view().highWatermark()).isZero();
        broker.news();
        // when
        broker.changed(led(2, 1, 1), named(T1, States.TOPIC_ID, led(2, 1, 1)));
        // then
        assertThat(broker.failures).hasSize(1);
        assertThat(append(broker.replica(T0))).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(broker.replica(T1).view().role()).isEqualTo(Role.FOLLOWER);
        assertThat(broker.news())
                .containsExactly(
                        "storage failure",
                        "unfollow t-0",
                        "ended t-0 KAFKA_STORAGE_ERROR",
                        "unfollow t-1",
                        "ended t-1 NOT_LEADER_OR_FOLLOWER",
                        "follow t-1 from 2 at peer2:9002");
    }

    @Test
    void shouldReportACheckpointThatCannotBeWritten() {
        // S15
        FaultPlan plan = new FaultPlan();
        broker = new ReplicaBroker(new FaultFiles(new SimDisk(), plan, pause -> {}), List.of(LOGS));
        broker.full(alone(0, 0));
        append(broker.replica(T0));
        plan.add(FaultRule.failing(FileOperation.FORCE, "replication-offset-checkpoint*"));
        broker.scheduler.advance(ReplicaBroker.CHECKPOINT_INTERVAL);
        assertThat(broker.failures).hasSize(1);
    }

    @Test
    void shouldKeepCommittedReadsApartFromARoll() {
        // KAFKA-9196 (bug 8): offset 0 committed; a roll at offset 1; offset 1 is not committed
        broker.config = LogConfig.DEFAULTS.withSegmentBytes(100);
        broker.full(States.led(1, 0).replicas(1, 2).at(0, 1, 2));
        Partition partition = broker.replica(T0);
        append(partition);
        FetchEntry atOne = new FetchEntry(States.TOPIC_ID, T0, 0, 1, 0, 0, 1_000);
        partition.countFollowerFetch(atOne, new Follower(2, 102), 0);
        append(partition);
        assertThat(disk.exists(LOGS.resolve("t-0").resolve("00000000000000000001.log")))
                .as("a segment of its own")
                .isTrue();
        // when
        ConsumerRead.Data first = (ConsumerRead.Data) consume(partition, 0);
        ConsumerRead.Data second = (ConsumerRead.Data) consume(partition, 1);
        // then
        assertThat(RecordBatch.at(first.batches(), 0).lastOffset()).isZero();
        assertThat(first.batches().remaining())
                .isEqualTo(RecordBatch.at(first.batches(), 0).sizeBytes());
        assertThat(second.batches().hasRemaining()).isFalse();
        assertThat(partition.view().highWatermarkPosition() - second.fetchPosition())
                .isZero();
    }

    @Test
    void shouldSayHowFarItsLogsGo() {
        broker.full(alone(4, 0));
        append(broker.replica(T0));
        assertThat(broker.manager.logEnds(List.of(
                        new LogEndQuery(States.TOPIC_ID, T0),
                        new LogEndQuery(new TopicId(1, 1), T0),
                        new LogEndQuery(States.TOPIC_ID, T1))))
                .containsExactly(
                        new LogEndAnswer(T0, true, 4, 1),
                        new LogEndAnswer(T0, false, -1, 0),
                        new LogEndAnswer(T1, false, -1, 0));
    }

    private static ConsumerRead consume(Partition partition, long offset) {
        return partition.readForConsumer(
                new ConsumerFetch.Entry(partition.partition(), -1, offset, -1, 2_048), 2_048, Minimum.ONE_BATCH);
    }

    @Test
    void shouldCountCutsBelowTheHighWatermark() {
        // the tripwire, seen through the manager and on a real log
        broker.full(led(2, 0, 0));
        Partition partition = broker.replica(T0);
        for (long offset = 0; offset < 3; offset++) {
            ByteBuffer batch = MemoryLog.batch("v");
            RecordBatch.at(batch, batch.position()).assign(offset, 0);
            partition.appendAsFollower(0, new ReplicaFetch.Result(T0, ErrorCode.NONE, 3, 0, batch, null));
        }
        assertThat(partition.view().highWatermark()).isEqualTo(3);
        partition.truncateAsFollower(0, new EpochEnd(0, 1));
        assertThat(broker.manager.belowHighWatermarkCuts()).isEqualTo(1);
        assertThat(partition.followerPosition().map(FollowerPosition::fetchOffset))
                .contains(1L);
        assertThat(partition.log().committedBound()).isEqualTo(1);
        delete(States.TOPIC_ID);
        assertThat(broker.manager.belowHighWatermarkCuts()).isEqualTo(1);
    }
}
