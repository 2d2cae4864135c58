package io.tidemark.coordination.broker;

import io.tidemark.model.ClusterUpdate;

/** The push contract's messages (DESIGN section 6). */
public final class Push {
    private Push() {}

    /**
     * @param brokerEpoch that the controller means
     * @param sequence 1, 2, 3, ... within (controller epoch, broker epoch)
     */
    public record Request(
            int controllerId, int controllerEpoch, long brokerEpoch, long sequence, ClusterUpdate update) {}

    /** @param sequence of the push that is answered */
    public record Answer(long sequence, Result result) {}

    /** What the broker did. */
    public enum Result {
        /** Applied, now or before. */
        APPLIED,
        /** Not the next number: send the full state. */
        NEED_FULL,
        /** A newer controller has spoken: the sender resigns. */
        STALE_CONTROLLER,
        /** Meant for an earlier life of this broker: refused for good. */
        STALE_BROKER_EPOCH,
        /** Meant for a registration that this broker does not know of yet: send it again. */
        RETRY
    }
}
