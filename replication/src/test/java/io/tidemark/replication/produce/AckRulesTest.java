package io.tidemark.replication.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.replication.partition.PartitionView.Role;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The safety rule of acks=all, kept and waived. The record at offset 10 was appended in epoch 4. */
final class AckRulesTest {
    private static final SafetyRules WAIVED = SafetyRules.without(SafetyRule.ACK_WHEN_COMMITTED);

    // I13
    // Fails if: DelayedProduce.Wait.decide does not ask for ACK_WHEN_COMMITTED.
    @Test
    void shouldAcknowledgeWhatIsCommitted() {
        assertThat(decide(leader(10, true), SafetyRules.ALL)).isNull();
        assertThat(decide(leader(11, true), SafetyRules.ALL)).isEqualTo(ErrorCode.NONE);
        assertThat(decide(leader(10, true), WAIVED)).isEqualTo(ErrorCode.NONE);
    }

    // I13, I20: the gate and the role count under any rules
    // Fails if: DelayedProduce.Wait.decide asks for ACK_WHEN_COMMITTED before it looks at role and gate.
    @Test
    void shouldAcknowledgeNothingWithoutTheRoleOrBelowTheMinimumUnderAnyRules() {
        PartitionView deposed = new PartitionView(Role.FOLLOWER, 5, 2, 11, -1, false, 0);
        assertThat(decide(deposed, WAIVED)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(decide(leader(11, false), WAIVED)).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND);
    }

    private static PartitionView leader(long highWatermark, boolean gateOpen) {
        return new PartitionView(Role.LEADER, 4, 1, highWatermark, highWatermark * 100, gateOpen, 0);
    }

    private static @Nullable ErrorCode decide(PartitionView view, SafetyRules rules) {
        return new DelayedProduce.Wait(() -> view, 10, 4, 0, rules).decide();
    }
}
