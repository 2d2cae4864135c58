package io.tidemark.coordination.zookeeper;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.model.TopicId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Contents of nodes that have no record in {@code io.tidemark.model}. {@link ZkCodec} reads and writes them. */
public final class ZkContent {
    private ZkContent() {}

    /** {@code /controller}: the broker that controls, under which epoch. */
    public record Controller(int brokerId, Endpoint peer, int controllerEpoch) {}

    /**
     * {@code /brokers/incarnations/<id>}: what makes an ISR entry valid (I11).
     *
     * @param incarnation counts the broker's lives whose logs may differ from those before
     * @param registration the one that was last taken account of: its epoch and directories decide whether the next
     *     keeps the incarnation, its address is where a vanished broker is asked who it is
     */
    public record Incarnation(long incarnation, BrokerRegistration registration) {}

    /**
     * {@code /topics/<topic>}: identity and assignment by partition number.
     *
     * @param replicas assigned brokers in order of preference
     * @param adding those of {@code replicas} that a reassignment adds
     * @param removing those of {@code replicas} that a reassignment takes away
     * @param deleting whether the topic is on its way out
     */
    public record Topic(
            TopicId id,
            SortedMap<Integer, List<Integer>> replicas,
            SortedMap<Integer, List<Integer>> adding,
            SortedMap<Integer, List<Integer>> removing,
            boolean deleting) {
        public Topic {
            replicas = copy(replicas);
            adding = copy(adding);
            removing = copy(removing);
        }

        /** A topic at rest. */
        public static Topic of(TopicId id, SortedMap<Integer, List<Integer>> replicas) {
            return new Topic(id, replicas, new TreeMap<>(), new TreeMap<>(), false);
        }

        private static SortedMap<Integer, List<Integer>> copy(SortedMap<Integer, List<Integer>> lists) {
            SortedMap<Integer, List<Integer>> copy = new TreeMap<>();
            lists.forEach((partition, brokers) -> copy.put(partition, List.copyOf(brokers)));
            return Collections.unmodifiableSortedMap(copy);
        }
    }

    /** {@code /producer_id_block}: ids {@code firstId} to {@code nextId - 1} were handed to a broker last. */
    public record ProducerIdBlock(int brokerId, long firstId, long nextId) {}
}
