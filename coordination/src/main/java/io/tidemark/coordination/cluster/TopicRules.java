package io.tidemark.coordination.cluster;

import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/** What a topic's overrides mean to the controller. */
final class TopicRules {
    static final String MIN_ISR = "min.insync.replicas";
    static final String UNCLEAN_ELECTION = "unclean.leader.election.enable";

    private final ClusterSettings settings;

    TopicRules(ClusterSettings settings) {
        this.settings = settings;
    }

    /** What is wrong with the overrides, or nothing. */
    Optional<String> refusal(SortedMap<String, String> configs) {
        Optional<String> refused = settings.configRefusal().apply(configs);
        if (refused.isPresent()) {
            return refused;
        }
        String minIsr = configs.get(MIN_ISR);
        if (minIsr != null && positive(minIsr).isEmpty()) {
            return Optional.of(MIN_ISR + " must be a whole number of at least 1, not " + minIsr);
        }
        String unclean = configs.get(UNCLEAN_ELECTION);
        if (unclean != null && !unclean.equals("true") && !unclean.equals("false")) {
            return Optional.of(UNCLEAN_ELECTION + " must be true or false, not " + unclean);
        }
        return Optional.empty();
    }

    /**
     * min(configured, assigned replicas), at least 1: a partition never waits for more copies than it is to have. An
     * override that somebody wrote past the checks counts as absent.
     */
    int effectiveMinIsr(SortedMap<String, String> configs, int replicas) {
        int configured = Optional.ofNullable(configs.get(MIN_ISR))
                .flatMap(TopicRules::positive)
                .orElse(settings.topicDefaults().minInsyncReplicas());
        return Math.max(1, Math.min(configured, replicas));
    }

    /** Whether a replica that may lack acknowledged records may lead when nobody else can (I14). */
    boolean allowsUncleanElection(SortedMap<String, String> configs) {
        String override = configs.get(UNCLEAN_ELECTION);
        return override == null ? settings.topicDefaults().uncleanElection() : override.equals("true");
    }

    /** Brings every partition's effective min ISR into line with the configuration; others are not written. */
    void applyMinIsr(ClusterDraft draft) {
        draft.forEachPartition(partition -> {
            Topic topic = Objects.requireNonNull(
                    draft.topics.now().get(partition.partition().topic()));
            int minIsr = effectiveMinIsr(topic.configs(), partition.replicas().size());
            if (minIsr != partition.effectiveMinIsr()) {
                draft.put(PartitionChange.minIsr(partition, minIsr));
            }
        });
    }

    private static Optional<Integer> positive(String text) {
        try {
            int number = Integer.parseInt(text);
            return number > 0 ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
