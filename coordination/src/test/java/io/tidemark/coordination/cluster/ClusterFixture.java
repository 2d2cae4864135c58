package io.tidemark.coordination.cluster;

import io.tidemark.coordination.cluster.ClusterEvent.BrokersChanged;
import io.tidemark.coordination.cluster.ClusterEvent.IdentifyAnswered;
import io.tidemark.coordination.cluster.ClusterEvent.IsrProposed;
import io.tidemark.coordination.cluster.ClusterEvent.TopicCreationRequested;
import io.tidemark.coordination.cluster.IsrProposal.ProposedMember;
import io.tidemark.core.config.TopicDefaults;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** A cluster in a test's hands: brokers 1, 2, 3, ... with directory "dir-ID"; every decision is checked as it is made. */
final class ClusterFixture {
    static final TopicPartition PARTITION = new TopicPartition("t", 0);
    static final TopicId TOPIC_ID = new TopicId(7, 7);
    static final long TOKEN = 99;

    private final TreeMap<Integer, BrokerRegistration> nodes = new TreeMap<>();
    private SafetyRules rules = SafetyRules.ALL;
    private ClusterState state;
    private long lastEpoch = 100;

    private ClusterFixture(ClusterState state) {
        this.state = state;
    }

    static ClusterSettings settings() {
        return new ClusterSettings(
                Duration.ofSeconds(6), Duration.ofSeconds(1), 1_000, new TopicDefaults(1, 1, 1, false));
    }

    /** A running controller, epoch 1, with brokers 1 to {@code count} in incarnation 1. */
    static ClusterFixture ofBrokers(int count) {
        ClusterFixture cluster =
                new ClusterFixture(ClusterState.loaded(1, List.of(), List.of(), List.of(), NextProducerIds.NONE));
        for (int id = 1; id <= count; id++) {
            cluster.nodes.put(id, cluster.registration(id, 1, BrokerRegistration.PROVES_NOTHING));
        }
        cluster.brokersChanged();
        return cluster;
    }

    /** As {@link #ofBrokers}, with topic "t", partition 0 on brokers 1 to {@code replicas}, led by broker 1. */
    static ClusterFixture withTopic(int replicas, int minIsr, String... configs) {
        ClusterFixture cluster = ofBrokers(replicas);
        SortedMap<String, String> overrides = new TreeMap<>();
        overrides.put("min.insync.replicas", Integer.toString(minIsr));
        for (String config : configs) {
            overrides.put(config.substring(0, config.indexOf('=')), config.substring(config.indexOf('=') + 1));
        }
        cluster.on(new TopicCreationRequested(TOKEN, new TopicSpec("t", 1, replicas, overrides), TOPIC_ID, 0));
        return cluster;
    }

    /** From now on decisions are made without these rules; what the rules promise is not checked then. */
    ClusterFixture without(SafetyRule... waived) {
        rules = SafetyRules.without(waived);
        return this;
    }

    Decision on(ClusterEvent event) {
        Decision decision = new ClusterMachine(settings().withRules(rules)).decide(state, event);
        if (rules.equals(SafetyRules.ALL)) {
            DecisionChecks.check(state, decision);
        }
        state = decision.next();
        return decision;
    }

    ClusterState state() {
        return state;
    }

    PartitionState partition() {
        return Objects.requireNonNull(state.partition(PARTITION)).state();
    }

    BrokerRegistration node(int id) {
        return Objects.requireNonNull(nodes.get(id));
    }

    BrokerRegistration registration(int id, long nonce, long continues) {
        Endpoint endpoint = new Endpoint("broker-" + id, 9_000);
        return new BrokerRegistration(
                id, ++lastEpoch, nonce, endpoint, endpoint, endpoint, "", List.of("dir-" + id), continues);
    }

    Decision brokersChanged() {
        return on(new BrokersChanged(nodes));
    }

    /** The node goes; nobody has been asked yet. */
    BrokerRegistration vanish(int id) {
        BrokerRegistration gone = node(id);
        nodes.remove(id);
        brokersChanged();
        return gone;
    }

    /** The node goes and nobody answers. */
    Decision lose(int id) {
        BrokerRegistration gone = vanish(id);
        return on(new IdentifyAnswered(id, gone.brokerEpoch(), OptionalLong.empty()));
    }

    /** The same process has a new node, after a session's expiry. */
    Decision returnSameProcess(int id) {
        BrokerRegistration last = recorded(id);
        return register(registration(id, last.processNonce(), last.brokerEpoch()));
    }

    /** Another process has a node and proves the same logs. */
    Decision restart(int id) {
        BrokerRegistration last = recorded(id);
        return register(registration(id, last.processNonce() + 1, last.brokerEpoch()));
    }

    /** Another process has a node and proves nothing. */
    Decision restartWithoutProof(int id) {
        return register(registration(id, recorded(id).processNonce() + 1, BrokerRegistration.PROVES_NOTHING));
    }

    Decision register(BrokerRegistration registration) {
        nodes.put(registration.id(), registration);
        return brokersChanged();
    }

    /** The leader proposes these members, each under the epoch of its node. */
    Decision propose(Integer... ids) {
        return propose(Arrays.stream(ids)
                .map(id -> new ProposedMember(id, nodes.containsKey(id) ? node(id).brokerEpoch() : -1))
                .toList());
    }

    Decision propose(List<ProposedMember> members) {
        PartitionState now = partition();
        return propose(new IsrProposal(TOPIC_ID, PARTITION, now.leaderEpoch(), now.partitionEpoch(), members));
    }

    Decision propose(IsrProposal proposal) {
        int leader = partition().leader();
        return on(new IsrProposed(TOKEN, leader, node(leader).brokerEpoch(), proposal));
    }

    /** The controller dies and another one starts from what is in ZooKeeper; it has not seen any broker yet. */
    void newController() {
        state = ClusterState.loaded(
                state.controllerEpoch() + 1,
                state.incarnations().values(),
                state.topics().values(),
                state.deletions().values().stream().map(Deletion::topic).toList(),
                state.producerIds());
    }

    /** Removes a node without telling the controller. */
    void removeNode(int id) {
        nodes.remove(id);
    }

    /** Puts a node without telling the controller. */
    void putNode(BrokerRegistration registration) {
        nodes.put(registration.id(), registration);
    }

    BrokerRegistration recorded(int id) {
        return Objects.requireNonNull(state.incarnations().get(id)).registration();
    }

    static Answer answer(Decision decision) {
        return all(decision, Command.Reply.class).get(0).answer();
    }

    static <T> List<T> all(Decision decision, Class<T> kind) {
        return decision.commands().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    static <T> List<T> writes(Decision decision, Class<T> kind) {
        return decision.writes().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    static List<Notice.Kind> notices(Decision decision) {
        return decision.notices().stream().map(Notice::kind).toList();
    }

    /** Entries as "id#incarnation". */
    static List<Member> members(String... entries) {
        List<Member> members = new ArrayList<>();
        for (String entry : entries) {
            int split = entry.indexOf('#');
            members.add(new Member(
                    Integer.parseInt(entry.substring(0, split)), Long.parseLong(entry.substring(split + 1))));
        }
        return members;
    }
}
