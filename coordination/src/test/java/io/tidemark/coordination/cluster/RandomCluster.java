package io.tidemark.coordination.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.ClusterEvent.BrokersChanged;
import io.tidemark.coordination.cluster.ClusterEvent.ControlledShutdownRequested;
import io.tidemark.coordination.cluster.ClusterEvent.DamageReported;
import io.tidemark.coordination.cluster.ClusterEvent.DeletionApplied;
import io.tidemark.coordination.cluster.ClusterEvent.IdentifyAnswered;
import io.tidemark.coordination.cluster.ClusterEvent.IsrProposed;
import io.tidemark.coordination.cluster.ClusterEvent.LeaderTransferRequested;
import io.tidemark.coordination.cluster.ClusterEvent.LogEndsAnswered;
import io.tidemark.coordination.cluster.ClusterEvent.ProducerIdsRequested;
import io.tidemark.coordination.cluster.ClusterEvent.TopicConfigsRequested;
import io.tidemark.coordination.cluster.ClusterEvent.TopicCreationRequested;
import io.tidemark.coordination.cluster.ClusterEvent.TopicDeletionRequested;
import io.tidemark.coordination.cluster.IsrProposal.ProposedMember;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate.DeletedTopic;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cluster that chance drives: brokers, their disks and records, ZooKeeper, and controllers that die between writes. */
final class RandomCluster {
    private static final int BROKERS = 4;

    private final Random random;
    private final ClusterMachine machine = new ClusterMachine(ClusterFixture.settings());
    private final StoreModel store = new StoreModel();
    private final ReplicaModel replicas;
    private final RandomBrokers brokers;
    private final List<Supplier<ClusterEvent>> inbox = new ArrayList<>();
    private ClusterState state;
    private int controllerEpoch;
    private long lastToken;
    private final SortedMap<TopicPartition, IsrProposed> proposals = new TreeMap<>();
    private final SortedMap<String, Long> generationOfEntry = new TreeMap<>();

    RandomCluster(Random random) {
        this.random = random;
        this.replicas = new ReplicaModel(random);
        this.brokers = new RandomBrokers(random, BROKERS, replicas::loseDisk);
        this.state = store.load(++controllerEpoch);
        decide(new BrokersChanged(brokers.nodes()));
    }

    void step() {
        int dice = random.nextInt(100);
        if (dice < 14) {
            brokers.step();
        } else if (dice < 27) {
            decide(new BrokersChanged(brokers.nodes()));
        } else if (dice < 50) {
            deliver();
        } else if (dice < 65) {
            anyPartition().ifPresent(this::write);
        } else if (dice < 82) {
            anyPartition().ifPresent(this::propose);
        } else if (dice < 84) {
            replaceController();
        } else if (dice < 86) {
            anyPartition().ifPresent(this::damage);
        } else {
            decide(request(dice));
        }
    }

    /** Every fault ends: then every partition has a leader, and every in-sync set is whole again. */
    void healAndCheck() {
        brokers.heal(state.departures().keySet());
        decide(new BrokersChanged(brokers.nodes()));
        for (int round = 0; round < 3; round++) {
            while (!inbox.isEmpty()) {
                deliver();
            }
            for (PartitionState each : partitions()) {
                assertThat(each.hasLeader()).as("%s has a leader", each).isTrue();
                proposeAll(each);
            }
        }
        assertThat(state.isStarting()).isFalse();
        assertThat(state.questions()).isEmpty();
        assertThat(state.deletions()).isEmpty();
        partitions().forEach(each -> assertThat(each.isrIds()).hasSameSizeAs(each.replicas()));
    }

    private void deliver() {
        if (!inbox.isEmpty()) {
            decide(inbox.remove(random.nextInt(inbox.size())).get());
        }
    }

