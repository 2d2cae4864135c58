package io.tidemark.coordination.cluster;

import io.tidemark.core.config.ConfigOutcome;
import io.tidemark.core.config.TopicConfig;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/** What a topic's overrides mean to the controller. */
final class TopicRules {
    private static final String MIN_ISR = "min.insync.replicas";
    private static final String UNCLEAN_ELECTION = "unclean.leader.election.enable";

    /** Of a key or a value: they stand in a node of ZooKeeper, beside others, which has less than 1 MiB. */
    private static final int LONGEST_TEXT = 255;

    private final ClusterSettings settings;

    TopicRules(ClusterSettings settings) {
        this.settings = settings;
    }

    /** What is wrong with the overrides (unknown keys, illegal values, texts without end), or nothing. */
    static Optional<String> refusal(SortedMap<String, String> configs) {
        if (configs.entrySet().stream().anyMatch(entry -> isTooLong(entry.getKey()) || isTooLong(entry.getValue()))) {
            return Optional.of("a setting's key or value has more than " + LONGEST_TEXT + " characters");
        }
        return TopicConfig.parse(configs) instanceof ConfigOutcome.Invalid<TopicConfig> invalid
                ? Optional.of(invalid.message())
                : Optional.empty();
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
        return override == null ? settings.topicDefaults().uncleanLeaderElection() : override.equals("true");
    }

    /** Brings every partition's effective min ISR into line with the configuration; others are not written. */
    void applyMinIsr(ClusterDraft draft) {
        draft.forEachPartition(partition -> {
            Topic topic = Objects.requireNonNull(
                    draft.topics.now().get(partition.partition().topic()));
            int minIsr = effectiveMinIsr(topic.configs(), partition.replicas().size());
            if (minIsr != partition.effectiveMinIsr()) {
                draft.put(draft.changes().minIsr(partition, minIsr));
            }
        });
    }

    /** What somebody wrote, short enough to be told back. */
    static String brief(String text) {
        return isTooLong(text) ? text.substring(0, LONGEST_TEXT) + "..." : text;
    }

    private static boolean isTooLong(String text) {
        return text.length() > LONGEST_TEXT;
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
