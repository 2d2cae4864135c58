package io.tidemark.coordination.cluster;

import io.tidemark.model.ClusterUpdate.DeletedTopic;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A topic that is marked for deletion: brokers are told, and its nodes go when no reachable broker has a replica left.
 * A replica on a broker that is away becomes a stray one.
 *
 * @param topic as it was, with the versions its nodes have now
 * @param pending reachable brokers that have not yet said that they carried the deletion out
 * @param waiting tokens of the requests that are answered when the nodes are gone; a new controller has none
 */
public record Deletion(Topic topic, SortedSet<Integer> pending, List<Long> waiting) {
    public Deletion {
        pending = Collections.unmodifiableSortedSet(new TreeSet<>(pending));
        waiting = List.copyOf(waiting);
    }

    /** A deletion that an earlier controller began: who has yet to carry it out is found out again. */
    static Deletion resumed(Topic topic) {
        return new Deletion(topic, new TreeSet<>(), List.of());
    }

    /** What brokers are told. */
    public DeletedTopic command() {
        return new DeletedTopic(topic.name(), topic.id());
    }
}