    private ClusterEvent request(int dice) {
        int id = brokers.any();
        long epoch = random.nextInt(10) == 0 ? 1 : brokers.epochInUse(id);
        if (dice < 88) {
            String name = "t" + random.nextInt(4);
            TopicSpec spec = new TopicSpec(name, 1 + random.nextInt(2), 1 + random.nextInt(BROKERS), configs());
            return new TopicCreationRequested(++lastToken, spec, new TopicId(1, lastToken), random.nextLong());
        } else if (dice < 89) {
            return new TopicDeletionRequested(++lastToken, "t" + random.nextInt(4));
        } else if (dice < 90) {
            return new TopicConfigsRequested(++lastToken, "t" + random.nextInt(4), configs());
        } else if (dice < 92) {
            return new ControlledShutdownRequested(++lastToken, id, epoch);
        } else if (dice < 93) {
            return new ClusterEvent.PreferredElectionDue();
        } else if (dice < 94) {
            return new ProducerIdsRequested(++lastToken, id, epoch);
        } else if (dice < 95) {
            long failed = brokers.epochInUse(id);
            brokers.halt(id);
            return new ClusterEvent.BrokerStorageFailed(id, failed);
        }
        return new LeaderTransferRequested(
                ++lastToken, anyPartition().map(PartitionState::partition).orElse(new TopicPartition("none", 0)), id);
    }

    private SortedMap<String, String> configs() {
        SortedMap<String, String> configs = new TreeMap<>();
        configs.put("min.insync.replicas", Integer.toString(1 + random.nextInt(3)));
        if (random.nextInt(6) == 0) {
            configs.put("unclean.leader.election.enable", "true");
        }
        return configs;
    }

    private List<PartitionState> partitions() {
        List<PartitionState> all = new ArrayList<>();
        store.topics().values().forEach(topic -> topic.partitions().values().forEach(each -> all.add(each.state())));
        return all;
    }

