package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.model.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How broker processes start, stop, halt and die, and what their disks have to say afterwards. */
final class SimProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SimWorld world = new SimWorld(5, Trace.recording());
    private final SimCluster cluster = new SimCluster(world, 3, SimSettings.of(TruncationMode.LEADER_EPOCH));
    private int leader;
    private int follower;

    @BeforeEach
    void startWithOneRecord() {
        cluster.brokerIds().forEach(cluster::start);
        cluster.run(SECOND.multipliedBy(2));
        cluster.createTopic(2);
        cluster.await("all follow", cluster::allCaughtUp, PATIENCE);
        leader = cluster.leader().orElseThrow();
        follower = cluster.brokerIds().stream()
                .filter(id -> id != leader)
                .findFirst()
                .orElseThrow();
        produceAndAwait(leader, "m0");
    }

    private void produceAndAwait(int to, String value) {
        int before = cluster.acked().all().size();
        cluster.produce(to, value);
        cluster.await(value, () -> cluster.acked().all().size() > before, PATIENCE);
    }

    private void awaitEnd(int id) {
        cluster.await("broker " + id + " is gone", () -> !cluster.isRunning(id), PATIENCE);
    }

    /** One for the first start. */
    private long incarnations(int id) {
        return traced("NEW_INCARNATION: broker " + id + " ");
    }

    private long traced(String text) {
        return world.trace().stream().filter(line -> line.contains(text)).count();
    }

    // I11: a disk that is empty under the same path is another one
    // Fails if: ProcessStorage.claim gives a new directory the id of the one before
    @Test
    void shouldBeANewIncarnationAfterAWipeAndCopyEverythingAgain() {
        // given
        cluster.wipe(follower);

        // when
        cluster.start(follower);
        cluster.healAndVerify(PATIENCE);

        // then
        assertThat(incarnations(follower)).isEqualTo(2);
        assertThat(cluster.partitionOf(follower).orElseThrow().log().end().offset())
                .isEqualTo(1);
    }

    // DESIGN 6: an unclean exit on the same boot proves that the logs are the same
    // Fails if: ProcessStorage.stamp leaves out the boot id
    @Test
    void shouldStayTheSameIncarnationAfterACrashAndNotAfterAPowerLoss() {
        // given
        cluster.crash(follower);
        cluster.start(follower);
        cluster.healAndVerify(PATIENCE);
        long afterCrash = incarnations(follower);

        // when
        cluster.powerLoss(follower);
        cluster.start(follower);
        cluster.healAndVerify(PATIENCE);

        // then
        assertThat(afterCrash).isEqualTo(1);
        assertThat(incarnations(follower)).isEqualTo(2);
    }

    // DESIGN 6: leaders move before the process is gone, and the marker of a clean stop outlives the page cache
    // Fails if: ProcessStop.close leaves out the storage
    @Test
    void shouldHandOverAndStayTheSameIncarnationAfterACleanStop() {
        // given
        cluster.stopCleanly(leader);
        awaitEnd(leader);
        List<Integer> leaders = List.copyOf(cluster.leader().stream().toList());
        produceAndAwait(cluster.leader().orElseThrow(), "m1");

        // when
        cluster.powerLoss(leader);
        cluster.start(leader);
        cluster.healAndVerify(PATIENCE);

        // then
        assertThat(leaders).hasSize(1).doesNotContain(leader);
        assertThat(incarnations(leader)).isEqualTo(1);
        assertThat(traced("broker " + leader + " has stopped")).isEqualTo(1);
    }

    // I11: what a power loss took stays unproven, also after the clean stop of a process that never registered
    // Fails if: ProcessStorage.load leaves a stamp that proved nothing (as Rooms.openStorage must not)
    @Test
    void shouldProveNothingByACleanStopBeforeItRegistered() {
        // given
        cluster.powerLoss(follower);
        cluster.start(follower);
        cluster.await("it listens", () -> cluster.machine(follower).process() != null, PATIENCE);
        cluster.cutFromZooKeeper(follower);
        cluster.stopCleanly(follower);
        awaitEnd(follower);
        long before = incarnations(follower);

        // when
        cluster.start(follower);
        cluster.healAndVerify(PATIENCE);

        // then
        assertThat(before).as("it never registered").isEqualTo(1);
        assertThat(incarnations(follower)).isEqualTo(2);
    }

    // S13, S15: a failed append ends the process; nothing is acknowledged from then on
    // Fails if: SimHalt.onStorageFailure comes back without ending the process
    @Test
    void shouldEndAfterAFailedAppendAndAcknowledgeNothingMore() {
        // given
        cluster.machine(leader)
                .failIo(FaultRule.failing(FileOperation.APPEND, "*.log").times(1));
        cluster.produce(leader, "m1");
        cluster.await("it fails", () -> !cluster.machine(leader).failedIo().isEmpty(), PATIENCE);

        // when
        cluster.produce(leader, "m2");
        cluster.run(Duration.ofMillis(100));

        // then
        assertThat(cluster.isRunning(leader))
                .as("it tells the controller first")
                .isTrue();
        awaitEnd(leader);
        assertThat(cluster.acked().all().values()).containsExactly("m0");
        cluster.healAndVerify(PATIENCE);
        assertThat(incarnations(leader)).as("its stamp is gone").isEqualTo(2);
    }

    // S15: the failure may show on another thread than that of the requests
    // Fails if: SimProcess gives the replicas the halt without the latch
    @Test
    void shouldAcknowledgeNothingAfterACheckpointFailed() {
        // given
        cluster.machine(leader)
                .failIo(FaultRule.failing(FileOperation.RENAME, "replication-offset-checkpoint*")
                        .times(1));
        cluster.await("it fails", () -> !cluster.machine(leader).failedIo().isEmpty(), PATIENCE);
        boolean runs = cluster.isRunning(leader);

        // when
        cluster.produce(leader, "m1");
        awaitEnd(leader);
        cluster.run(SECOND);

        // then
        assertThat(runs).isTrue();
        assertThat(traced("refused m1: " + ErrorCode.KAFKA_STORAGE_ERROR)).isEqualTo(1);
        assertThat(cluster.acked().all().values()).containsExactly("m0");
        cluster.healAndVerify(PATIENCE);
    }

    // DESIGN 5: the controller hears of it on the open stream, before the process is gone
    // Fails if: SimPeers.tellStorageFailed tells nobody
    @Test
    void shouldTellTheControllerSoThatAnotherLeadsAtOnce() {
        // given
        if (traced("broker " + leader + " is the controller") > 0) {
            cluster.transferLeader(follower);
            cluster.await(
                    "the controller does not lead",
                    () -> cluster.leader().filter(id -> id == follower).isPresent(),
                    PATIENCE);
            leader = follower;
        }

        // when
        cluster.machine(leader)
                .failIo(FaultRule.failing(FileOperation.APPEND, "*.log").times(1));
        cluster.produce(leader, "m1");

        boolean moved =
                world.runUntil(() -> cluster.leader().filter(id -> id != leader).isPresent(), SECOND);

        // then
        assertThat(moved).as("long before the session ends").isTrue();
    }

    // Fails if: Watchdog.ended starts nothing, or SimHost.crash does not call it off
    @Test
    void shouldBeStartedAgainUnlessSomebodyEndedIt() {
        // given
        cluster.machine(leader).crashInFileCall(1);
        cluster.produce(leader, "m1");
        awaitEnd(leader);

        // when
        cluster.run(Watchdog.PAUSE.multipliedBy(2));
        boolean again = cluster.isRunning(leader);
        cluster.machine(leader).crashInFileCall(1);
        awaitEnd(leader);
        cluster.crash(leader);
        cluster.run(Watchdog.PAUSE.multipliedBy(2));

        // then
        assertThat(again).isTrue();
        assertThat(cluster.isRunning(leader)).isFalse();
        cluster.healAndVerify(PATIENCE);
    }

    // S14
    // Fails if: SimHost.diskFull limits nothing
    @Test
    void shouldHaltOnAFullDiskAndComeBackOnceThereIsRoom() {
        // given
        cluster.machine(leader).diskFull(10);
        cluster.produce(leader, "m1");
        awaitEnd(leader);

        // when
        cluster.run(Watchdog.PAUSE.multipliedBy(15));
        List<String> acked = new ArrayList<>(cluster.acked().all().values());
        cluster.healAndVerify(PATIENCE);

        // then
        assertThat(acked).containsExactly("m0");
        assertThat(traced("broker " + leader + " halts")).isGreaterThan(1);
    }

    // Fails if: SimProcess listens before its logs are loaded
    @Test
    void shouldNotBeReachedBeforeItHasLoadedItsLogs() {
        cluster.crash(follower);
        cluster.start(follower);

        assertThat(cluster.isRunning(follower)).isTrue();
        assertThat(cluster.machine(follower).process()).isNull();
        cluster.healAndVerify(PATIENCE);
        assertThat(cluster.machine(follower).process()).isNotNull();
    }

    // Fails if: SimProcess gives each call of producerIds a new allocator
    @Test
    void shouldGiveProducerIdsThatNobodyElseGets() {
        List<Long> given = new ArrayList<>();
        for (int id : cluster.brokerIds()) {
            SimProcess process = cluster.machine(id).running();
            for (int i = 0; i < 3; i++) {
                process.threads()
                        .enter(() -> process.producerIds().allocate(allocated -> given.add(allocated.producerId())));
            }
        }

        cluster.run(SECOND);

        assertThat(given).hasSize(9).doesNotHaveDuplicates().allMatch(id -> id >= 0);
    }
}
