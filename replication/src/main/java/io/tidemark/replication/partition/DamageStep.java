package io.tidemark.replication.partition;

import io.tidemark.core.log.LogDamage;
import io.tidemark.core.log.LogEnd;

/**
 * What a replica does about a damage of its own log (DESIGN section 3).
 *
 * <p>A follower cuts at the bad batch and fetches again, also below its high watermark: the leader has what was committed. But
 * a replica that the controller counts as in sync or eligible may be elected before it has fetched everything again, and would
 * then lose for all what it has lost for itself. So it cuts only while the state that it has adopted names it in neither set.
 * That is not enough: what it proved to the leader by its fetches may stand in a proposal that is on its way, and be granted
 * behind the cut. So it cuts only before its first fetch in a leader epoch, of which there is no such proposal.
 *
 * <p>Until then it keeps what it has, copies on, and is reported ({@link DamageReport}). The controller answers with a new leader
 * epoch in which it is in neither set, or leaves the last copy where it is.
 */
public sealed interface DamageStep {
    /** Nothing is known to be damaged. */
    record Sound() implements DamageStep {}

    /** The log was cut; fetching goes on at {@code end}. */
    record Cut(LogDamage damage, LogEnd end) implements DamageStep {}

    /** The log stays as it is: readable around the damage. */
    record Kept(LogDamage damage, Reason reason) implements DamageStep {}

    /** Why a damaged log is not cut. */
    enum Reason {
        /** It leads, or has no role: there is nobody to fetch from. Leadership is to move. */
        NOT_FOLLOWING("it does not follow a leader that it could fetch from"),
        /** It is in sync or eligible. It is to leave both sets. */
        COUNTED_ON("it is in sync or eligible, and may be elected"),
        /** It has fetched in this leader epoch. Another one is to begin. */
        MAY_BE_PROPOSED("it has fetched in this leader epoch, and may be proposed for what it had");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** For people. */
        @Override
        public String toString() {
            return text;
        }
    }
}
