package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.log.Log;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.LeaderChannel;
import io.tidemark.replication.fetch.FetchSettings;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.fetch.TestBroker;
import io.tidemark.replication.fetch.TestLogs;
import io.tidemark.replication.partition.Became;
import io.tidemark.replication.partition.IsrProposal;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brokers with the shipped handlers, partitions and fetchers on one thread, channels that call the other broker, and the
 * least of a controller: it elects whom a test names and grants every proposal that fits the state.
 */
final class TestCluster {
    static final TopicId TOPIC = TestLogs.TOPIC_ID;

    private static final FetcherConfig FETCHERS = new FetcherConfig(
            Duration.ofMillis(500), 1, 1 << 16, 1 << 20, Duration.ofMillis(20), Duration.ofSeconds(1), 2);

    private final ManualEventLoops loops = new ManualEventLoops(new ManualScheduler(new ManualClock(0, 0)));
    private final EventLoops.Loop network = loops.open("network");
    private final TreeMap<Integer, TestLogs> disks = new TreeMap<>();
    private final TreeMap<Integer, Life> lives = new TreeMap<>();
    private final TreeMap<TopicPartition, PartitionState> states = new TreeMap<>();
    private final List<DirectChannel> channels = new ArrayList<>();
    private final FollowerFlush flush;
    private long nextBrokerEpoch = 100;
    private int channelsOpened;

    /** A broker's process. */
    private record Life(TestBroker broker, FetcherPool pool, ReplicationLagMetrics metrics, LifeScheduler scheduler) {}

    /** The timers of one process: they end with it. */
    private static final class LifeScheduler implements Scheduler {
        private final Scheduler scheduler;
        private boolean over;

        private LifeScheduler(Scheduler scheduler) {
            this.scheduler = scheduler;
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            return scheduler.schedule(delay, () -> runIfAlive(task));
        }

        @Override
        public Cancellable scheduleEvery(Duration period, Runnable task) {
            return scheduler.scheduleEvery(period, () -> runIfAlive(task));
        }

        private void runIfAlive(Runnable task) {
            if (!over) {
                task.run();
            }
        }
    }

    TestCluster(FollowerFlush flush) {
        this.flush = flush;
    }

    /** A new process of the broker over the logs that it has. */
    void start(int id) {
        TestBroker broker =
                new TestBroker(id, nextBrokerEpoch++, loops, FetchSettings.DEFAULTS, loops.open("wake-ups"));
        ReplicationLagMetrics metrics = new ReplicationLagMetrics(new SimpleMeterRegistry());
        FetcherEnvironment environment = new FetcherEnvironment(
                (leaderId, peer) -> open(id, leaderId),
                loops,
                loops.scheduler().clock(),
                new SeededRandomness(id),
                broker::asFollower,
                flush,
                broker.storageLatch(),
                broker.throttle(),
                metrics);
        LifeScheduler scheduler = new LifeScheduler(loops.scheduler());
        TestLogs logs = disks.get(id);
        if (logs == null) {
            disks.put(id, new TestLogs(scheduler));
        } else {
            logs.restart(scheduler);
            // The high watermark was never checkpointed.
            logs.all().forEach(log -> broker.add(log, log.startOffset()));
        }
        lives.put(id, new Life(broker, new FetcherPool(FETCHERS, environment), metrics, scheduler));
        states.values().forEach(state -> push(id, state));
        settle();
    }

    /** The process dies; what it appended stays in its logs. */
    void kill(int id) {
        Life life = lives.remove(id);
        life.pool.close();
        life.scheduler.over = true;
        List.copyOf(channels).stream()
                .filter(channel -> channel.to == id || channel.from == id)
                .forEach(channel -> {
                    channels.remove(channel);
                    channel.breakOff();
                });
        loops.runAll();
    }

    /** Gives brokers a replica of the partition; nobody leads yet. */
    void create(TopicPartition partition, Integer... ids) {
        for (int id : ids) {
            broker(id).add(disks.get(id).open(partition), 0);
        }
        List<Member> none = List.of();
        states.put(
                partition,
                new PartitionState(TOPIC, partition, PartitionState.NO_LEADER, 0, 0, List.of(ids), none, none, 1, 1));
    }

    /** Makes the broker leader in a new epoch with that in-sync set. */
    void elect(TopicPartition partition, int leader, Integer... isr) {
        PartitionState before = states.get(partition);
        write(before, leader, before.leaderEpoch() + 1, members(List.of(isr)));
        settle();
    }

    private static List<Member> members(List<Integer> ids) {
        return ids.stream().map(id -> new Member(id, 1)).toList();
    }

    private void write(PartitionState before, int leader, int leaderEpoch, List<Member> isr) {
        PartitionState state = new PartitionState(
                TOPIC,
                before.partition(),
                leader,
                leaderEpoch,
                before.partitionEpoch() + 1,
                before.replicas(),
                isr,
                List.of(),
                before.effectiveMinIsr(),
                1);
        states.put(before.partition(), state);
        List.copyOf(lives.keySet()).forEach(id -> push(id, state));
    }

