package io.tidemark.sim.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.Wire;
import io.tidemark.client.producer.ProducerConfig.Idempotence;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.Acks;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.sim.SimCluster;
import io.tidemark.sim.SimHost;
import io.tidemark.sim.SimProcess;
import io.tidemark.sim.SimSettings;
import io.tidemark.sim.SimUpkeep;
import io.tidemark.sim.SimWorld;
import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.ClientPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Three brokers with a topic of three partitions, created as an operator does, and time that passes when a test says so. */
final class ClientRun {
    static final String TOPIC = SimCluster.PARTITION.topic();
    static final int PARTITIONS = 3;
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int BROKERS = 3;
    private static final int OPERATOR = 2_000;
    private static final Duration SESSION = Duration.ofSeconds(2);
    private static final Duration LAG = Duration.ofMillis(800);
    private static final Duration CHECKPOINT = Duration.ofMillis(500);

    final SimWorld world;
    final SimCluster cluster;
    final ClientSite site;

    ClientRun(long seed) {
        this(seed, Trace.lastLines(60));
    }

    ClientRun(long seed, Trace trace) {
        this.world = new SimWorld(seed, trace);
        ReplicaSettings replica = new ReplicaSettings(LAG, TruncationMode.LEADER_EPOCH, FlushMode.ASYNC);
        this.cluster =
                new SimCluster(world, BROKERS, new SimSettings(replica, SESSION, CHECKPOINT, SimUpkeep.DEFAULTS));
        this.site = new ClientSite(world, cluster.network(), cluster.hosts(), cluster::acknowledging);
    }

    /** All brokers run and follow. */
    ClientRun started() {
        cluster.brokerIds().forEach(cluster::start);
        cluster.await("brokers know their controller", this::isControllerKnown, PATIENCE);
        SortedMap<String, String> configs = new TreeMap<>();
        configs.put("min.insync.replicas", "2");
        Reply<String> created = ask((broker, answer) ->
                broker.createTopic(new Wire.TopicCreation(TOPIC, PARTITIONS, BROKERS, configs), answer));
        assertThat(created).isInstanceOf(Reply.Value.class);
        for (int number = 0; number < PARTITIONS; number++) {
            int partition = number;
            cluster.await("partition " + number, () -> leader(partition).isPresent(), PATIENCE);
        }
        cluster.run(Duration.ofSeconds(1));
        return this;
    }

    private boolean isControllerKnown() {
        return site.hosts().values().stream()
                .map(SimHost::process)
                .allMatch(
                        process -> process != null && process.metadata().view().controllerId() >= 0);
    }

    /** A question of an operator to a broker. */
    interface Question<T> {
        void ask(BrokerConnection broker, Consumer<Reply<T>> answer);
    }

    /** What the first broker answers. */
    <T> Reply<T> ask(Question<T> question) {
        return ask(cluster.brokerIds().get(0), question);
    }

    /** What that broker answers. */
    <T> Reply<T> ask(int brokerId, Question<T> question) {
        ClientLife operator = new ClientLife(site, OPERATOR, 1);
        List<Reply<T>> answers = new ArrayList<>();
        question.ask(operator.transport().connect(host(brokerId).endpoint()), answers::add);
        cluster.await("an answer", () -> !answers.isEmpty(), PATIENCE);
        operator.die();
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private SimHost host(int id) {
        return Optional.ofNullable(site.hosts().get(id)).orElseThrow();
    }

    /** The broker that leads a partition, of the running ones. */
    Optional<Integer> leader(int partition) {
        for (int id : cluster.brokerIds()) {
            SimProcess process = host(id).process();
            boolean leads = process != null
                    && replica(process, partition)
                            .filter(replica -> replica.view().role() == PartitionView.Role.LEADER)
                            .isPresent();
            if (leads) {
                return Optional.of(id);
            }
        }
        return Optional.empty();
    }

    /** Where the log of the partition's leader ends. */
    long endOf(int partition) {
        return replica(host(leader(partition).orElseThrow()).running(), partition)
                .orElseThrow()
                .log()
                .end()
                .offset();
    }

    private static Optional<Partition> replica(SimProcess process, int partition) {
        return process.replication().local().partition(new TopicPartition(TOPIC, partition));
    }

    /** The brokers beside one. */
    List<Integer> others(int id) {
        return cluster.brokerIds().stream().filter(other -> other != id).toList();
    }

    /** Everything is well again, and runs. */
    void heal() {
        cluster.heal();
        cluster.brokerIds().stream().filter(id -> !cluster.isRunning(id)).forEach(cluster::start);
    }

    static ClientPlan idempotent(int id, int partition) {
        return new ClientPlan(id, Acks.ALL, Idempotence.ON, partition, 40);
    }

    static ClientPlan plain(int id, Acks acks, int partition) {
        return new ClientPlan(id, acks, Idempotence.OFF, partition, 40);
    }

    /** Clients that live on, and nothing that reads beside the last reader. */
    static WorkloadSettings calm() {
        return WorkloadSettings.of(TOPIC, PARTITIONS).withoutDeaths().withConsumers(0);
    }

    /** Clients of that kind whose history is kept in memory alone. */
    Workload workload(WorkloadSettings settings, ClientPlan... plans) {
        return new Workload(site, settings, List.of(plans), event -> {}, ClientObserver.NONE);
    }
}
