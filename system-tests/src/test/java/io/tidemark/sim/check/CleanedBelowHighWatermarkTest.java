package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.PartitionView.Role;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class CleanedBelowHighWatermarkTest {
    private final CheckRig rig = new CheckRig();
    private final PartitionState state = CheckRig.state(1, 0, 0, 1, 2, 3);
    private final CleanedBelowHighWatermark invariant = new CleanedBelowHighWatermark();

    // I18, DESIGN section 3: nothing past the committed bound is cleanable; a cut may lower the mark afterwards
    // Fails if: CleanedBelowHighWatermark forgets the highest mark
    @Test
    void shouldAcceptWhatWasOnceBelowTheHighWatermark() {
        rig.record(state);
        rig.allHave(state, "m0", "m1");
        rig.replica(1).cleaned = OptionalLong.of(2);
        rig.check(invariant);

        rig.replica(1).cutTo(2).shows(state, Role.FOLLOWER, 1);

        assertThatCode(() -> rig.check(invariant)).doesNotThrowAnyException();
    }

    // I18
    // Fails if: CleanedBelowHighWatermark compares with the log's end
    @Test
    void shouldFindThatMoreWasCleaned() {
        rig.record(state);
        rig.allHave(state, "m0", "m1");
        rig.replica(2).shows(state, Role.FOLLOWER, 1);
        rig.replica(2).cleaned = OptionalLong.of(2);

        assertThatThrownBy(() -> rig.check(invariant))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("broker 2 cleaned t-0 up to 2")
                .hasMessageContaining("never above 1");
    }
}