    /** What a replica manager does with a state. */
    private void push(int id, PartitionState state) {
        Life life = lives.get(id);
        if (life.broker.find(state.partition()).isEmpty() || !state.hasLeader()) {
            return;
        }
        Became became = life.broker.become(state);
        if (became.change() == Became.Change.FOLLOWER) {
            life.pool.follow(life.broker.partition(state.partition()), state.leader(), endpoint(state.leader()));
        } else if (became.change() == Became.Change.LEADER) {
            life.pool.unfollow(state.partition());
        }
    }

    /** Runs everything that needs no time to pass, proposals included. */
    void settle() {
        boolean quiet = false;
        while (!quiet) {
            loops.runAll();
            quiet = true;
            for (int id : List.copyOf(lives.keySet())) {
                for (IsrProposal proposal : lives.get(id).broker.takeProposals()) {
                    quiet = false;
                    decide(proposal);
                }
            }
        }
    }

    private void decide(IsrProposal proposal) {
        PartitionState state = states.get(proposal.partition());
        if (proposal.leaderEpoch() == state.leaderEpoch() && proposal.partitionEpoch() == state.partitionEpoch()) {
            List<Integer> ids = proposal.members().stream()
                    .map(IsrProposal.ProposedMember::brokerId)
                    .toList();
            write(state, state.leader(), state.leaderEpoch(), members(ids));
        }
    }

    /** Lets time pass in small steps. */
    void advance(Duration duration) {
        for (long ms = 0; ms < duration.toMillis(); ms += 10) {
            loops.advance(Duration.ofMillis(10));
            settle();
        }
    }

    /** The leader of each partition looks at its in-sync set. */
    void checkIsr() {
        for (PartitionState state : List.copyOf(states.values())) {
            Life life = lives.get(state.leader());
            if (life != null) {
                TestBroker broker = life.broker;
                broker.signals()
                        .advanced(
                                state.partition(),
                                broker.partition(state.partition()).checkIsr(broker.nowNs()));
            }
        }
        settle();
    }

    TestBroker broker(int id) {
        return lives.get(id).broker;
    }

    FetcherPool pool(int id) {
        return lives.get(id).pool;
    }

    ReplicationLagMetrics metrics(int id) {
        return lives.get(id).metrics;
    }

    boolean isUp(int id) {
        return lives.containsKey(id);
    }

    PartitionState state(TopicPartition partition) {
        return states.get(partition);
    }

    int channelsOpened() {
        return channelsOpened;
    }

    int channelsOpen() {
        return channels.size();
    }

    ManualEventLoops loops() {
        return loops;
    }

    /** The log of a broker that is up. */
    Log log(int id, TopicPartition partition) {
        return broker(id).partition(partition).log();
    }

    /** A bit of the first segment changes on the broker's disk. */
    void flip(int id, TopicPartition partition, int position) {
        disks.get(id).flip(partition, position);
    }

    /** From now on the broker's appends fail. */
    void fillDisk(int id) {
        disks.get(id).fillDisk();
    }

    /** The second half of what a broker that is down had in its first segment is gone. */
    void loseHalf(int id, TopicPartition partition) {
        disks.get(id).loseHalf(partition);
    }

    /** The batches of a replica as base and last offset, epoch and checksum. */
    List<String> batches(int id, TopicPartition partition) {
        return TestLogs.batches(log(id, partition)).stream()
                .map(batch -> batch.baseOffset() + ".." + batch.lastOffset() + " e" + batch.partitionLeaderEpoch() + " "
                        + batch.crc())
                .toList();
    }

    void assertNothingFailed() {
        lives.values().forEach(life -> {
            life.broker.assertNothingFailed();
            assertThat(life.broker.storageFailures()).isEmpty();
        });
    }

    static Endpoint endpoint(int id) {
        return new Endpoint("broker-" + id, 9_000 + id);
    }

    private LeaderChannel open(int from, int to) {
        channelsOpened++;
        DirectChannel channel = new DirectChannel(from, to);
        channels.add(channel);
        return channel;
    }

    private final class DirectChannel implements LeaderChannel {
        private final int from;
        private final int to;
        private @Nullable Consumer<ReplicaFetch.Answer> outstanding;
        private Cancellable atLeader = () -> {};

        private DirectChannel(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public void fetch(ReplicaFetch.Request request, Consumer<ReplicaFetch.Answer> answer) {
            assertThat(outstanding).as("one request is outstanding at a time").isNull();
            outstanding = answer;
            network.execute(() -> {
                if (!channels.contains(this) || !lives.containsKey(to)) {
                    answer(answer, ReplicaFetch.Answer.failed(ErrorCode.BROKER_NOT_AVAILABLE));
                } else {
                    atLeader = broker(to)
                            .fetchHandler()
                            .fetchAsReplica(request, reply -> network.execute(() -> answer(answer, reply)));
                }
            });
        }

        private void answer(Consumer<ReplicaFetch.Answer> to, ReplicaFetch.Answer reply) {
            if (outstanding == to) {
                outstanding = null;
                to.accept(reply);
            }
        }

        private void breakOff() {
            atLeader.cancel();
            Consumer<ReplicaFetch.Answer> waiting = outstanding;
            if (waiting != null) {
                answer(waiting, ReplicaFetch.Answer.failed(ErrorCode.BROKER_NOT_AVAILABLE));
            }
        }

        @Override
        public void close() {
            if (channels.remove(this)) {
                breakOff();
            }
        }
    }
}
