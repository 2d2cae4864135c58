package io.tidemark.server.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.ClusterUpdate.DeletedTopic;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ClusterViewTest {
    private static final TopicId ID = new TopicId(0, 1);
    private static final TopicId OTHER_ID = new TopicId(0, 2);

    private final MetadataCache cache = new MetadataCache();

    private static TopicState topic(TopicId id, int... numberedLeaders) {
        TreeMap<Integer, PartitionState> partitions = new TreeMap<>();
        for (int i = 0; i < numberedLeaders.length; i += 2) {
            TopicPartition partition = new TopicPartition("a", numberedLeaders[i]);
            partitions.put(
                    numberedLeaders[i],
                    new PartitionState(
                            id, partition, numberedLeaders[i + 1], 1, 1, List.of(1), List.of(), List.of(), 1, 1));
        }
        return new TopicState("a", id, new TreeMap<>(), partitions);
    }

    private static ClusterUpdate full(TopicState... topics) {
        return new ClusterUpdate(true, new TreeMap<>(), 1, List.of(topics), List.of());
    }

    private static ClusterUpdate delta(List<TopicState> topics, List<DeletedTopic> deleted) {
        return new ClusterUpdate(false, new TreeMap<>(), 1, topics, deleted);
    }

    private int leader(int partition) {
        return cache.view()
                .partition(new TopicPartition("a", partition))
                .map(PartitionState::leader)
                .orElse(-2);
    }

    @Test
    void shouldMergeADeltaPartitionByPartition() {
        // given
        cache.apply(full(topic(ID, 0, 1, 1, 1)), 3);

        // when
        cache.apply(delta(List.of(topic(ID, 1, 2)), List.of()), 3);

        // then
        assertThat(leader(0)).isEqualTo(1);
        assertThat(leader(1)).isEqualTo(2);
        assertThat(cache.view().controllerEpoch()).isEqualTo(3);
    }

    @Test
    void shouldForgetWhatAFullStateDoesNotName() {
        // given
        cache.apply(full(topic(ID, 0, 1, 1, 1)), 3);

        // when
        cache.apply(full(topic(ID, 0, 1)), 4);

        // then
        assertThat(leader(1)).isEqualTo(-2);
    }

    @Test
    void shouldReplaceATopicThatWasCreatedAgain() {
        // given
        cache.apply(full(topic(ID, 0, 1, 1, 1)), 3);

        // when
        cache.apply(delta(List.of(topic(OTHER_ID, 0, 2)), List.of(new DeletedTopic("a", ID))), 3);

        // then
        assertThat(leader(0)).isEqualTo(2);
        assertThat(leader(1)).isEqualTo(-2);
    }

    @Test
    void shouldDeleteByIdOnly() {
        // given
        cache.apply(full(topic(ID, 0, 1)), 3);

        // when
        cache.apply(delta(List.of(), List.of(new DeletedTopic("a", OTHER_ID))), 3);
        assertThat(leader(0)).isEqualTo(1);
        cache.apply(delta(List.of(), List.of(new DeletedTopic("a", ID))), 3);

        // then
        assertThat(leader(0)).isEqualTo(-2);
    }
}
