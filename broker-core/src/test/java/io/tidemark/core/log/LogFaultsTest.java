package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.checkpoint.BrokerEpochFile;
import io.tidemark.core.checkpoint.BrokerEpochStamp;
import io.tidemark.core.checkpoint.CleanShutdownMarker;
import io.tidemark.core.checkpoint.StoredValue;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.runtime.KafkaStorageException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LogFaultsTest {
    private static final LogConfig CONFIG = LogRig.CONFIG.withSegmentBytes(300).withIndex(1, 1 << 20);

    private final SimDisk disk = new SimDisk();
    private final FaultPlan plan = new FaultPlan();
    private final LogRig rig = new LogRig(CONFIG, disk, new FaultFiles(disk, plan, delay -> {}));

    @Test
    void shouldFenceTheLogAfterATornWrite() throws Exception {
        // given: KAFKA-10778 (a)
        // S15
        // Fails if: LogState.fence does not keep the failure
        SegmentedLog log = rig.leader();
        LogRig.append(log, 0, Batches.ofSize(100));
        LogEnd end = log.end();
        plan.add(FaultRule.failing(FileOperation.APPEND, "*.log").times(1).cuttingShort());

        // when
        assertThatThrownBy(() -> log.appendAsLeader(Batches.ofSize(100), 0)).isInstanceOf(KafkaStorageException.class);

        // then
        assertThatThrownBy(() -> log.appendAsLeader(Batches.ofSize(100), 0)).isInstanceOf(KafkaStorageException.class);
        assertThatThrownBy(() -> LogRig.read(log, 0)).isInstanceOf(KafkaStorageException.class);
        assertThatThrownBy(() -> log.positionOf(0)).isInstanceOf(KafkaStorageException.class);
        assertThatThrownBy(log::force).isInstanceOf(KafkaStorageException.class);
        assertThatThrownBy(() -> log.truncateTo(0)).isInstanceOf(KafkaStorageException.class);
        assertThatThrownBy(() -> log.becomeLeader(1)).isInstanceOf(KafkaStorageException.class);
        assertThatThrownBy(() -> log.becomeFollower(1)).isInstanceOf(KafkaStorageException.class);
        assertThat(log.end()).isEqualTo(end);
        plan.clear();
        rig.crash();
        assertThat(rig.log().end()).isEqualTo(end);
        assertThat(disk.size(rig.partitionDirectory().resolve("00000000000000000000.log")))
                .isEqualTo(end.position());
    }

    @Test
    void shouldCarryOnToTheLastWholeBatchAfterTheDiskWasFull() {
        // given: KAFKA-10778
        // Fails if: LogRecovery does not cut the torn batch off
        SegmentedLog log = rig.leader();
        LogRig.append(log, 0, Batches.ofSize(100));
        disk.limitCapacity(disk.usedBytes() + 10);

        // when
        assertThatThrownBy(() -> log.appendAsLeader(Batches.ofSize(100), 0))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("No space left");

        // then
        disk.limitCapacity(Long.MAX_VALUE);
        rig.crash();
        assertThat(rig.log().end()).isEqualTo(new LogEnd(1, 100, 0));
    }

    /** DESIGN section 6, "Incarnation": after a storage failure nobody can prove that the logs are what they were. */
    @Test
    void shouldProveNothingAfterADiskThatFailedWhileLogsWereLoaded() {
        // given
        LogRig.append(rig.leader(), 0, Batches.ofSize(100));
        BrokerEpochFile stamp = stamped();
        disk.processCrash();
        plan.add(FaultRule.failing(FileOperation.READ, "*.log"));

        // when
        assertThatThrownBy(rig::start).isInstanceOf(KafkaStorageException.class);

        // then
        plan.clear();
        assertThat(stamp.read()).isInstanceOf(StoredValue.Absent.class);
    }

    @Test
    void shouldProveNothingAfterADiskThatFailedAtTheStop() {
        // given: what could not be forced may be gone from the page cache afterwards
        LogRig.append(rig.leader(), 0, Batches.ofSize(100));
        BrokerEpochFile stamp = stamped();
        plan.add(FaultRule.failing(FileOperation.FORCE, "*.log"));

        // when
        assertThatThrownBy(rig.directories::closeCleanly).isInstanceOf(KafkaStorageException.class);

        // then
        plan.clear();
        assertThat(stamp.read()).isInstanceOf(StoredValue.Absent.class);
        assertThat(disk.exists(LogRig.DIRECTORY.resolve(CleanShutdownMarker.FILE_NAME)))
                .isFalse();
    }

    @Test
    void shouldLeaveTheStampOfADirectoryThatSomebodyElseHas() {
        // given
        BrokerEpochFile stamp = stamped();

        // when
        assertThatThrownBy(rig::start).isInstanceOf(KafkaStorageException.class);

        // then
        assertThat(stamp.read()).isInstanceOf(StoredValue.Present.class);
    }

    /** KAFKA-10471 (bug 36). Fails if: the marker is removed only once everything is loaded. */
    @Test
    void shouldCheckEverythingAfterALoadThatWasBrokenOff() throws Exception {
        // given: a clean stop, then a start that ends half-way
        LogRig.append(rig.leader(), 0, Batches.ofSize(100));
        rig.directories.closeCleanly();
        plan.add(FaultRule.failing(FileOperation.READ, "*.log"));
        assertThatThrownBy(rig::start).isInstanceOf(KafkaStorageException.class);
        plan.clear();
        Path segment = rig.partitionDirectory().resolve("00000000000000000000.log");
        FileBytes.append(disk, segment, new byte[] {1, 2, 3});

        // when
        rig.start();

        // then
        assertThat(rig.log().end().offset()).isEqualTo(1);
        assertThat(disk.size(segment)).isEqualTo(100);
    }

    /** KAFKA-10471 (bug 36). Fails if: a marker that cannot be removed counts as a clean stop all the same. */
    @Test
    void shouldNotUseADirectoryWhoseMarkerCannotBeRemoved() {
        // given
        LogRig.append(rig.leader(), 0, Batches.ofSize(100));
        rig.directories.closeCleanly();
        plan.add(FaultRule.failing(FileOperation.DELETE, CleanShutdownMarker.FILE_NAME));

        // when / then
        assertThatThrownBy(rig::start)
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining(CleanShutdownMarker.FILE_NAME);
        plan.clear();
        rig.start();
        assertThat(rig.log().end().offset()).isEqualTo(1);
    }

    private BrokerEpochFile stamped() {
        BrokerEpochFile stamp = new BrokerEpochFile(disk, LogRig.DIRECTORY);
        stamp.write(new BrokerEpochStamp(7, "d1", Optional.of("boot-1"), FlushMode.ASYNC));
        return stamp;
    }

    @Test
    void shouldFailLoudlyWhenARemovedSegmentCannotBeRenamed() {
        // given: S13, S50
        // Fails if: SegmentFiles forgets the failure of a rename
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 5; i++) {
            LogRig.append(log, 0, Batches.ofSize(200));
        }
        plan.add(FaultRule.failing(FileOperation.RENAME, "*.log"));

        // when / then
        assertThatThrownBy(() -> log.truncateTo(1))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("00000000000000000004.log");
        assertThatThrownBy(() -> log.appendAsLeader(Batches.ofSize(100), 0)).isInstanceOf(KafkaStorageException.class);
    }

    @Test
    void shouldOnlyWarnWhenADelayedDeletionFails() throws Exception {
        // given: S46
        // Fails if: DelayedDeletion throws when it cannot unlink
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 5; i++) {
            LogRig.append(log, 0, Batches.ofSize(200));
        }
        log.truncateTo(1);
        plan.add(FaultRule.failing(FileOperation.DELETE, "*.deleted"));

        // when
        rig.scheduler.advance(CONFIG.retention().deleteDelay().plusMillis(1));

        // then
        assertThat(rig.failures).isEmpty();
        assertThat(rig.filesWith(".deleted")).isNotEmpty();
        plan.clear();
        rig.crash();
        assertThat(rig.filesWith(".deleted")).isEmpty();
    }

    @Test
    void shouldTellTheSchedulerWhenTheEpochsCannotBeWritten() {
        // given: S15
        // Fails if: EpochWriter does not fence the log
        SegmentedLog log = rig.leader();
        plan.add(FaultRule.failing(FileOperation.RENAME, "leader-epoch-checkpoint*"));

        // when
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);

        // then
        assertThat(rig.failures).hasAtLeastOneElementOfType(KafkaStorageException.class);
        assertThatThrownBy(() -> log.appendAsLeader(Batches.ofSize(100), 0)).isInstanceOf(KafkaStorageException.class);
    }
}
