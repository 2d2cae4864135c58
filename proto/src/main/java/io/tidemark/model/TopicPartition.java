package io.tidemark.model;

import java.util.Comparator;

/** One partition of one topic; {@code partition} is at least 0. Ordered by topic, then partition. */
public record TopicPartition(String topic, int partition) implements Comparable<TopicPartition> {
    private static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    public TopicPartition {
        if (topic.isEmpty() || partition < 0) {
            throw new IllegalArgumentException("not a partition: " + topic + "-" + partition);
        }
    }

    @Override
    public int compareTo(TopicPartition other) {
        return ORDER.compare(this, other);
    }

    /** {@code topic-partition}, which is also the name of the partition's directory. */
    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}
