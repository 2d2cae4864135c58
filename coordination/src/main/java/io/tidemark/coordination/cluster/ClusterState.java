package io.tidemark.coordination.cluster;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.TopicPartition;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that a controller knows: what ZooKeeper holds with the versions of its nodes, and what is under way in this term.
 * Immutable; may be read by any thread.
 *
 * <p>In ZooKeeper stand incarnations, topics, deletions and the next producer id; registrations are a copy of the broker
 * nodes; questions, departures and recovery rounds are this term's own and end with it.
 */
public final class ClusterState {
    private final int controllerEpoch;
    private final Brokers brokers;
    private final Catalog catalog;
    private final Progress progress;

    /** What is known of brokers, each map by broker id. */
    record Brokers(
            SortedMap<Integer, BrokerRegistration> registrations,
            SortedMap<Integer, Incarnation> incarnations,
            SortedMap<Integer, Question> questions,
            SortedMap<Integer, Departure> departures) {
        Brokers {
            registrations = frozen(registrations);
            incarnations = frozen(incarnations);
            questions = frozen(questions);
            departures = frozen(departures);
        }
    }

    /** What brokers hold: topics and deletions by name, and the ids given to producers. */
    record Catalog(
            SortedMap<String, Topic> topics, SortedMap<String, Deletion> deletions, NextProducerIds producerIds) {
        Catalog {
            topics = frozen(topics);
            deletions = frozen(deletions);
        }
    }

    /** How far a controller's term is. */
    enum Phase {
        /** The broker nodes have not been read yet. */
        LOADED,
        /** Brokers named in assignments that have no node are asked who they are: no election before. */
        ASKING,
        /** Deciding. */
        RUNNING
    }

    /** @param nextRound number of the next recovery round */
    record Progress(Phase phase, long nextRound, SortedMap<TopicPartition, RecoveryRound> recoveries) {
        Progress {
            recoveries = frozen(recoveries);
        }
    }

    ClusterState(int controllerEpoch, Brokers brokers, Catalog catalog, Progress progress) {
        this.controllerEpoch = controllerEpoch;
        this.brokers = brokers;
        this.catalog = catalog;
        this.progress = progress;
    }

    /**
     * What a new controller read from ZooKeeper. The first event is to be {@link ClusterEvent.BrokersChanged}; until the
     * brokers without a node have been asked, requests are refused with NOT_CONTROLLER.
     *
     * @param deleting topics whose node is marked for deletion
     */
    public static ClusterState loaded(
            int controllerEpoch,
            Collection<Incarnation> incarnations,
            Collection<Topic> topics,
            Collection<Topic> deleting,
            NextProducerIds producerIds) {
        SortedMap<Integer, Incarnation> byId = new TreeMap<>();
        incarnations.forEach(each -> byId.put(each.registration().id(), each));
        SortedMap<String, Topic> byName = new TreeMap<>();
        topics.forEach(each -> byName.put(each.name(), each));
        SortedMap<String, Deletion> deletions = new TreeMap<>();
        deleting.forEach(each -> deletions.put(each.name(), Deletion.resumed(each)));
        return new ClusterState(
                controllerEpoch,
                new Brokers(new TreeMap<>(), byId, new TreeMap<>(), new TreeMap<>()),
                new Catalog(byName, deletions, producerIds),
                new Progress(Phase.LOADED, 1, new TreeMap<>()));
    }

    /** Epoch of the controller whose state this is. */
    public int controllerEpoch() {
        return controllerEpoch;
    }

    /** Whether brokers without a node have yet to be asked before the first election. */
    public boolean isStarting() {
        return progress.phase() != Phase.RUNNING;
    }

    /** Brokers that have a node. */
    public SortedMap<Integer, BrokerRegistration> registrations() {
        return brokers.registrations();
    }

    /**
     * Brokers that are listed in pushes and pushed to: those that have a node, and those in question under their last
     * registration, for a leader without a session goes on serving.
     */
    public SortedMap<Integer, BrokerRegistration> reachable() {
        return reachable(brokers.registrations(), brokers.questions());
    }

    /** What is recorded of each broker that ever registered. */
    public SortedMap<Integer, Incarnation> incarnations() {
        return brokers.incarnations();
    }

    /** Brokers whose node vanished and which are not yet taken for lost. */
    public SortedMap<Integer, Question> questions() {
        return brokers.questions();
    }

    /** Registered brokers that said they are going. */
    public SortedMap<Integer, Departure> departures() {
        return brokers.departures();
    }

    /** Topics by name, without those that are being deleted. */
    public SortedMap<String, Topic> topics() {
        return catalog.topics();
    }

    /** Topics that are being deleted, by name. */
    public SortedMap<String, Deletion> deletions() {
        return catalog.deletions();
    }

    /** Where the next block of producer ids starts. */
    public NextProducerIds producerIds() {
        return catalog.producerIds();
    }

    /** Recovery elections that wait for answers. */
    public SortedMap<TopicPartition, RecoveryRound> recoveries() {
        return progress.recoveries();
    }

    /** The partition's state, or null if there is no such topic or partition. */
    public @Nullable VersionedState partition(TopicPartition partition) {
        Topic topic = catalog.topics().get(partition.topic());
        return topic == null ? null : topic.partitions().get(partition.partition());
    }

    Phase phase() {
        return progress.phase();
    }

    long nextRound() {
        return progress.nextRound();
    }

    static SortedMap<Integer, BrokerRegistration> reachable(
            SortedMap<Integer, BrokerRegistration> registrations, SortedMap<Integer, Question> questions) {
        SortedMap<Integer, BrokerRegistration> all = new TreeMap<>(registrations);
        questions.forEach((id, question) -> all.putIfAbsent(id, question.registration()));
        return frozen(all);
    }

    private static <K, V> SortedMap<K, V> frozen(SortedMap<K, V> map) {
        return Collections.unmodifiableSortedMap(map);
    }
}
