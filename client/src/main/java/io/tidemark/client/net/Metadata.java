package io.tidemark.client.net;

import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as one broker described it.
 *
 * @param controllerId -1 while there is none
 * @param answeredBy id of the broker that said so
 */
public record Metadata(
        String clusterId,
        int controllerId,
        int controllerEpoch,
        int answeredBy,
        SortedMap<Integer, Broker> brokers,
        SortedMap<String, Topic> topics) {
    private static final String NO_LIMIT = String.valueOf(Integer.MAX_VALUE);

    /** Before any broker has answered. */
    public static final Metadata NONE = new Metadata("", -1, -1, -1, new TreeMap<>(), new TreeMap<>());

    public Metadata {
        brokers = Collections.unmodifiableSortedMap(brokers);
        topics = Collections.unmodifiableSortedMap(topics);
    }

    /** A live broker. */
    public record Broker(int id, Endpoint client, @Nullable Endpoint http, String rack) {}

    /** @param error NONE, or UNKNOWN_TOPIC_OR_PARTITION: then the rest is empty */
    public record Topic(
            String name,
            ErrorCode error,
            String topicId,
            SortedMap<String, String> configs,
            SortedMap<Integer, Partition> partitions) {
        /** The largest batch that the topic says it takes; a broker may refuse smaller ones all the same. */
        public int maxBatchBytes() {
            try {
                return Math.max(1, Integer.parseInt(configs.getOrDefault("max.message.bytes", NO_LIMIT)));
            } catch (NumberFormatException e) {
                return Integer.MAX_VALUE;
            }
        }
    }

    /** @param leader -1 while there is none */
    public record Partition(
            int partition,
            int leader,
            int leaderEpoch,
            int partitionEpoch,
            List<Integer> replicas,
            List<Integer> isr,
            List<Integer> eligible,
            int minIsr) {
        /** Nobody leads it: it can be neither written nor read. */
        public boolean isOffline() {
            return leader < 0;
        }

        /** Too few are in sync for acks=all. */
        public boolean isUnderMinIsr() {
            return isr.size() < minIsr;
        }

        /** Just enough are in sync for acks=all: the loss of one more stops it. */
        public boolean isAtMinIsr() {
            return isr.size() == minIsr;
        }

        /** Not every replica is in sync. */
        public boolean isUnderReplicated() {
            return isr.size() < replicas.size();
        }

        /** Another than the first of its replicas leads it. */
        public boolean isNotPreferred() {
            return !isOffline() && !replicas.isEmpty() && leader != replicas.get(0);
        }
    }

    /** The partition, if its topic is known. */
    public @Nullable Partition partition(TopicPartition partition) {
        Topic topic = topics.get(partition.topic());
        return topic == null ? null : topic.partitions().get(partition.partition());
    }

    /** This, with what {@code newer} says: its brokers, and its topics where their leader epochs are not older. */
    Metadata merge(Metadata newer) {
        SortedMap<String, Topic> merged = new TreeMap<>(topics);
        newer.topics.forEach((name, topic) -> merged.merge(name, topic, Metadata::newerOf));
        return new Metadata(
                newer.clusterId, newer.controllerId, newer.controllerEpoch, newer.answeredBy, newer.brokers, merged);
    }

    /** This, without anything about one topic. */
    Metadata without(String topic) {
        SortedMap<String, Topic> others = new TreeMap<>(topics);
        others.remove(topic);
        return new Metadata(clusterId, controllerId, controllerEpoch, answeredBy, brokers, others);
    }

    private static Topic newerOf(Topic known, Topic told) {
        if (!known.topicId().equals(told.topicId()) || told.error() != ErrorCode.NONE) {
            return told;
        }
        SortedMap<Integer, Partition> partitions = new TreeMap<>(told.partitions());
        known.partitions().forEach((number, partition) -> {
            Partition other = partitions.get(number);
            if (other != null && other.leaderEpoch() < partition.leaderEpoch()) {
                partitions.put(number, partition);
            }
        });
        return new Topic(told.name(), told.error(), told.topicId(), told.configs(), partitions);
    }
}
