package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.model.TopicId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Forces that are asked for while others run. */
final class LogForcerRacesTest {
    private static final int BATCH_BYTES = 200;

    private final FaultPlan plan = new FaultPlan();
    private final SimDisk disk = new SimDisk();
    private final List<Runnable> whileForcing = new ArrayList<>();
    private final LogRig rig = new LogRig(
            LogRig.CONFIG.withSegmentBytes(5 * BATCH_BYTES),
            disk,
            new FaultFiles(disk, plan, delay -> whileForcing.forEach(Runnable::run)));

    private static void fill(Log log, int batches) {
        for (int i = 0; i < batches; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES));
        }
    }

    // DESIGN 3, S10: a force of what a roll has sealed waits for its turn while the log is cut; the cut is forced soon
    // all the same
    // Fails if: LogForcer.plan drops what was queued since
    @Test
    void shouldForceACutThatIsAskedForWhileASmallerForceWaits() throws Exception {
        // given: in the middle of a force the log rolls, and the force that follows from that waits on another thread
        SegmentedLog log = rig.leader();
        rig.scheduler.advance(Duration.ofSeconds(1));
        fill(log, 3);
        Thread second =
                new Thread(() -> rig.scheduler.runNext(rig.scheduler.clock().monotonicNs()), "second-force");
        whileForcing.add(() -> {
            fill(log, 5);
            second.start();
            while (second.getState() != Thread.State.WAITING && second.isAlive()) {
                Thread.onSpinWait();
            }
            log.truncateTo(7);
        });
        plan.add(FaultRule.failing(FileOperation.FORCE, "*.log").times(1).slowing(Duration.ofMillis(1)));

        // when
        log.force();
        second.join();
        rig.scheduler.runDue();

        // then
        assertThat(log.end().offset()).isEqualTo(7);
        assertThat(log.forcedEnd()).isEqualTo(log.end());
        assertThat(rig.failures).isEmpty();
    }

    // S15, S51, KAFKA-9198: deleting a topic while the disk works on its log is no storage failure
    // Fails if: LogState.fence does not ask whether the log is closed
    @Test
    void shouldTakeADeletionDuringAForceForNoFailure() {
        // given: a log with a new segment, whose name is to be forced too
        SegmentedLog log = rig.leader();
        fill(log, 8);
        whileForcing.add(() -> rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID));
        plan.add(FaultRule.failing(FileOperation.FORCE, "*.log").times(1).slowing(Duration.ofMillis(1)));

        // when: the force that the roll asked for
        rig.scheduler.runDue();

        // then
        assertThat(plan.isSpent()).isTrue();
        assertThat(rig.failures).isEmpty();
        assertThatThrownBy(log::force).isInstanceOf(LogClosedException.class);
        assertThat(rig.directories.find(LogRig.PARTITION)).isEmpty();
    }

    // S51, scenario 48: a topic of the same name is made at once; it gets nothing of the old one
    // Fails if: EpochWriter.close does not end the writing
    @Test
    void shouldNotWriteTheEpochsOfADeletedLogIntoTheNextOne() throws Exception {
        // given
        SegmentedLog log = rig.leader();
        fill(log, 8);
        log.becomeLeader(7);
        whileForcing.add(() -> {
            rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID);
            rig.directories.open(LogRig.PARTITION, new TopicId(3, 4), rig.config);
        });
        plan.add(FaultRule.failing(FileOperation.FORCE, "*.log").times(1).slowing(Duration.ofMillis(1)));

        // when
        rig.scheduler.advance(Duration.ofSeconds(1));

        // then
        assertThat(plan.isSpent()).isTrue();
        assertThat(rig.io.list(rig.partitionDirectory())).doesNotContain("leader-epoch-checkpoint");
        assertThat(rig.failures).isEmpty();
    }
}
