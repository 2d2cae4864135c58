package io.tidemark.coordination.broker;

import io.tidemark.coordination.broker.Push.Answer;
import io.tidemark.coordination.broker.Push.Request;
import io.tidemark.coordination.broker.Push.Result;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of the push contract (DESIGN section 6, I9, I10). Pure; confined to one loop.
 *
 * <p>The first row that fits decides; <em>last</em> is the number applied last in the push's (controller epoch, broker
 * epoch), 0 if there was none:
 *
 * <pre>
 *   push                                           answer              applied
 *   of a lower controller epoch than any seen      STALE_CONTROLLER    no
 *   for a lower broker epoch than the broker's     STALE_BROKER_EPOCH  no
 *   for a higher broker epoch than the broker's    RETRY               no
 *   number at most last                            APPLIED             no, it was
 *   full                                           APPLIED             yes
 *   number last + 1, and last is not 0             APPLIED             yes
 *   any other                                      NEED_FULL           no
 * </pre>
 *
 * <p>A full update may leave numbers out: one controller numbers its updates in order, so it holds what they held. A
 * controller epoch counts as seen as soon as any push carries it, whatever the answer.
 */
public final class PushReceiver {
    private final SafetyRules rules;
    private int controllerEpoch = -1;
    private long brokerEpoch = BrokerRegistration.PROVES_NOTHING;
    private long lastApplied;

    /**
     * @param update what to apply now, null if nothing
     */
    public record Received(Answer answer, @Nullable ClusterUpdate update) {}

    /** Of a process that has seen nothing yet. */
    public PushReceiver() {
        this(SafetyRules.ALL);
    }

    /** @param rules that are kept */
    public PushReceiver(SafetyRules rules) {
        this.rules = rules;
    }

    /** The broker is registered under a new epoch: what is meant for earlier ones is refused from now on. */
    public void registered(long newBrokerEpoch) {
        if (newBrokerEpoch > brokerEpoch) {
            brokerEpoch = newBrokerEpoch;
            lastApplied = 0;
        }
    }

    /** Takes a push. What is to be applied must be applied before the next one is taken. */
    public Received receive(Request push) {
        if (push.controllerEpoch() < controllerEpoch) {
            return answered(push, Result.STALE_CONTROLLER);
        }
        if (push.controllerEpoch() > controllerEpoch) {
            controllerEpoch = push.controllerEpoch();
            lastApplied = 0;
        }
        if (push.brokerEpoch() < brokerEpoch && rules.keeps(SafetyRule.PUSH_FOR_THIS_LIFE)) {
            return answered(push, Result.STALE_BROKER_EPOCH);
        }
        if (push.brokerEpoch() > brokerEpoch) {
            return answered(push, Result.RETRY);
        }
        if (push.sequence() <= lastApplied) {
            return answered(push, Result.APPLIED);
        }
        boolean next = lastApplied != 0 && push.sequence() == lastApplied + 1;
        if (!next && !push.update().full()) {
            return answered(push, Result.NEED_FULL);
        }
        lastApplied = push.sequence();
        return new Received(new Answer(push.sequence(), Result.APPLIED), push.update());
    }

    /** The push that was taken last could not be applied: nothing is taken any more but a full update. */
    public void notApplied() {
        lastApplied = 0;
    }

    /** The highest controller epoch seen, -1 before the first push. */
    public int controllerEpoch() {
        return controllerEpoch;
    }

    private static Received answered(Request push, Result result) {
        return new Received(new Answer(push.sequence(), result), null);
    }
}
