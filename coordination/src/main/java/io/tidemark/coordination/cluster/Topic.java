package io.tidemark.coordination.cluster;

import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicState;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A topic with the versions of its nodes.
 *
 * @param topicVersion of {@code /topics/<name>}
 * @param configVersion of {@code /config/topics/<name>}
 * @param configs overrides of the brokers' defaults
 * @param partitions by number, from 0 without gaps
 */
public record Topic(
        String name,
        TopicId id,
        int topicVersion,
        int configVersion,
        SortedMap<String, String> configs,
        SortedMap<Integer, VersionedState> partitions) {
    public Topic {
        configs = Collections.unmodifiableSortedMap(new TreeMap<>(configs));
        partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
    }

    /** The topic as brokers hear of it, with only the partitions named; those that it does not have are left out. */
    public TopicState model(Collection<Integer> numbers) {
        SortedMap<Integer, PartitionState> named = new TreeMap<>();
        for (int number : numbers) {
            VersionedState partition = partitions.get(number);
            if (partition != null) {
                named.put(number, partition.state());
            }
        }
        return new TopicState(name, id, configs, named);
    }

    Topic withPartitions(SortedMap<Integer, VersionedState> changed) {
        return new Topic(name, id, topicVersion, configVersion, configs, changed);
    }

    Topic withConfigs(SortedMap<String, String> changed) {
        return new Topic(name, id, topicVersion, configVersion + 1, changed, partitions);
    }

    Topic withTopicVersion(int version) {
        return new Topic(name, id, version, configVersion, configs, partitions);
    }
}
