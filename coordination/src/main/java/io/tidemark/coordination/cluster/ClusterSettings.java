package io.tidemark.coordination.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * What the machine is told about the cluster's configuration.
 *
 * @param sessionTimeout ZooKeeper session timeout: how long a broker that is alive without a node keeps its places
 * @param recoveryRetry pause before log ends are asked again after a broker did not answer
 * @param maxPartitionsPerTopic a topic is created in one ZooKeeper multi, whose size is bounded
 * @param topicDefaults for what a request or topic leaves open
 * @param configRefusal says what is wrong with a topic's overrides (unknown key, illegal value), or nothing
 */
public record ClusterSettings(
        Duration sessionTimeout,
        Duration recoveryRetry,
        int maxPartitionsPerTopic,
        TopicDefaults topicDefaults,
        Function<SortedMap<String, String>, Optional<String>> configRefusal) {

    /**
     * @param partitions {@code num.partitions}
     * @param replicationFactor {@code default.replication.factor}
     * @param minInsyncReplicas {@code min.insync.replicas}
     * @param uncleanElection {@code unclean.leader.election.enable}
     */
    public record TopicDefaults(
            int partitions, int replicationFactor, int minInsyncReplicas, boolean uncleanElection) {}
}
