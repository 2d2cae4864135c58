package io.tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.ScrubPoint;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.DamageReport;
import io.tidemark.replication.partition.DamageStep;
import io.tidemark.replication.partition.MemoryLog;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.States;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DESIGN 3, CORRUPT: a leader whose disk changed a bit, from the report to the cut. Broker 1 on a simulated disk. */
final class DamagedReplicaTest {
    private static final Path LOGS = Path.of("/logs");
    private static final TopicPartition T0 = States.PARTITION;
    private static final int RECORDS = 6;
    private static final Duration UNTIL_CHECKED = Duration.ofSeconds(15);

    private final SimDisk disk = new SimDisk();
    private final ReplicaBroker broker = new ReplicaBroker(disk, List.of(LOGS));

    @BeforeEach
    void leadAndDamage() throws IOException {
        broker.config = LogConfig.DEFAULTS.withSegmentBytes(100);
        broker.full(led(1, 1, 1, 1, 2, 3));
        for (int i = 0; i < RECORDS; i++) {
            broker.replica(T0).appendAsLeader(MemoryLog.batch("value " + i), -1, Acks.LEADER);
        }
        flip(LOGS.resolve("t-0").resolve("00000000000000000000.log"), 70);
    }

    private static PartitionState led(int leader, int leaderEpoch, int partitionEpoch, Integer... isr) {
        return States.led(leader, leaderEpoch).at(partitionEpoch, isr);
    }

    private void flip(Path file, int position) throws IOException {
        try (FileHandle handle = disk.openForAppend(file)) {
            ByteBuffer content = ByteBuffer.allocate((int) handle.size());
            handle.read(content, 0);
            content.put(position, (byte) (content.get(position) ^ 1));
            handle.truncate(0);
            handle.append(content.flip());
        }
    }

    /** As a reader or the scrubber does. */
    private void stumble() {
        Optional<ScrubPoint> at = Optional.of(ScrubPoint.FRONT);
        while (at.isPresent()) {
            at = broker.replica(T0).log().scrub(at.get(), 1 << 20).next();
        }
        assertThat(broker.replica(T0).log().damage()).isPresent();
    }

    // Fails if: ReplicaManager.onDamage does nothing
    @Test
    void shouldReportWhatTheScrubberFoundAtOnce() {
        // given
        stumble();

        // when
        broker.manager.onDamage(T0);

        // then
        assertThat(broker.damages)
                .extracting(ReplicaBroker.Damaged::report)
                .containsExactly(new DamageReport(States.TOPIC_ID, T0, 1));
    }

    // Fails if: ReplicaManager.checkReplicas looks at in-sync sets alone
    @Test
    void shouldReportWhatAReadStumbledOnWhenItLooksNext() {
        // given
        stumble();

        // when
        broker.scheduler.advance(UNTIL_CHECKED);
        assertThat(broker.damages).hasSize(1);
        broker.damages.get(0).answer().accept(ErrorCode.INELIGIBLE_REPLICA);
        broker.scheduler.advance(UNTIL_CHECKED);

        // then
        assertThat(broker.damages).hasSize(2);
    }

    // I1, I8: the new leader has what was committed, and nobody counts on this copy
    // Fails if: ReplicaManager.act does not look for damages, or Replica.cutAtDamage asks nothing about fetches
    @Test
    void shouldCutAsAFollowerOnlyWhenNobodyCountsOnItInANewEpoch() {
        // given
        stumble();
        Partition replica = broker.replica(T0);

        // when leadership moves and it is still in sync
        broker.changed(led(2, 2, 2, 1, 2, 3));

        // then
        assertThat(kept(replica)).isEqualTo(DamageStep.Reason.COUNTED_ON);
        assertThat(broker.damages).hasSize(1);

        // when it leaves in the same epoch, after it has fetched
        assertThat(replica.followerPosition()).isPresent();
        broker.damages.get(0).answer().accept(ErrorCode.NONE);
        broker.changed(led(2, 2, 3, 2, 3));

        // then
        assertThat(kept(replica)).isEqualTo(DamageStep.Reason.MAY_BE_PROPOSED);
        assertThat(broker.damages).hasSize(2);
        assertThat(replica.log().end().offset()).isEqualTo(RECORDS);

        // when the controller begins another epoch
        broker.damages.get(1).answer().accept(ErrorCode.NONE);
        broker.changed(led(2, 3, 4, 2, 3));

        // then
        assertThat(broker.damages).hasSize(2);
        assertThat(replica.cutAtDamage(2)).isInstanceOf(DamageStep.Cut.class);
        assertThat(replica.log().damage()).isEmpty();
        assertThat(replica.log().end().offset()).isLessThan(RECORDS);
    }

    private static DamageStep.Reason kept(Partition replica) {
        return ((DamageStep.Kept) replica.cutAtDamage(2)).reason();
    }
}
