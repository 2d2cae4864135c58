package io.tidemark.coordination.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A topic that somebody wants.
 *
 * @param partitions how many, 0 for the default
 * @param replicationFactor replicas of each, 0 for the default
 * @param configs overrides of the brokers' defaults
 */
public record TopicSpec(String name, int partitions, int replicationFactor, SortedMap<String, String> configs) {
    public TopicSpec {
        configs = Collections.unmodifiableSortedMap(new TreeMap<>(configs));
    }
}
