package io.tidemark.coordination.cluster;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The answer to a {@link ClusterEvent.Request}. */
public sealed interface Answer {
    /** Done, and nothing more to say. */
    record Done() implements Answer {}

    /**
     * Nothing was done.
     *
     * @param message for a person; never empty
     */
    record Refused(ErrorCode error, String message) implements Answer {}

    /** The partition's state after a proposal: it releases the proposal if its partition epoch is greater. */
    record IsrState(PartitionState state) implements Answer {}

    /** @param remaining partitions that the broker still leads because nobody else can */
    record ShutdownProgress(List<TopicPartition> remaining) implements Answer {
        public ShutdownProgress {
            remaining = List.copyOf(remaining);
        }
    }

    /** Ids {@code firstId} to {@code firstId + count - 1}, which nobody else gets. */
    record ProducerIdBlock(long firstId, int count) implements Answer {}

    /** The topic exists. */
    record TopicCreated(TopicId topicId) implements Answer {}

    /** @param configs all overrides that the topic has, or would have */
    record TopicConfigs(SortedMap<String, String> configs) implements Answer {
        public TopicConfigs {
            configs = Collections.unmodifiableSortedMap(new TreeMap<>(configs));
        }
    }

    /** The wanted broker leads, since this leader epoch. */
    record LeaderTransferred(int leaderEpoch) implements Answer {}
}
