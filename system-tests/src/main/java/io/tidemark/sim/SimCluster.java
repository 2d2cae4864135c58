package io.tidemark.sim;

import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.Notice;
import io.tidemark.coordination.cluster.TopicSpec;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.produce.Produce;
import io.tidemark.sim.check.CheckSettings;
import io.tidemark.sim.check.Cleanup;
import io.tidemark.sim.check.RunChecks;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster on one thread: hosts with brokers, a network, a ZooKeeper, and a producer whose acknowledgements are the
 * oracle. What a test does to it are methods; time passes only in {@link #run} and {@link #await}.
 */
public final class SimCluster {
    /** The one topic of a run. */
    public static final TopicPartition PARTITION = new TopicPartition("sim", 0);

    private static final int CLIENT = 0;
    private static final int PRODUCE_TIMEOUT_MS = 2_000;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(3);
    private static final int BATCH_BYTES = 1_024;

    private final SimWorld world;
    private final SimSettings settings;
    private final SimNetwork network;
    private final SimZooKeeper zooKeeper;
    private final ProcessThreads client;
    private final SortedMap<Integer, SimStream> produces = new TreeMap<>();
    private final SortedMap<Integer, SimHost> hosts = new TreeMap<>();
    private final AckedRecords acked;
    private final RunChecks checks;
    private Cleanup cleanup = Cleanup.DELETE;

    public SimCluster(SimWorld world, int brokers, SimSettings settings) {
        this.world = world;
        this.settings = settings;
        this.network = new SimNetwork(world);
        this.zooKeeper = new SimZooKeeper(
                world.clock(),
                world.scheduler(),
                world.fork("zookeeper"),
                new SimZooKeeper.Settings(Duration.ofNanos(100_000), Duration.ofMillis(1), Duration.ofMillis(500)));
        this.client = new ProcessThreads(world, CLIENT, "client/" + CLIENT);
        SimSurroundings around = new SimSurroundings(world, settings, network, zooKeeper, hosts(), this::noticed);
        Watchdog watchdog = new Watchdog(world.scheduler(), Watchdog.PAUSE);
        for (int id = 1; id <= brokers; id++) {
            SimHost host = new SimHost(id, around, watchdog);
            hosts.put(id, host);
            produces.put(id, network.open(MessageKind.PRODUCE, client, host));
        }
        this.checks = new RunChecks(
                new ObservedCluster(hosts),
                zooKeeper.tree(),
                new CheckSettings(
                        settings.flushMode(),
                        settings.replica().truncation(),
                        CheckSettings.Unclean.FORBIDDEN,
                        partition -> cleanup),
                new ReplicaNotes(world)::changed);
        this.acked = new AckedRecords((offset, value) -> checks.isExcused(PARTITION, offset, value));
        zooKeeper.observe(checks.zooKeeperChanges());
        world.afterEach(checks::afterEvent);
    }

    /** Its time, chance and trace. */
    public SimWorld world() {
        return world;
    }

    SimSettings settings() {
        return settings;
    }

    /** What carries its messages. */
    public SimNetwork network() {
        return network;
    }

    public SimZooKeeper zooKeeper() {
        return zooKeeper;
    }

    /** Its machines, by broker id. */
    public SortedMap<Integer, SimHost> hosts() {
        return Collections.unmodifiableSortedMap(hosts);
    }

    /** What holds after each event, and what disasters excuse. */
    public RunChecks checks() {
        return checks;
    }

    /** What was acknowledged so far. */
    public AckedRecords acked() {
        return acked;
    }

    /** The machine of a broker, with the faults of its disk. */
    public SimHost machine(int id) {
        return host(id);
    }

    /** Starts a broker on its host's disk; nothing happens if it runs. */
    public void start(int id) {
        host(id).start();
    }

    /** The process dies; what it wrote is in the page cache. */
    public void crash(int id) {
        host(id).crash();
    }

    /** The process hands over what it leads, closes everything and ends; that takes its time. */
    public void stopCleanly(int id) {
        host(id).stop();
    }

    /** The machine loses power: what was not forced may be gone. */
    public void powerLoss(int id) {
        host(id).powerLoss();
        checks.powerLost(id);
    }

    /** The process dies, and its disk is empty. */
    public void wipe(int id) {
        host(id).wipe();
        checks.wiped(id);
    }

    /** One bit of a sealed segment of the broker's replica turns over; empty if it has none with anything in it. */
    public Optional<FlippedBit> flipBit(int id) {
        Optional<FlippedBit> flipped = host(id).flipBit(PARTITION);
        flipped.ifPresent(bit -> checks.damaged(id, PARTITION, bit.batchOffset()));
        return flipped;
    }

    /** The process stops in its tracks, as by SIGSTOP; what it has promised to others goes on without it. */
    public void pause(int id) {
        SimProcess process = host(id).occupant();
        if (process != null) {
            world.note("pause broker " + id);
            process.pause();
        }
    }

    /** A process that was paused goes on. */
    public void resume(int id) {
        SimProcess process = host(id).occupant();
        if (process != null) {
            world.note("resume broker " + id);
            process.resume();
        }
    }

    /** The clock of the broker's process is faster by so many millionths from now on, or slower. */
    public void driftClock(int id, int ppm) {
        SimProcess process = host(id).occupant();
        if (process != null) {
            world.note("the clock of broker " + id + " drifts by " + ppm + " ppm");
            process.threads().driftPpm(ppm);
        }
    }

    public boolean isRunning(int id) {
        return host(id).occupant() != null;
    }

    /** Whether the broker's process was asked to stop, and has not yet. */
    public boolean isStopping(int id) {
        SimProcess process = host(id).occupant();
        return process != null && process.isStopping();
    }

    public List<Integer> brokerIds() {
        return List.copyOf(hosts.keySet());
    }

    /** Nothing passes between the two brokers any more. */
    public void cut(int a, int b) {
        world.note("cut " + a + " - " + b);
        network.cut(a, b);
        network.cut(b, a);
    }

    /** Nothing passes from the one broker to the other any more; the other way is as it was. */
    public void cutOneWay(int from, int to) {
        world.note("cut " + from + " -> " + to);
        network.cut(from, to);
    }

    /** The link from the one broker to the other has these faults from now on, and no others. */
    public void disturb(int from, int to, LinkFaults faults) {
        world.note(() -> "link " + from + " -> " + to + ": " + faults);
        network.faults(from, to, faults);
    }

    /** ZooKeeper ends the session of the broker. */
    public void expireSession(int id) {
        SimProcess process = host(id).occupant();
        if (process != null) {
            world.note("expire the session of broker " + id);
            zooKeeper.expire(process.zooKeeper().sessionId());
        }
    }

    /** ZooKeeper does what the broker asks next, and the answer is lost with the connection. */
    public void loseZooKeeperReply(int id) {
        SimProcess process = host(id).occupant();
        if (process != null) {
            world.note("lose ZooKeeper's next reply to broker " + id);
            process.zooKeeper().loseNextReply();
        }
    }

    /** All links, also those to ZooKeeper, and all disks are well again, and paused processes go on. */
    public void heal() {
        world.note("heal the network");
        network.healAll();
        hosts.values().forEach(SimHost::mendDisk);
        hosts.keySet().forEach(this::resumeIfPaused);
        hosts.values().forEach(host -> {
            SimProcess process = host.occupant();
            if (process != null) {
                process.zooKeeper().heal();
            }
        });
    }

    private void resumeIfPaused(int id) {
        SimProcess process = host(id).occupant();
        if (process != null && process.threads().isPaused()) {
            resume(id);
        }
    }

    /** The broker cannot reach ZooKeeper any more. */
    public void cutFromZooKeeper(int id) {
        SimProcess process = host(id).occupant();
        if (process != null) {
            world.note("cut broker " + id + " from ZooKeeper");
            process.zooKeeper().cut();
        }
    }

    /** Lets time pass event by event, with the invariants checked after each. */
    public void run(Duration duration) {
        world.run(duration);
    }

    /** Lets time pass until the condition holds; throws with the end of the trace if it does not within {@code limit}. */
    public void await(String what, BooleanSupplier condition, Duration limit) {
        if (!world.runUntil(condition, limit)) {
            List<String> trace = world.trace();
            throw new IllegalStateException("waited in vain for: " + what + System.lineSeparator()
                    + String.join(System.lineSeparator(), trace.subList(Math.max(0, trace.size() - 40), trace.size())));
        }
    }

    /** Creates the topic with one partition on all brokers. */
    public void createTopic(int minInsyncReplicas) {
        createTopic(minInsyncReplicas, new TreeMap<>());
    }

    /** Creates the topic with one partition on all brokers, with further settings. */
    public void createTopic(int minInsyncReplicas, SortedMap<String, String> overrides) {
        createTopic(1, minInsyncReplicas, overrides);
    }

    /** Creates the topic with so many partitions on all brokers, with further settings. */
    public void createTopic(int partitions, int minInsyncReplicas, SortedMap<String, String> overrides) {
        SortedMap<String, String> configs = new TreeMap<>(overrides);
        configs.put("min.insync.replicas", Integer.toString(minInsyncReplicas));
        createTopic(new TopicSpec(PARTITION.topic(), partitions, hosts.size(), configs));
    }

    /** Creates the topic, on fewer brokers than there are. */
    public void createTopic(TopicSpec spec) {
        boolean compacts = spec.configs().getOrDefault("cleanup.policy", "").contains("compact");
        cleanup = compacts ? Cleanup.COMPACT : Cleanup.DELETE;
        TopicId id = TopicId.random(world.fork("topic"));
        ask(token -> new ClusterEvent.TopicCreationRequested(token, spec, id, 0));
        await("the topic has a leader", () -> leader().isPresent(), Duration.ofSeconds(30));
    }

    /** Moves the leadership to another member of the ISR. */
    public void transferLeader(int to) {
        world.note("transfer leadership to " + to);
        ask(token -> new ClusterEvent.LeaderTransferRequested(token, PARTITION, to));
    }

    /** Asks every broker; the one that is the controller does it. */
    void ask(LongFunction<ClusterEvent.Request> request) {
        for (SimHost host : hosts.values()) {
            SimProcess process = host.process();
            if (process != null) {
                process.threads().enter(() -> process.ask(request, this::onControllerAnswer));
            }
        }
    }

    private void onControllerAnswer(Answer answer) {
        boolean notMine = answer instanceof Answer.Refused refused && refused.error() == ErrorCode.NOT_CONTROLLER;
        if (!notMine) {
            world.note(() -> "controller answers " + answer);
        }
    }

    /** The running broker that leads in the highest leader epoch, if any does. */
    public Optional<Integer> leader() {
        int leader = -1;
        int epoch = -1;
        for (SimHost host : hosts.values()) {
            Partition partition = partitionOf(host.id()).orElse(null);
            if (partition != null && partition.view().leadsIn(partition.view().leaderEpoch())) {
                if (partition.view().leaderEpoch() > epoch) {
                    leader = host.id();
                    epoch = partition.view().leaderEpoch();
                }
            }
        }
        return leader < 0 ? Optional.empty() : Optional.of(leader);
    }

    /** The replica on a running broker. */
    public Optional<Partition> partitionOf(int id) {
        SimProcess process = host(id).process();
        return process == null
                ? Optional.empty()
                : process.replication().replicas().find(PARTITION);
    }

    /** By running broker: how often its process cut a log below the high watermark. */
    SortedMap<Integer, Long> cutsBelowHighWatermark() {
        SortedMap<Integer, Long> cuts = new TreeMap<>();
        for (SimHost host : hosts.values()) {
            SimProcess process = host.process();
            if (process != null) {
                cuts.put(host.id(), process.replication().replicas().belowHighWatermarkCuts());
            }
        }
        return cuts;
    }

    /** A controller decided something. */
    void noticed(Notice notice) {
        world.note(() -> "controller: " + notice.kind() + ": " + notice.text());
    }

    /** The size of the in-sync set as ZooKeeper has it, by the leader's own knowledge: all brokers have caught up. */
    public boolean allCaughtUp() {
        Optional<Integer> leader = leader();
        if (leader.isEmpty()) {
            return false;
        }
        long end = partitionOf(leader.get()).orElseThrow().log().end().offset();
        return hosts.keySet().stream()
                .allMatch(id -> partitionOf(id)
                        .map(partition -> partition.log().end().offset() == end
                                && partition.view().highWatermark() == end)
                        .orElse(false));
    }

    /** Heals and restarts everything, waits until all replicas have caught up, and compares them and the oracle. */
    public void healAndVerify(Duration limit) {
        heal();
        await("processes that stop are gone", () -> brokerIds().stream().noneMatch(this::isStopping), limit);
        brokerIds().stream().filter(id -> !isRunning(id)).forEach(this::start);
        await("all replicas have caught up", this::allCaughtUp, limit);
        run(Duration.ofSeconds(2));
        checks.compareReplicas();
    }

    /** A broker says for acks=all that it has the record: from now on it may not be lost. */
    public void acknowledging(int brokerId, TopicPartition partition, long offset, String value) {
        world.note(() -> "broker " + brokerId + " acknowledges " + value + "@" + offset + " of " + partition);
        checks.acknowledged(brokerId, partition, offset, value);
        if (partition.equals(PARTITION)) {
            acked.add(offset, value);
        }
    }

    /** Sends one record with acks=all to that broker; its acknowledgement, if it comes, is remembered. */
    public void produce(int to, String value) {
        world.note("produce " + value + " to broker " + to);
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, BATCH_BYTES, BATCH_BYTES);
        builder.tryAppend(
                world.clock().wallMs(), null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)), List.of());
        ByteBuffer batch = builder.build(ProducerStamp.NONE);
        Produce.Request request =
                new Produce.Request(Acks.ALL, PRODUCE_TIMEOUT_MS, List.of(new Produce.Part(PARTITION, -1, batch)));
        stream(to)
                .<List<Produce.Result>>call(
                        CALL_TIMEOUT, reply -> serve(to, value, request, reply), results -> onProduced(value, results));
    }

    private void serve(
            int broker, String value, Produce.Request request, Consumer<@Nullable List<Produce.Result>> reply) {
        SimProcess process = host(broker).running();
        if (!process.servesClients()) {
            reply.accept(null);
            return;
        }
        var unused = process.replication().produces().produce(request, results -> {
            onAnswered(broker, value, results);
            reply.accept(results);
        });
    }

    private void onAnswered(int broker, String value, List<Produce.Result> results) {
        Produce.Result result = results.get(0);
        if (result.error() == ErrorCode.NONE) {
            checks.acknowledged(broker, PARTITION, result.baseOffset(), value);
        }
    }

    private SimStream stream(int to) {
        return Objects.requireNonNull(produces.get(to));
    }

    private void onProduced(String value, @Nullable List<Produce.Result> results) {
        if (results == null) {
            world.note("no answer for " + value);
            return;
        }
        Produce.Result result = results.get(0);
        if (result.error() == ErrorCode.NONE) {
            world.note("acknowledged " + value + "@" + result.baseOffset());
            acked.add(result.baseOffset(), value);
        } else {
            world.note("refused " + value + ": " + result.error());
        }
    }

    private SimHost host(int id) {
        SimHost host = hosts.get(id);
        if (host == null) {
            throw new IllegalArgumentException("no broker " + id);
        }
        return host;
    }
}
