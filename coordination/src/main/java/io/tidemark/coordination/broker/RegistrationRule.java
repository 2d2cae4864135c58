package io.tidemark.coordination.broker;

import io.tidemark.model.BrokerRegistration;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * What a broker may conclude from the node that stands under its id (KNOWN_BUGS 46). Pure.
 *
 * <pre>
 *   node                                                       verdict
 *   without an owner                                           NOT_EPHEMERAL
 *   of this session and process                                OURS
 *   of this session, another process                           REPLACE (cannot be: an owner is never taken over)
 *   of another session, this process                           REPLACE (its own previous session)
 *   of another session and process, sharing a log directory    REPLACE, unless this process had a node before
 *   any other                                                  ASK
 * </pre>
 *
 * <p>A log directory is locked by its process, so whoever held it before is dead. Only if its identity was copied can two
 * live processes share it; then the one that registers later wins, because the earlier one finds a node that it may not
 * replace.
 */
final class RegistrationRule {
    private RegistrationRule() {}

    /** What to do about the node. */
    enum Verdict {
        OURS,
        /** Delete at once and create: its process or its session is dead. */
        REPLACE,
        /** It may be of a live process: ask, and wait until its session runs out. */
        ASK,
        NOT_EPHEMERAL
    }

    /**
     * @param registration content of the node, null if it cannot be read
     * @param owner session that owns the node
     * @param session this process's
     * @param hadNode whether this process has created its node before
     */
    static Verdict judge(
            @Nullable BrokerRegistration registration,
            long owner,
            long session,
            BrokerRegistration self,
            boolean hadNode) {
        if (owner == 0) {
            return Verdict.NOT_EPHEMERAL;
        }
        boolean sameProcess = registration != null && registration.processNonce() == self.processNonce();
        if (owner == session) {
            return sameProcess ? Verdict.OURS : Verdict.REPLACE;
        }
        boolean ofOurDirectories =
                registration != null && !Collections.disjoint(registration.directoryIds(), self.directoryIds());
        return sameProcess || (ofOurDirectories && !hadNode) ? Verdict.REPLACE : Verdict.ASK;
    }

    /** Whether the answer comes from another live process with this broker's id. */
    static boolean isRival(PeerIdentifier.@Nullable Identity identity, String clusterId, BrokerRegistration self) {
        return identity != null
                && identity.clusterId().equals(clusterId)
                && identity.brokerId() == self.id()
                && identity.processNonce() != self.processNonce();
    }

    /**
     * The broker epoch that a registration continues. The process can prove its own earlier epochs and the one that it
     * could prove when it started; of these the controller needs the one that it took account of last.
     *
     * @param recorded epoch in the incarnation node, empty if there is none
     * @param own epochs of this process so far
     * @param proven at the start of the process, or {@link BrokerRegistration#PROVES_NOTHING}
     */
    static long continues(OptionalLong recorded, SortedSet<Long> own, long proven) {
        boolean recordedIsOurs =
                recorded.isPresent() && (own.contains(recorded.getAsLong()) || recorded.getAsLong() == proven);
        if (recordedIsOurs) {
            return recorded.getAsLong();
        }
        return own.isEmpty() ? proven : own.last();
    }
}
