package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.PartitionView.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CommittedOnceTest {
    private final CheckRig rig = new CheckRig();
    private final PartitionState first = CheckRig.state(1, 0, 0, 1, 2, 3);
    private final PartitionState second = CheckRig.state(2, 1, 1, 2, 3);
    private final CommittedOnce nothingMore = new CommittedOnce();

    @BeforeEach
    void commitOne() {
        rig.record(first);
        rig.allHave(first, "m0");
        rig.check(nothingMore);
    }

    // I2, I15
    @Test
    void shouldAcceptWhatAllShowAlike() {
        rig.replica(2).shows(first, Role.FOLLOWER, 1);
        rig.check(nothingMore);
        rig.record(second);
        rig.replica(2).append(1, "m1").shows(second, Role.LEADER, 2);
        rig.check(nothingMore);

        assertThat(rig.accountable.get(CheckRig.PARTITION).size()).isEqualTo(2);
        assertThat(rig.accountable.get(CheckRig.PARTITION).answerable(1)).containsExactly(2, 3);
    }

    // I15
    // Fails if: CommittedOnce.check looks at batches at or above the high watermark
    @Test
    void shouldAcceptOtherRecordsAboveTheHighWatermark() {
        rig.replica(1).append(0, "x");
        rig.replica(2).append(1, "y").shows(second, Role.LEADER, 1);

        rig.check(nothingMore);

        assertThat(rig.accountable.get(CheckRig.PARTITION).size()).isEqualTo(1);
    }

    // I2, I5: an offset that was shown twice with different records
    // Fails if: CommittedOnce.afterEvent ignores what Accountable.committed answers
    @Test
    void shouldFindThatAnotherRecordIsShown() {
        rig.replica(2).cutTo(0).append(1, "other").shows(second, Role.LEADER, 1);

        assertThatThrownBy(() -> rig.check(nothingMore))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("I2: broker 2 shows other@0 of epoch 1")
                .hasMessageContaining("m0@0 of epoch 0 was committed");
    }
}
