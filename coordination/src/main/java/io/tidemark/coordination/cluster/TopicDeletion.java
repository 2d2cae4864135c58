package io.tidemark.coordination.cluster;

import io.tidemark.coordination.cluster.ClusterEvent.DeletionApplied;
import io.tidemark.coordination.cluster.ClusterEvent.TopicDeletionRequested;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Topics that go. The topic node is marked, brokers are told by topic id, and when every reachable broker that had a
 * replica has carried it out the nodes are removed and the request is answered: then the name is free. A replica on a
 * broker that is away becomes a stray one, for absence never deletes data (DESIGN section 6).
 */
final class TopicDeletion {
    private TopicDeletion() {}

    static void onRequest(ClusterDraft draft, TopicDeletionRequested request) {
        Deletion underWay = draft.deletions.now().get(request.topic());
        Topic topic = draft.topics.now().get(request.topic());
        if (underWay != null) {
            List<Long> waiting = new ArrayList<>(underWay.waiting());
            waiting.add(request.token());
            draft.deletions.change().put(request.topic(), new Deletion(underWay.topic(), underWay.pending(), waiting));
        } else if (topic != null) {
            Topic marked = topic.withTopicVersion(topic.topicVersion() + 1);
            draft.beginDeletion(
                    new Deletion(marked, holders(draft, marked), List.of(request.token())), topic.topicVersion());
            finishWherePossible(draft);
        } else {
            draft.refuse(request.token(), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "no topic " + request.topic());
        }
    }

    static void onApplied(ClusterDraft draft, DeletionApplied applied) {
        BrokerRegistration told = draft.reachable().get(applied.brokerId());
        if (told == null || told.brokerEpoch() != applied.brokerEpoch()) {
            return;
        }
        for (Deletion deletion : List.copyOf(draft.deletions.now().values())) {
            if (deletion.topic().id().equals(applied.topicId())) {
                SortedSet<Integer> pending = new TreeSet<>(deletion.pending());
                pending.remove(applied.brokerId());
                replace(draft, deletion, pending);
            }
        }
        finishWherePossible(draft);
    }

    /** After the start of a term: who has yet to carry out the deletions that an earlier controller began. */
    static void resume(ClusterDraft draft) {
        for (Deletion deletion : List.copyOf(draft.deletions.now().values())) {
            replace(draft, deletion, holders(draft, deletion.topic()));
        }
    }

    /** Removes the nodes of each topic that no reachable broker has yet to delete. */
    static void finishWherePossible(ClusterDraft draft) {
        if (draft.deletions.now().isEmpty()) {
            return;
        }
        SortedMap<Integer, BrokerRegistration> reachable = draft.reachable();
        for (Deletion deletion : List.copyOf(draft.deletions.now().values())) {
            SortedSet<Integer> pending = new TreeSet<>(deletion.pending());
            pending.retainAll(reachable.keySet());
            if (pending.isEmpty()) {
                draft.finishDeletion(deletion);
            } else if (!pending.equals(deletion.pending())) {
                replace(draft, deletion, pending);
            }
        }
    }

    private static void replace(ClusterDraft draft, Deletion deletion, SortedSet<Integer> pending) {
        draft.deletions
                .change()
                .put(deletion.topic().name(), new Deletion(deletion.topic(), pending, deletion.waiting()));
    }

    private static SortedSet<Integer> holders(ClusterDraft draft, Topic topic) {
        SortedSet<Integer> holders = new TreeSet<>();
        topic.partitions().values().forEach(each -> holders.addAll(each.state().replicas()));
        holders.retainAll(draft.reachable().keySet());
        return holders;
    }
}
