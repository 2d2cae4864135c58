package io.tidemark.replication;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogRegistry;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import io.tidemark.replication.partition.Advance;
import io.tidemark.replication.partition.DamageReport;
import io.tidemark.replication.partition.IsrProposal;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.ReplicaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process of broker 1: the shipped replica manager on real logs, and a record of all that it tells others. */
final class ReplicaBroker {
    static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(5);

    final ManualScheduler scheduler = new ManualScheduler(new ManualClock());
    final List<String> told = new ArrayList<>();
    final List<Proposed> proposed = new ArrayList<>();
    final List<Damaged> damages = new ArrayList<>();
    final List<KafkaStorageException> failures = new ArrayList<>();
    final LiveBrokers live = new LiveBrokers();
    final LogDirectories logs;

    /** The partition whose log cannot be opened, if there is one. */
    @Nullable
    TopicPartition broken;

    /** Of topics that are told from now on. */
    LogConfig config = LogConfig.DEFAULTS;

    final ReplicaManager manager;
    private final IsrProposals proposals;

    /** A proposal with the way to answer it. */
    record Proposed(IsrProposal proposal, Consumer<IsrChannel.Answer> answer) {}

    /** A report with the way to answer it. */
    record Damaged(DamageReport report, Consumer<ErrorCode> answer) {}

    ReplicaBroker(Files io, List<Path> directories) {
        logs = LogDirectories.load(
                io,
                scheduler,
                LogDirectories.Settings.of(directories, LogConfig.DEFAULTS),
                Runnable::run,
                LoadProgress.SILENT);
        PartitionTable partitions = new PartitionTable();
        IsrChannel channel = (proposal, answer) -> proposed.add(new Proposed(proposal, answer));
        proposals = new IsrProposals(channel, partitions, new Told(), scheduler, scheduler.clock());
        manager = new ReplicaManager(
                new ReplicaManager.LocalBroker(1, () -> 101),
                ReplicaSettings.DEFAULTS,
                new ReplicaManager.Storage(
                        new BreakingLogs(),
                        overrides -> config,
                        new HighWatermarkCheckpointer(io, directories),
                        CHECKPOINT_INTERVAL,
                        this::onStorageFailure),
                new ReplicaManager.Collaborators(
                        partitions,
                        new Told(),
                        new Told(),
                        proposals,
                        new DamageReports((report, answer) -> damages.add(new Damaged(report, answer))),
                        live),
                scheduler,
                scheduler.clock());
        manager.startup();
    }

    private void onStorageFailure(KafkaStorageException failure) {
        failures.add(failure);
        told.add("storage failure");
    }

    /** The logs, but for one that cannot be opened because of a bug. */
    private final class BreakingLogs implements LogRegistry {
        @Override
        public Optional<Log> find(TopicPartition partition) {
            return logs.find(partition);
        }

        @Override
        public Log open(TopicPartition partition, TopicId topicId, LogConfig settings) {
            if (partition.equals(broken)) {
                throw new IllegalStateException("a bug in " + partition);
            }
            return logs.open(partition, topicId, settings);
        }

        @Override
        public List<Log> logs() {
            return logs.logs();
        }

        @Override
        public List<Path> directories() {
            return logs.directories();
        }

        @Override
        public boolean delete(TopicPartition partition, TopicId topicId) {
            return logs.delete(partition, topicId);
        }

        @Override
        public void closeCleanly() {
            logs.closeCleanly();
        }
    }

    /** Writes down what it is told. */
    private final class Told implements Signals, FollowerAssignments {
        @Override
        public void appended(TopicPartition partition) {
            told.add("appended " + partition);
        }

        @Override
        public void advanced(TopicPartition partition, Advance advance) {
            if (advance.committed()) {
                told.add("advanced " + partition + " " + advance.highWatermark());
            }
            if (advance.proposal() != null) {
                send(advance.proposal());
            }
        }

        @Override
        public void followersMoved(TopicPartition partition) {
            told.add("followers moved " + partition);
        }

        @Override
        public void startMoved(TopicPartition partition) {
            told.add("start moved " + partition);
        }

        @Override
        public void ended(TopicPartition partition, ErrorCode error) {
            told.add("ended " + partition + " " + error);
        }

        @Override
        public void follow(Partition partition, int leaderId, Endpoint leaderPeer) {
            told.add("follow " + partition.partition() + " from " + leaderId + " at " + leaderPeer);
        }

        @Override
        public void unfollow(TopicPartition partition) {
            told.add("unfollow " + partition);
        }
    }

    void send(IsrProposal proposal) {
        proposals.send(proposal);
    }

    /** What was told since the last call. */
    List<String> news() {
        List<String> news = List.copyOf(told);
        told.clear();
        return news;
    }

    void changed(PartitionState... states) {
        manager.apply(update(false, states));
    }

    void full(PartitionState... states) {
        manager.apply(update(true, states));
    }

    Partition replica(TopicPartition partition) {
        return manager.find(partition).orElseThrow();
    }

    /** An update of controller 2 with brokers 1 to 3 alive. */
    static ClusterUpdate update(boolean full, PartitionState... states) {
        return new ClusterUpdate(full, brokers(1, 2, 3), 2, topics(states), List.of());
    }

    static List<TopicState> topics(PartitionState... states) {
        SortedMap<String, TopicState> topics = new TreeMap<>();
        for (PartitionState state : states) {
            String name = state.partition().topic();
            topics.merge(
                    name,
                    new TopicState(
                            name,
                            state.topicId(),
                            new TreeMap<>(),
                            new TreeMap<>(Map.of(state.partition().partition(), state))),
                    (known, added) -> known.with(state));
        }
        return List.copyOf(topics.values());
    }

    static SortedMap<Integer, BrokerRegistration> brokers(int... ids) {
        SortedMap<Integer, BrokerRegistration> brokers = new TreeMap<>();
        for (int id : ids) {
            brokers.put(id, registration(id, 100 + id));
        }
        return brokers;
    }

    static BrokerRegistration registration(int id, long brokerEpoch) {
        Endpoint peer = new Endpoint("peer" + id, 9_000 + id);
        return new BrokerRegistration(id, brokerEpoch, 0, peer, peer, peer, "", List.of(), -1);
    }
}
