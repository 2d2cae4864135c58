package io.tidemark.coordination.cluster;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Member;

/**
 * What {@code /brokers/incarnations/<id>} records: the life of a broker's logs, and the registration that was last taken
 * account of (DESIGN section 6, I11).
 *
 * @param number the incarnation; an ISR or eligible entry is valid while it carries this number
 * @param registration the last one taken account of: its broker epoch and directory ids decide whether the next one keeps
 *     the incarnation, its address and nonce are what a vanished broker is asked by
 * @param version of the node
 */
public record Incarnation(long number, BrokerRegistration registration, int version) {
    /** The entry that an ISR gets for the broker as it is now. */
    public Member member() {
        return new Member(registration.id(), number);
    }
}
