package io.tidemark.coordination.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * How many records each replica holds and how many of each partition are acknowledged. A clean election of a replica that
 * lacks an acknowledged record fails the test: it is what the whole machine is for.
 */
final class ReplicaModel {
    private final Random random;
    private final SortedMap<Key, SortedMap<Integer, Integer>> lengths = new TreeMap<>();
    private final SortedMap<Key, Integer> acknowledged = new TreeMap<>();
    private final SortedMap<Key, SortedMap<Integer, Long>> leaders = new TreeMap<>();

    /** One partition of one life of a topic. */
    private record Key(TopicId id, int partition) implements Comparable<Key> {
        static Key of(PartitionState state) {
            return new Key(state.topicId(), state.partition().partition());
        }

        @Override
        public int compareTo(Key other) {
            int byId = id.compareTo(other.id);
            return byId != 0 ? byId : Integer.compare(partition, other.partition);
        }
    }

    ReplicaModel(Random random) {
        this.random = random;
    }

    int length(PartitionState partition, int broker) {
        return lengths.getOrDefault(Key.of(partition), new TreeMap<>()).getOrDefault(broker, 0);
    }

    /** Part of what the broker held is gone, of every partition. */
    void loseDisk(int broker) {
        lengths.values().forEach(each -> each.computeIfPresent(broker, (id, length) -> random.nextInt(length + 1)));
    }

    /** The broker drops what it had of one partition from somewhere on. */
    void cut(PartitionState partition, int broker) {
        setLength(partition, broker, random.nextInt(length(partition, broker) + 1));
    }

    /** The leader appends a record and {@code copies} have it; acknowledged if {@code gate} members are enough. */
    void produce(PartitionState partition, SortedSet<Integer> copies, int gate) {
        int length = length(partition, partition.leader()) + 1;
        copies.forEach(id -> setLength(partition, id, length));
        if (gate >= partition.effectiveMinIsr()) {
            acknowledged.put(Key.of(partition), length);
        }
    }

    /** The leader appends what nobody has copied yet. */
    void appendAlone(PartitionState partition) {
        setLength(partition, partition.leader(), length(partition, partition.leader()) + 1);
    }

    void catchUp(PartitionState partition, int broker) {
        setLength(partition, broker, length(partition, partition.leader()));
    }

    /** A state was written; {@code lossy} are partitions of which a recovery or unclean election was reported. */
    void onWritten(PartitionState old, PartitionState next, SortedSet<TopicPartition> lossy) {
        if (!next.hasLeader() || next.leaderEpoch() == old.leaderEpoch()) {
            return;
        }
        Key key = Key.of(next);
        int length = length(next, next.leader());
        int promised = acknowledged.getOrDefault(key, 0);
        if (lossy.contains(next.partition())) {
            acknowledged.put(key, Math.min(promised, length));
        } else {
            assertThat(length)
                    .as("records of %s on the new leader %d, after %s", next.partition(), next.leader(), old)
                    .isGreaterThanOrEqualTo(promised);
        }
        // whoever follows cuts what the leader does not have
        lengths.computeIfAbsent(key, same -> new TreeMap<>()).replaceAll((id, own) -> Math.min(own, length));
    }

    /** A broker was taken into the in-sync set: it holds all that is acknowledged (I7, I11). */
    void onAdmitted(PartitionState partition, int broker) {
        assertThat(length(partition, broker))
                .as("records of %s on broker %d, which was admitted", partition, broker)
                .isGreaterThanOrEqualTo(acknowledged.getOrDefault(Key.of(partition), 0));
    }

    /** A process is told that it leads: nobody else ever was, in that leader epoch (I9, I10). */
    void onTold(PartitionState state, long leaderNonce) {
        Long before = leaders.computeIfAbsent(Key.of(state), same -> new TreeMap<>())
                .putIfAbsent(state.leaderEpoch(), leaderNonce);
        assertThat(before == null ? leaderNonce : before)
                .as("leader of %s in epoch %d", state.partition(), state.leaderEpoch())
                .isEqualTo(leaderNonce);
    }

    /** Whether the process of this nonce was told that it leads in the partition's present epoch. */
    boolean leads(PartitionState state, long nonce) {
        Long told = leaders.getOrDefault(Key.of(state), new TreeMap<>()).get(state.leaderEpoch());
        return told != null && told == nonce;
    }

    private void setLength(PartitionState partition, int broker, int length) {
        lengths.computeIfAbsent(Key.of(partition), same -> new TreeMap<>()).put(broker, length);
    }
}
