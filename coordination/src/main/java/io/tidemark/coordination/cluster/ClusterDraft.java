package io.tidemark.coordination.cluster;

import io.tidemark.coordination.cluster.ClusterState.Brokers;
import io.tidemark.coordination.cluster.ClusterState.Catalog;
import io.tidemark.coordination.cluster.ClusterState.Phase;
import io.tidemark.coordination.cluster.ClusterState.Progress;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRules;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A decision in the making: a state that is changed, with all that follows from the changes. Used by one decision. */
final class ClusterDraft {
    final CopyOnWrite<Integer, BrokerRegistration> registrations;
    final CopyOnWrite<Integer, Incarnation> incarnations;
    final CopyOnWrite<Integer, Question> questions;
    final CopyOnWrite<Integer, Departure> departures;
    final CopyOnWrite<String, Topic> topics;
    final CopyOnWrite<String, Deletion> deletions;
    final CopyOnWrite<TopicPartition, RecoveryRound> recoveries;
    private final ClusterState base;
    private final SafetyRules rules;
    private final PartitionChange changes;
    private NextProducerIds producerIds;
    private Phase phase;
    private long nextRound;
    private final SortedMap<TopicPartition, PartitionState> changed = new TreeMap<>();
    private final List<StateWrite> writesBefore = new ArrayList<>();
    private final List<StateWrite> writesAfter = new ArrayList<>();
    private final Pushes pushes = new Pushes();
    private final List<Command> commands = new ArrayList<>();
    private final List<Command> replies = new ArrayList<>();
    private final List<Notice> notices = new ArrayList<>();

    /** Who is told what once the writes are committed. */
    private static final class Pushes {
        final SortedSet<Integer> full = new TreeSet<>();
        final SortedSet<TopicPartition> touched = new TreeSet<>();
        final List<Deletion> deleted = new ArrayList<>();
    }

    /** With every safety rule. */
    ClusterDraft(ClusterState base) {
        this(base, SafetyRules.ALL);
    }

    ClusterDraft(ClusterState base, SafetyRules rules) {
        this.base = base;
        this.rules = rules;
        this.changes = new PartitionChange(rules);
        registrations = new CopyOnWrite<>(base.registrations());
        incarnations = new CopyOnWrite<>(base.incarnations());
        questions = new CopyOnWrite<>(base.questions());
        departures = new CopyOnWrite<>(base.departures());
        topics = new CopyOnWrite<>(base.topics());
        deletions = new CopyOnWrite<>(base.deletions());
        recoveries = new CopyOnWrite<>(base.recoveries());
        producerIds = base.producerIds();
        phase = base.phase();
        nextRound = base.nextRound();
    }

    /** The safety rules that are kept. */
    SafetyRules rules() {
        return rules;
    }

    /** The ways to change a partition, under these rules. */
    PartitionChange changes() {
        return changes;
    }

    int controllerEpoch() {
        return base.controllerEpoch();
    }

    Phase phase() {
        return phase;
    }

    void enter(Phase next) {
        phase = next;
    }

    NextProducerIds producerIds() {
        return producerIds;
    }

    long takeRound() {
        return nextRound++;
    }

    SortedMap<Integer, BrokerRegistration> reachable() {
        return ClusterState.reachable(registrations.now(), questions.now());
    }

    /** What the brokers are good for now, none of them restarted. */
    BrokerView view() {
        return view(new TreeSet<>());
    }

    BrokerView view(SortedSet<Integer> restarted) {
        return new BrokerView(
                new Brokers(registrations.now(), incarnations.now(), questions.now(), departures.now()), restarted);
    }

    /** The partition with this decision's changes, or null if there is none. */
    @Nullable
    PartitionState partition(TopicPartition partition) {
        PartitionState already = changed.get(partition);
        if (already != null) {
            return already;
        }
        Topic topic = topics.now().get(partition.topic());
        VersionedState found = topic == null ? null : topic.partitions().get(partition.partition());
        return found == null ? null : found.state();
    }

    /** Every partition with this decision's changes, in order; {@code action} may put what it is given. */
    void forEachPartition(Consumer<PartitionState> action) {
        for (Topic topic : topics.now().values()) {
            for (VersionedState each : topic.partitions().values()) {
                PartitionState already = changed.get(each.state().partition());
                action.accept(already == null ? each.state() : already);
            }
        }
    }

    /** Writes {@code next} over what the partition had, and tells brokers; returns it as it is written. */
    PartitionState put(PartitionState next) {
        VersionedState before = base.partition(next.partition());
        if (before == null) {
            throw new IllegalStateException("no such partition: " + next.partition());
        }
        PartitionState stamped = changes.stamped(before.state(), next, controllerEpoch());
        changed.put(next.partition(), stamped);
        return stamped;
    }

