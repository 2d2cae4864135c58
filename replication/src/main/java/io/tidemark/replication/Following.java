package io.tidemark.replication;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which replicas follow, and what the fetchers were told about them: a leader's address is known only while its broker is
 * registered, and changes when it comes back elsewhere. Confined to the caller of {@link ReplicaManager#apply}.
 */
final class Following {
    private final FollowerAssignments assignments;
    private final SortedMap<TopicPartition, Entry> entries = new TreeMap<>();

    /** {@code told} is the leader's registration that the fetchers have; null for none. */
    private static final class Entry {
        private final Partition partition;
        private final int leaderId;
        private @Nullable BrokerRegistration told;

        private Entry(Partition partition, int leaderId) {
            this.partition = partition;
            this.leaderId = leaderId;
        }
    }

    Following(FollowerAssignments assignments) {
        this.assignments = assignments;
    }

    /** The replica became a follower; the fetchers hear of it with the next {@link #connect}. */
    void begin(Partition partition) {
        entries.put(partition.partition(), new Entry(partition, partition.view().leader()));
    }

    /** The replica follows nobody any more. */
    void end(TopicPartition partition) {
        entries.remove(partition);
        assignments.unfollow(partition);
    }

    /**
     * Tells the fetchers what is new: followers that have just begun, and leaders that have come, gone or registered again
     * (so that they are tried at once, KNOWN_BUGS 44).
     */
    void connect(SortedMap<Integer, BrokerRegistration> brokers) {
        for (Entry entry : entries.values()) {
            BrokerRegistration leader = brokers.get(entry.leaderId);
            if (leader == null && entry.told != null) {
                assignments.unfollow(entry.partition.partition());
            } else if (leader != null && !leader.equals(entry.told)) {
                assignments.follow(entry.partition, entry.leaderId, leader.peer());
            }
            entry.told = leader;
        }
    }
}
