package io.tidemark.coordination.cluster;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Member;
import io.tidemark.model.SafetyRule;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a registration says about the life of a broker's logs (DESIGN section 6, I11).
 *
 * <pre>
 *   the recorded broker epoch                                     known already
 *   continues the recorded epoch, same directories, same nonce    same process: moves nothing
 *   continues the recorded epoch, same directories                new process, same logs: incarnation kept
 *   anything else, or nothing recorded                            new incarnation: its entries are void
 * </pre>
 *
 * A new incarnation is greater than the recorded one and than every entry that names the broker, so that no number is ever
 * used twice, even if a controller died between writing a partition and recording the incarnation.
 */
final class Incarnations {
    private Incarnations() {}

    /** What a registration is compared with what is recorded. */
    enum Arrival {
        KNOWN,
        SAME_PROCESS,
        SAME_LOGS,
        NEW_LOGS
    }

    static Arrival judge(@Nullable Incarnation recorded, BrokerRegistration registration) {
        if (recorded == null) {
            return Arrival.NEW_LOGS;
        }
        BrokerRegistration last = recorded.registration();
        if (last.brokerEpoch() == registration.brokerEpoch()) {
            return Arrival.KNOWN;
        }
        if (registration.continuesEpoch() != last.brokerEpoch()
                || !registration.directoryIds().equals(last.directoryIds())) {
            return Arrival.NEW_LOGS;
        }
        return registration.processNonce() == last.processNonce() ? Arrival.SAME_PROCESS : Arrival.SAME_LOGS;
    }

    /**
     * Records every registration that is not taken account of yet, and has each such broker sent the full state.
     *
     * @return the brokers whose process is another one than the recorded
     */
    static SortedSet<Integer> takeAccount(ClusterDraft draft) {
        SortedSet<Integer> restarted = new TreeSet<>();
        for (BrokerRegistration registration : draft.registrations.now().values()) {
            Incarnation recorded = draft.incarnations.now().get(registration.id());
            Arrival arrival = arrival(draft, recorded, registration);
            if (arrival == Arrival.KNOWN) {
                continue;
            }
            long number = recorded == null ? 0 : recorded.number();
            if (arrival == Arrival.NEW_LOGS) {
                number = Math.max(number, greatestEntry(draft, registration.id())) + 1;
                draft.notice(
                        Notice.Kind.NEW_INCARNATION,
                        "broker " + registration.id() + " does not prove the logs on record: incarnation " + number);
            }
            if (arrival != Arrival.SAME_PROCESS) {
                restarted.add(registration.id());
            }
            draft.record(number, registration);
            draft.pushFull(registration.id());
        }
        return restarted;
    }

    private static Arrival arrival(
            ClusterDraft draft, @Nullable Incarnation recorded, BrokerRegistration registration) {
        Arrival arrival = judge(recorded, registration);
        boolean believed = recorded != null && !draft.rules().keeps(SafetyRule.NEW_LOGS_NEW_INCARNATION);
        return arrival == Arrival.NEW_LOGS && believed ? Arrival.SAME_LOGS : arrival;
    }

    private static long greatestEntry(ClusterDraft draft, int brokerId) {
        long[] greatest = {0};
        draft.forEachPartition(partition -> {
            for (Member member : partition.isr()) {
                greatest[0] = Math.max(greatest[0], member.brokerId() == brokerId ? member.incarnation() : 0);
            }
            for (Member member : partition.eligible()) {
                greatest[0] = Math.max(greatest[0], member.brokerId() == brokerId ? member.incarnation() : 0);
            }
        });
        return greatest[0];
    }
}
