package io.tidemark.coordination.cluster;

import io.tidemark.model.BrokerRegistration;

/**
 * A broker whose registration node vanished and who is not yet taken for lost (DESIGN section 6). It keeps its places, is
 * listed in pushes and can be pushed to, but it is neither elected nor admitted anywhere.
 *
 * @param registration the one whose node is gone
 */
public record Question(BrokerRegistration registration, Phase phase) {
    /** How far the question is. */
    public enum Phase {
        /** Its address has been asked who listens there. */
        ASKED,
        /** The same process answered: it has one session timeout to register again. */
        GRACE
    }
}
