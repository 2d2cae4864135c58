package io.tidemark.coordination.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.broker.Push.Request;
import io.tidemark.coordination.broker.Push.Result;
import io.tidemark.coordination.broker.PushReceiver.Received;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The safety rule of the push contract, kept and waived. */
final class PushReceiverRulesTest {
    private static final long EPOCH = 100;

    private final PushReceiver kept = new PushReceiver(SafetyRules.ALL);
    private final PushReceiver waived = new PushReceiver(SafetyRules.without(SafetyRule.PUSH_FOR_THIS_LIFE));

    // I10
    // Fails if: PushReceiver.receive does not ask for PUSH_FOR_THIS_LIFE.
    @Test
    void shouldRefuseAPushForAnEarlierLife() {
        // given
        kept.registered(EPOCH);
        waived.registered(EPOCH);

        // when
        Received refused = kept.receive(full(5, EPOCH - 1));
        Received obeyed = waived.receive(full(5, EPOCH - 1));

        // then
        assertThat(refused.answer().result()).isEqualTo(Result.STALE_BROKER_EPOCH);
        assertThat(refused.update()).isNull();
        assertThat(obeyed.answer().result()).isEqualTo(Result.APPLIED);
        assertThat(obeyed.update()).isNotNull();
    }

    // I10
    // Fails if: PushReceiver.receive asks for PUSH_FOR_THIS_LIFE before it looks for a later life, or a later
    // controller.
    @Test
    void shouldKeepTheRestOfTheContractWithoutIt() {
        // given
        waived.registered(EPOCH);

        // then
        assertThat(waived.receive(full(5, EPOCH + 1)).answer().result()).isEqualTo(Result.RETRY);
        assertThat(waived.receive(full(4, EPOCH)).answer().result()).isEqualTo(Result.STALE_CONTROLLER);
    }

    private static Request full(int controllerEpoch, long brokerEpoch) {
        ClusterUpdate update = new ClusterUpdate(true, new TreeMap<>(), 1, List.of(), List.of());
        return new Request(1, controllerEpoch, brokerEpoch, 1, update);
    }
}
