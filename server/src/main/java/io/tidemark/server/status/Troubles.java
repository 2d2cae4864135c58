package io.tidemark.server.status;

import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicState;
import io.tidemark.server.metadata.ClusterView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The partitions that are not as they should be: each is counted under the worst that can be said of it, and a bounded number
 * is listed, the worst first.
 *
 * @param partitions all there are, in trouble or not
 * @param counts of each kind
 */
public record Troubles(int partitions, Map<Kind, Integer> counts, List<Trouble> listed) {
    /** What is listed at most. */
    public static final int MAX_LISTED = 100;

    /** What is wrong, the worst first. */
    public enum Kind {
        /** Nobody leads: it can be neither written nor read. */
        OFFLINE,
        /** Fewer in-sync replicas than the effective min ISR: acks=all is refused. */
        UNDER_MIN_ISR,
        /** Not all of its replicas are in sync. */
        UNDER_REPLICATED
    }

    /** A partition in trouble. */
    public record Trouble(Kind kind, PartitionState state) {}

    /** Goes over all partitions once. */
    public static Troubles of(ClusterView view) {
        Map<Kind, List<Trouble>> samples = new EnumMap<>(Kind.class);
        Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            samples.put(kind, new ArrayList<>());
            counts.put(kind, 0);
        }
        int partitions = 0;
        for (TopicState topic : view.topics().values()) {
            for (PartitionState state : topic.partitions().values()) {
                partitions++;
                note(state, counts, samples);
            }
        }
        List<Trouble> listed = samples.values().stream()
                .flatMap(List::stream)
                .limit(MAX_LISTED)
                .toList();
        return new Troubles(partitions, counts, listed);
    }

    /** All partitions in trouble. */
    public int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    public int count(Kind kind) {
        return counts.getOrDefault(kind, 0);
    }

    private static void note(PartitionState state, Map<Kind, Integer> counts, Map<Kind, List<Trouble>> samples) {
        Kind kind;
        if (!state.hasLeader()) {
            kind = Kind.OFFLINE;
        } else if (state.isr().size() < state.effectiveMinIsr()) {
            kind = Kind.UNDER_MIN_ISR;
        } else if (state.isr().size() < state.replicas().size()) {
            kind = Kind.UNDER_REPLICATED;
        } else {
            return;
        }
        counts.merge(kind, 1, Integer::sum);
        List<Trouble> sample = samples.getOrDefault(kind, new ArrayList<>());
        if (sample.size() < MAX_LISTED) {
            sample.add(new Trouble(kind, state));
        }
    }
}
