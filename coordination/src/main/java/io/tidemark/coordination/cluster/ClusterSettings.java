package io.tidemark.coordination.cluster;

import io.tidemark.core.config.TopicDefaults;
import io.tidemark.model.SafetyRules;
import java.time.Duration;

/**
 * What the machine is told about the cluster's configuration.
 *
 * @param sessionTimeout ZooKeeper session timeout: how long a broker that is alive without a node keeps its places
 * @param recoveryRetry pause before log ends are asked again after a broker did not answer
 * @param maxPartitionsPerTopic a topic is created in one ZooKeeper multi, whose size is bounded
 * @param topicDefaults for what a request or topic leaves open
 * @param rules that are kept: all of them in a broker
 */
public record ClusterSettings(
        Duration sessionTimeout,
        Duration recoveryRetry,
        int maxPartitionsPerTopic,
        TopicDefaults topicDefaults,
        SafetyRules rules) {
    /** With every safety rule. */
    public ClusterSettings(
            Duration sessionTimeout, Duration recoveryRetry, int maxPartitionsPerTopic, TopicDefaults topicDefaults) {
        this(sessionTimeout, recoveryRetry, maxPartitionsPerTopic, topicDefaults, SafetyRules.ALL);
    }

    /** The same under other rules. */
    public ClusterSettings withRules(SafetyRules kept) {
        return new ClusterSettings(sessionTimeout, recoveryRetry, maxPartitionsPerTopic, topicDefaults, kept);
    }
}
