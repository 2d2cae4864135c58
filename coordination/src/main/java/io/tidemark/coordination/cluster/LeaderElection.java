package io.tidemark.coordination.cluster;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who leads a partition whose leader is gone, from what is on record (DESIGN section 6). In this order, each in the order
 * of the assignment:
 *
 * <ol>
 *   <li>a live valid member of the ISR;
 *   <li>a live valid eligible member: ISR = {it};
 *   <li>nobody, while a {@link RecoveryElection} is possible: all entries are void and all their brokers are here;
 *   <li>where the topic allows it, any live replica: ISR = {it} with its current incarnation (I14);
 *   <li>nobody.
 * </ol>
 *
 * While a broker of ISR + eligible is in question no unclean choice is made: it may be back in a moment.
 */
final class LeaderElection {
    private final BrokerView view;

    LeaderElection(BrokerView view) {
        this.view = view;
    }

    /** How a leader was found. */
    enum Kind {
        CLEAN,
        ELIGIBLE,
        UNCLEAN,
        NOBODY
    }

    /** Whether the topic lets a replica lead that may lack acknowledged records. */
    enum Unclean {
        ALLOWED,
        FORBIDDEN
    }

    /** @param isr that the leader starts with */
    record Outcome(Kind kind, int leader, List<Member> isr) {}

    /** Elects for {@code partition}, of whose ISR {@code isr} is left. */
    Outcome elect(PartitionState partition, List<Member> isr, Unclean unclean) {
        Optional<Member> inSync = preferred(partition, isr);
        if (inSync.isPresent()) {
            return new Outcome(Kind.CLEAN, inSync.get().brokerId(), isr);
        }
        List<Member> eligible = EligibleSet.after(partition, isr);
        Optional<Member> outside = preferred(partition, eligible);
        if (outside.isPresent()) {
            return new Outcome(Kind.ELIGIBLE, outside.get().brokerId(), List.of(outside.get()));
        }
        if (unclean == Unclean.ALLOWED && isHopeless(isr, eligible)) {
            Optional<Integer> any =
                    partition.replicas().stream().filter(view::isLive).findFirst();
            if (any.isPresent()) {
                return new Outcome(Kind.UNCLEAN, any.get(), List.of(view.entry(any.get())));
            }
        }
        return new Outcome(Kind.NOBODY, PartitionState.NO_LEADER, isr);
    }

    /** The first member in the order of assignment that may lead because of its entry. */
    Optional<Member> preferred(PartitionState partition, List<Member> members) {
        return partition.replicas().stream()
                .flatMap(replica -> members.stream().filter(member -> member.brokerId() == replica))
                .filter(view::isElectable)
                .findFirst();
    }

    private boolean isHopeless(List<Member> isr, List<Member> eligible) {
        boolean allHere = Stream.concat(isr.stream(), eligible.stream()).allMatch(each -> view.isLive(each.brokerId()));
        boolean anyInQuestion =
                Stream.concat(isr.stream(), eligible.stream()).anyMatch(each -> view.isInQuestion(each.brokerId()));
        return !allHere && !anyInQuestion;
    }
}
