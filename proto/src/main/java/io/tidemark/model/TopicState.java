package io.tidemark.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A topic as the cluster agreed on it.
 *
 * @param name topic name
 * @param id identity
 * @param configs overrides of the broker's defaults, by key
 * @param partitions state of each partition by number, from 0 without gaps
 */
public record TopicState(
        String name, TopicId id, SortedMap<String, String> configs, SortedMap<Integer, PartitionState> partitions) {
    public TopicState {
        configs = Collections.unmodifiableSortedMap(new TreeMap<>(configs));
        partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
    }

    /** The same topic with {@code state} in place of what that partition had. */
    public TopicState with(PartitionState state) {
        Map<Integer, PartitionState> changed = new TreeMap<>(partitions);
        changed.put(state.partition().partition(), state);
        return new TopicState(name, id, configs, new TreeMap<>(changed));
    }
}
