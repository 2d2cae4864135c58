package io.tidemark.coordination.cluster;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Member;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * What the brokers are good for at the moment of a decision.
 *
 * <pre>
 *                      keeps its places   is elected, admitted   listed and pushed to
 *   registered         yes                yes                    yes
 *   in question        yes                no                     yes
 *   shutting down      what nobody else   no                     yes
 *                      can take
 *   storage failed,    no                 no                     until its node goes
 *   died
 *   restarted          no                 yes                    yes
 *   lost               no                 no                     no
 * </pre>
 *
 * @param restarted registered brokers whose process is another one than the last that was taken account of: the old
 *     process's places are lost, whatever the new one can prove about its logs (KAFKA-7235)
 */
record BrokerView(ClusterState.Brokers brokers, SortedSet<Integer> restarted) {

    /** Whether the broker has a node and does not go. */
    boolean isLive(int brokerId) {
        return brokers.registrations().containsKey(brokerId) && departure(brokerId) == null;
    }

    /** Whether the process that had the broker's places is gone. */
    boolean isLost(int brokerId) {
        Departure.Reason departure = departure(brokerId);
        return restarted.contains(brokerId)
                || (departure != null && departure.isLoss())
                || !(brokers.registrations().containsKey(brokerId) || isInQuestion(brokerId));
    }

    /** Whether the broker has no node and is not yet taken for lost. */
    boolean isInQuestion(int brokerId) {
        return brokers.questions().containsKey(brokerId);
    }

    /** Whether the broker serves what nobody else can, until it stops. */
    boolean isShuttingDown(int brokerId) {
        return departure(brokerId) == Departure.Reason.SHUTTING_DOWN;
    }

    /** Whether the entry was earned by the logs that the broker has now (I11). */
    boolean isValid(Member entry) {
        Incarnation recorded = brokers.incarnations().get(entry.brokerId());
        return recorded != null && recorded.number() == entry.incarnation();
    }

    /** Whether the entry's broker may lead because of it. */
    boolean isElectable(Member entry) {
        return isLive(entry.brokerId()) && isValid(entry);
    }

    /** Whether {@code brokerEpoch} is that of the broker's node. */
    boolean isCurrent(int brokerId, long brokerEpoch) {
        BrokerRegistration registration = brokers.registrations().get(brokerId);
        return registration != null && registration.brokerEpoch() == brokerEpoch;
    }

    /** The entry of a live broker as it is now. */
    Member entry(int brokerId) {
        Incarnation recorded = brokers.incarnations().get(brokerId);
        if (recorded == null) {
            throw new IllegalStateException("broker " + brokerId + " is live and has no incarnation");
        }
        return recorded.member();
    }

    private Departure.@Nullable Reason departure(int brokerId) {
        Departure departure = brokers.departures().get(brokerId);
        return departure != null && isCurrent(brokerId, departure.brokerEpoch()) ? departure.reason() : null;
    }
}
