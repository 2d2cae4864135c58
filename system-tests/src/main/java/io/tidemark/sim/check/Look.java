package io.tidemark.sim.check;

import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What an invariant may look at after an event: all that is, and what changed with the event. */
final class Look {
    private final History history;
    private final List<ReplicaMirror> changed;
    private final List<StateStep> steps;
    private final List<Acknowledged> acknowledged;

    /**
     * What is known beside the event.
     *
     * @param acked by partition, what was ever acknowledged under acks=all, by offset
     */
    record History(
            Mirrors mirrors,
            StateWatch states,
            Disasters disasters,
            SortedMap<TopicPartition, Accountable> accountable,
            SortedMap<TopicPartition, SortedMap<Long, String>> acked) {}

    Look(History history, List<ReplicaMirror> changed, List<StateStep> steps, List<Acknowledged> acknowledged) {
        this.history = history;
        this.changed = changed;
        this.steps = steps;
        this.acknowledged = acknowledged;
    }

    /** Partitions that have a state. */
    Collection<TopicPartition> partitions() {
        return history.states.partitions();
    }

    Mirrors mirrors() {
        return history.mirrors;
    }

    /** Replicas of running processes that are not what they were, by broker. */
    List<ReplicaMirror> changed() {
        return changed;
    }

    /** Writes of partition states, in order. */
    List<StateStep> steps() {
        return steps;
    }

    /** Success that brokers answered under acks=all, in order. */
    List<Acknowledged> acknowledged() {
        return acknowledged;
    }

    /** What was committed in the partition, and who answers for it. */
    Accountable accountable(TopicPartition partition) {
        return Objects.requireNonNull(history.accountable.get(partition));
    }

    /** Whether success was ever answered for a record of that offset. */
    boolean isAcked(TopicPartition partition, long offset) {
        SortedMap<Long, String> records = history.acked.get(partition);
        return records != null && records.containsKey(offset);
    }

    /** The state that stands in ZooKeeper. */
    @Nullable
    PartitionState recorded(TopicPartition partition) {
        return history.states.recorded(partition);
    }

    /** What is recorded of the broker; null if nothing is. */
    @Nullable
    RecordedLife life(int brokerId) {
        return history.states.life(brokerId);
    }

    /** Whether every leader so far was elected by an entry of ISR or eligible set. */
    boolean electionsClean(TopicPartition partition) {
        return history.states.electionsClean(partition);
    }

    /** Whether a leader was elected who may lack what others have: nothing is promised then. */
    boolean hadUnclean(TopicPartition partition) {
        return history.states.hadUnclean(partition);
    }

    /** Whether a disaster struck the machine after the process with that nonce had started on it. */
    boolean struckSinceStartOf(int brokerId, long processNonce) {
        return history.disasters.sinceStartOf(brokerId, processNonce);
    }

    /** Whether a disaster struck the machine after the first state of that leader epoch was recorded. */
    boolean struckSince(TopicPartition partition, int brokerId, int leaderEpoch) {
        return history.disasters.since(brokerId, history.states.began(partition, leaderEpoch));
    }
}
