package io.tidemark.coordination.cluster;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The one place where the eligible set comes from (DESIGN section 6, I12, KIP-966). An eligible member left the ISR while
 * that was below min ISR; the high watermark stands still meanwhile, so it holds every acknowledged record.
 *
 * <pre>
 *   ISR changes, |new ISR| >= min ISR   empty
 *   ISR changes, |new ISR| <  min ISR   (old eligible + old ISR) - new ISR, each entry with its recorded incarnation
 *   ISR stays                           as before
 *   min ISR lowered                     empty
 *   min ISR raised                      as before
 * </pre>
 */
final class EligibleSet {
    private EligibleSet() {}

    /** The eligible set that goes with {@code isr} in place of the old one, by broker id. */
    static List<Member> after(PartitionState old, List<Member> isr) {
        if (isr.equals(old.isr())) {
            return old.eligible();
        }
        if (isr.size() >= old.effectiveMinIsr()) {
            return List.of();
        }
        SortedMap<Integer, Member> entries = new TreeMap<>();
        old.eligible().forEach(member -> entries.put(member.brokerId(), member));
        old.isr().forEach(member -> entries.put(member.brokerId(), member));
        isr.forEach(member -> entries.remove(member.brokerId()));
        return List.copyOf(entries.values());
    }

    /** Those of {@code members} that {@code isr} does not name. */
    static List<Member> outside(List<Member> members, List<Member> isr) {
        return members.stream()
                .filter(member -> isr.stream().noneMatch(inSync -> inSync.brokerId() == member.brokerId()))
                .toList();
    }

    /** The eligible set that goes with {@code minIsr} in place of the old one. */
    static List<Member> afterMinIsr(PartitionState old, int minIsr) {
        return minIsr < old.effectiveMinIsr() ? List.of() : old.eligible();
    }
}
