package io.tidemark.core.config;

/**
 * What a topic gets that does not say otherwise. Keys in parentheses.
 *
 * @param partitions ({@code num.partitions})
 * @param replicationFactor ({@code default.replication.factor})
 * @param minInsyncReplicas members that must have a record before it is acknowledged to {@code acks=all}
 *     ({@code min.insync.replicas})
 * @param uncleanLeaderElection whether a replica may lead that may lack acknowledged records
 *     ({@code unclean.leader.election.enable})
 */
public record TopicDefaults(
        int partitions, int replicationFactor, int minInsyncReplicas, boolean uncleanLeaderElection) {}