    private Optional<PartitionState> anyPartition() {
        List<PartitionState> all = partitions();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private boolean hasLeaderAtWork(PartitionState partition) {
        int leader = partition.leader();
        return partition.hasLeader() && brokers.isAlive(leader) && replicas.leads(partition, brokers.nonce(leader));
    }

    /**
     * A record is committed when every member confirmed or proposed has it, and acknowledged if those confirmed and not
     * proposed for removal are enough (DESIGN section 5).
     */
    private void write(PartitionState partition) {
        if (!hasLeaderAtWork(partition)) {
            return;
        }
        SortedSet<Integer> confirmed = new TreeSet<>(partition.isrIds());
        SortedSet<Integer> counted = new TreeSet<>(confirmed);
        boolean fetching = true;
        IsrProposed proposed = underWay(partition);
        if (proposed != null) {
            SortedSet<Integer> wanted = new TreeSet<>();
            for (ProposedMember member : proposed.proposal().members()) {
                wanted.add(member.brokerId());
                fetching &= brokers.epochInUse(member.brokerId()) == member.brokerEpoch();
            }
            confirmed.retainAll(wanted);
            counted.addAll(wanted);
        }
        if (fetching && counted.stream().allMatch(brokers::isAlive)) {
            replicas.produce(partition, counted, confirmed.size());
        } else {
            replicas.appendAlone(partition);
        }
    }

    /** The leader's proposal that nothing has released yet, or null. */
    private @Nullable IsrProposed underWay(PartitionState partition) {
        IsrProposed last = proposals.get(partition.partition());
        boolean open = last != null
                && last.proposal().topicId().equals(partition.topicId())
                && last.proposal().leaderEpoch() == partition.leaderEpoch()
                && last.proposal().partitionEpoch() == partition.partitionEpoch();
        return open ? last : null;
    }

    private void propose(PartitionState partition) {
        if (!hasLeaderAtWork(partition)) {
            return;
        }
        IsrProposed proposal = underWay(partition);
        if (proposal == null) {
            proposal = newProposal(partition);
            proposals.put(partition.partition(), proposal);
        }
        IsrProposed sent = proposal;
        if (random.nextInt(3) > 0) {
            // it comes late, or once more: whatever happened meanwhile must be noticed
            inbox.add(() -> sent);
        }
        if (random.nextInt(3) > 0) {
            decide(sent);
        }
    }

    private IsrProposed newProposal(PartitionState partition) {
        List<ProposedMember> members = new ArrayList<>();
        for (int id : partition.replicas()) {
            boolean follows = id == partition.leader() || (brokers.isAlive(id) && random.nextInt(3) > 0);
            if (follows) {
                replicas.catchUp(partition, id);
                members.add(new ProposedMember(id, brokers.epochInUse(id)));
            }
        }
        return proposal(partition, members);
    }

    private void proposeAll(PartitionState partition) {
        List<ProposedMember> members = new ArrayList<>();
        for (int id : partition.replicas()) {
            replicas.catchUp(partition, id);
            members.add(new ProposedMember(id, brokers.epochInUse(id)));
        }
        decide(proposal(partition, members));
    }

    private IsrProposed proposal(PartitionState partition, List<ProposedMember> members) {
        return new IsrProposed(
                ++lastToken,
                partition.leader(),
                brokers.epochInUse(partition.leader()),
                new IsrProposal(
                        partition.topicId(),
                        partition.partition(),
                        partition.leaderEpoch(),
                        partition.partitionEpoch(),
                        members));
    }

    /** A replica finds its log damaged; what is answered with a new leader epoch has it cut its log before its first fetch. */
    private void damage(PartitionState partition) {
        int id = partition.replicas().get(random.nextInt(partition.replicas().size()));
        if (!brokers.isAlive(id)) {
            return;
        }
        DamageReported report = new DamageReported(
                ++lastToken,
                id,
                brokers.epochInUse(id),
                partition.topicId(),
                partition.partition(),
                partition.leaderEpoch());
        decide(report);
        if (random.nextInt(3) == 0) {
            inbox.add(() -> report);
        }
        partitions().stream()
                .filter(now -> now.partition().equals(partition.partition()))
                .filter(now -> now.leaderEpoch() > partition.leaderEpoch() && now.leader() != id && now.hasLeader())
                .filter(now -> !now.inIsr(id) && now.eligible().stream().noneMatch(member -> member.brokerId() == id))
                .forEach(now -> replicas.cut(now, id));
    }

    private void replaceController() {
        inbox.clear();
        state = store.load(++controllerEpoch);
        decide(new BrokersChanged(brokers.nodes()));
    }

    private void decide(ClusterEvent event) {
        Decision decision = machine.decide(state, event);
        DecisionChecks.check(state, decision);
        assertThat(machine.decide(state, event).writes()).isEqualTo(decision.writes());
        if (!decision.writes().isEmpty() && random.nextInt(20) == 0) {
            commit(decision, random.nextInt(decision.writes().size()));
            replaceController();
            return;
        }
        commit(decision, decision.writes().size());
        state = decision.next();
        checkStore();
        decision.commands().forEach(this::carryOut);
    }

    private void commit(Decision decision, int count) {
        SortedSet<TopicPartition> lossy = new TreeSet<>();
        for (StateWrite write : decision.writes()) {
            if (write instanceof StateWrite.PutPartitionState put && isLossy(decision, put.state())) {
                lossy.add(put.state().partition());
            }
        }
        for (StateWrite write : decision.writes().subList(0, count)) {
            if (write instanceof StateWrite.PutPartitionState put) {
                PartitionState old = Objects.requireNonNull(
                                state.partition(put.state().partition()))
                        .state();
                onWritten(decision.next(), old, put.state(), lossy);
                put.state().isr().forEach(member -> checkEntry(decision.next(), old, member));
            }
            store.apply(write);
        }
    }

    /** An election of a process that died meanwhile and left its disk behind harms nobody: it never leads. */
    private void onWritten(
            ClusterState next, PartitionState old, PartitionState written, SortedSet<TopicPartition> lossy) {
        BrokerRegistration leader = next.registrations().get(written.leader());
        if (leader != null && brokers.isIntactSince(leader.id(), leader.brokerEpoch())) {
            replicas.onWritten(old, written, lossy);
        }
        for (int added : written.isrIds()) {
            BrokerRegistration registration = next.registrations().get(added);
            if (!old.inIsr(added)
                    && added != written.leader()
                    && registration != null
                    && brokers.isIntactSince(added, registration.brokerEpoch())) {
                replicas.onAdmitted(written, added);
            }
        }
    }

    private static boolean isLossy(Decision decision, PartitionState written) {
        return decision.notices().stream()
                .filter(notice ->
                        notice.kind() == Notice.Kind.RECOVERY_ELECTION || notice.kind() == Notice.Kind.UNCLEAN_ELECTION)
                .anyMatch(notice -> notice.text().startsWith(written.partition() + ":"));
    }

    /** An entry stands for one state of a disk, whoever wrote it and whatever was recorded of it (I11). */
    private void checkEntry(ClusterState next, PartitionState old, Member member) {
        BrokerRegistration registration = next.registrations().get(member.brokerId());
        if (registration != null
                && !old.isr().contains(member)
                && !old.eligible().contains(member)) {
            long generation = brokers.generationOfEpoch(registration.brokerEpoch());
            Long before = generationOfEntry.putIfAbsent(member.toString(), generation);
            assertThat(before == null ? generation : before)
                    .as("disk that entry %s stands for", member)
                    .isEqualTo(generation);
        }
    }

    private void checkStore() {
        ClusterState loaded = store.load(controllerEpoch);
        assertThat(loaded.topics()).isEqualTo(state.topics());
        assertThat(loaded.incarnations()).isEqualTo(state.incarnations());
        assertThat(loaded.deletions().keySet()).isEqualTo(state.deletions().keySet());
        assertThat(loaded.producerIds()).isEqualTo(state.producerIds());
    }

    private void carryOut(Command command) {
        if (command instanceof Command.PushFull || command instanceof Command.PushChanges) {
            tell(command);
        } else if (command instanceof Command.Identify ask) {
            int id = ask.at().id();
            inbox.add(() -> new IdentifyAnswered(id, ask.at().brokerEpoch(), brokers.identify(id)));
        } else if (command instanceof Command.DescribeLogEnds ask) {
            inbox.add(() -> logEnds(ask));
        } else if (command instanceof Command.StartTimer timer) {
            inbox.add(timer::event);
        }
    }

    private void tell(Command push) {
        for (PartitionState each : partitions()) {
            BrokerRegistration leader = state.reachable().get(each.leader());
            if (leader != null) {
                replicas.onTold(each, leader.processNonce());
            }
        }
        List<DeletedTopic> deleted = push instanceof Command.PushChanges changes
                ? changes.deletedTopics()
                : ClusterUpdates.full(state, 1).deletedTopics();
        for (DeletedTopic topic : deleted) {
            state.reachable()
                    .values()
                    .forEach(broker ->
                            inbox.add(() -> new DeletionApplied(broker.id(), broker.brokerEpoch(), topic.id())));
        }
    }

    private ClusterEvent logEnds(Command.DescribeLogEnds ask) {
        int id = ask.of().id();
        boolean answers =
                brokers.isAlive(id) && brokers.epochInUse(id) == ask.of().brokerEpoch();
        if (!answers || random.nextInt(10) == 0) {
            return new LogEndsAnswered(ask.round(), id, ask.of().brokerEpoch(), null);
        }
        SortedMap<TopicPartition, LogEnd> ends = new TreeMap<>();
        for (PartitionState each : partitions()) {
            if (ask.logs().containsKey(each.partition())) {
                ends.put(each.partition(), new LogEnd(0, replicas.length(each, id)));
            }
        }
        return new LogEndsAnswered(ask.round(), id, ask.of().brokerEpoch(), Collections.unmodifiableSortedMap(ends));
    }
}