    /** Records an incarnation, after the partitions that it concerns. */
    void record(long number, BrokerRegistration registration) {
        Incarnation old = incarnations.now().get(registration.id());
        int expected = old == null ? StateWrite.NO_NODE : old.version();
        Incarnation next = new Incarnation(number, registration, expected + 1);
        incarnations.change().put(registration.id(), next);
        writesAfter.add(new StateWrite.PutIncarnation(next, expected));
    }

    void create(Topic topic) {
        topics.change().put(topic.name(), topic);
        writesBefore.add(new StateWrite.CreateTopic(topic));
        topic.partitions()
                .values()
                .forEach(each -> pushes.touched.add(each.state().partition()));
    }

    /** Takes the topic out of the cluster and tells brokers to delete it. */
    void beginDeletion(Deletion deletion, int expectedVersion) {
        String name = deletion.topic().name();
        topics.change().remove(name);
        deletions.change().put(name, deletion);
        recoveries.change().keySet().removeIf(partition -> partition.topic().equals(name));
        writesBefore.add(new StateWrite.MarkTopicDeleting(deletion.topic(), expectedVersion));
        pushes.deleted.add(deletion);
    }

    /** Removes the nodes of a topic that nobody reachable holds any more. */
    void finishDeletion(Deletion deletion) {
        deletions.change().remove(deletion.topic().name());
        writesBefore.add(new StateWrite.RemoveTopic(deletion.topic()));
        deletion.waiting().forEach(token -> reply(token, new Answer.Done()));
    }

    /** Gives the topic these overrides, and tells brokers, who hear of a topic with each of its partitions. */
    void putConfigs(Topic topic, SortedMap<String, String> configs) {
        topics.change().put(topic.name(), topic.withConfigs(configs));
        topic.partitions().keySet().forEach(number -> pushes.touched.add(new TopicPartition(topic.name(), number)));
        writesBefore.add(new StateWrite.PutTopicConfigs(topic.name(), configs, topic.configVersion()));
    }

    void putProducerIds(int brokerId, long nextId) {
        writesBefore.add(new StateWrite.PutProducerIds(brokerId, producerIds.nextId(), nextId, producerIds.version()));
        producerIds = new NextProducerIds(nextId, producerIds.version() + 1);
    }

    void pushFull(int brokerId) {
        pushes.full.add(brokerId);
    }

    void command(Command command) {
        commands.add(command);
    }

    void reply(long token, Answer answer) {
        replies.add(new Command.Reply(token, answer));
    }

    void refuse(long token, ErrorCode error, String message) {
        reply(token, new Answer.Refused(error, message));
    }

    void notice(Notice.Kind kind, String text) {
        notices.add(new Notice(kind, text));
    }

    /** The decision; the draft is not to be used any more. */
    Decision decide() {
        List<StateWrite> writes = new ArrayList<>(writesBefore);
        adoptPartitions(writes);
        writes.addAll(writesAfter);
        List<Command> all = new ArrayList<>();
        if (phase == Phase.RUNNING) {
            addPushes(all);
        }
        all.addAll(commands);
        all.addAll(replies);
        ClusterState next = new ClusterState(
                base.controllerEpoch(),
                new Brokers(registrations.now(), incarnations.now(), questions.now(), departures.now()),
                new Catalog(topics.now(), deletions.now(), producerIds),
                new Progress(phase, nextRound, recoveries.now()));
        return new Decision(next, writes, all, notices);
    }

    private void adoptPartitions(List<StateWrite> writes) {
        SortedMap<String, SortedMap<Integer, VersionedState>> byTopic = new TreeMap<>();
        changed.forEach((partition, next) -> {
            Topic topic = Objects.requireNonNull(topics.now().get(partition.topic()));
            SortedMap<Integer, VersionedState> states =
                    byTopic.computeIfAbsent(topic.name(), name -> new TreeMap<>(topic.partitions()));
            int version =
                    Objects.requireNonNull(states.get(partition.partition())).version();
            states.put(partition.partition(), new VersionedState(next, version + 1));
            writes.add(new StateWrite.PutPartitionState(next, version));
        });
        byTopic.forEach((name, states) ->
                topics.change().computeIfPresent(name, (same, topic) -> topic.withPartitions(states)));
    }

    private void addPushes(List<Command> all) {
        SortedMap<Integer, BrokerRegistration> reachable = reachable();
        pushes.full.retainAll(reachable.keySet());
        pushes.full.forEach(brokerId -> all.add(new Command.PushFull(brokerId)));
        SortedSet<TopicPartition> partitions = new TreeSet<>(changed.keySet());
        partitions.addAll(pushes.touched);
        boolean anything = !partitions.isEmpty() || !pushes.deleted.isEmpty() || !reachable.equals(base.reachable());
        if (anything && !pushes.full.equals(reachable.keySet())) {
            all.add(new Command.PushChanges(
                    List.copyOf(partitions),
                    pushes.deleted.stream().map(Deletion::command).toList()));
        }
    }
}
