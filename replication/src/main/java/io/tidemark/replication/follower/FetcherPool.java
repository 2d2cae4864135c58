package io.tidemark.replication.follower;

import io.tidemark.model.Endpoint;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.FollowerAssignments;
import io.tidemark.replication.partition.Partition;
import io.tidemark.runtime.EventLoops;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The fetchers of this broker: one for each leader and fetcher id, the id by the partition's name (S76). A fetcher lives
 * while it has partitions.
 *
 * <p>Thread-safe: everything happens on a loop, in the order in which it was asked for; nothing waits.
 */
public final class FetcherPool implements FollowerAssignments, AutoCloseable {
    private final FetcherConfig config;
    private final FetcherEnvironment environment;
    private final EventLoops.Loop loop;

    /** By leader, then fetcher id. */
    private final TreeMap<FetcherKey, Assigned> fetchers = new TreeMap<>();

    private final TreeMap<TopicPartition, FetcherKey> assignments = new TreeMap<>();

    private record FetcherKey(int leaderId, int fetcherId) implements Comparable<FetcherKey> {
        @Override
        public int compareTo(FetcherKey other) {
            int byLeader = Integer.compare(leaderId, other.leaderId);
            return byLeader != 0 ? byLeader : Integer.compare(fetcherId, other.fetcherId);
        }
    }

    private static final class Assigned {
        private final ReplicaFetcherThread fetcher;
        private final TreeSet<TopicPartition> partitions = new TreeSet<>();
        private Endpoint endpoint;

        private Assigned(ReplicaFetcherThread fetcher, Endpoint endpoint) {
            this.fetcher = fetcher;
            this.endpoint = endpoint;
        }
    }

    public FetcherPool(FetcherConfig config, FetcherEnvironment environment) {
        this.config = config;
        this.environment = environment;
        this.loop = environment.loops().open("replica-fetchers");
        environment.throttle().listen(() -> loop.execute(this::onThrottle));
    }

    @Override
    public void follow(Partition partition, int leaderId, Endpoint leaderPeer) {
        loop.execute(() -> assign(partition, leaderId, leaderPeer));
    }

    @Override
    public void unfollow(TopicPartition partition) {
        loop.execute(() -> unassign(partition));
    }

    /**
     * A registration of the broker was told, of a new life or with a new address: fetchers that copy from it reconnect at once,
     * whatever backoff they are in (grpc-java#6473).
     */
    public void leaderRegistered(int leaderId, Endpoint peer) {
        loop.execute(() -> {
            for (FetcherKey key : fetchers.keySet()) {
                if (key.leaderId == leaderId) {
                    moveTo(key, peer);
                }
            }
        });
    }

    /** Stops all fetchers; appends that run finish. What is asked for later does nothing. */
    @Override
    public void close() {
        loop.execute(() -> {
            fetchers.values().forEach(assigned -> assigned.fetcher.close());
            fetchers.clear();
            assignments.clear();
            loop.close();
        });
    }

    /** What may be asked for has changed. */
    private void onThrottle() {
        fetchers.values().forEach(assigned -> assigned.fetcher.lookAgain());
    }

    private void assign(Partition partition, int leaderId, Endpoint leaderPeer) {
        TopicPartition name = partition.partition();
        FetcherKey key = new FetcherKey(leaderId, fetcherId(name));
        FetcherKey before = assignments.put(name, key);
        if (before != null && !before.equals(key)) {
            release(before, name);
        }
        Assigned assigned = fetchers.get(key);
        if (assigned == null) {
            String loopName = "replica-fetcher-" + leaderId + "-" + key.fetcherId;
            assigned = new Assigned(
                    new ReplicaFetcherThread(loopName, leaderId, leaderPeer, config, environment), leaderPeer);
            fetchers.put(key, assigned);
        } else if (!assigned.endpoint.equals(leaderPeer)) {
            moveTo(key, leaderPeer);
        }
        assigned.partitions.add(name);
        assigned.fetcher.follow(partition);
    }

    private void unassign(TopicPartition partition) {
        FetcherKey key = assignments.remove(partition);
        if (key != null) {
            release(key, partition);
        }
    }

    private void release(FetcherKey key, TopicPartition partition) {
        Assigned assigned = fetchers.get(key);
        if (assigned == null) {
            return;
        }
        assigned.partitions.remove(partition);
        assigned.fetcher.unfollow(partition);
        if (assigned.partitions.isEmpty()) {
            fetchers.remove(key);
            assigned.fetcher.close();
        }
    }

    private void moveTo(FetcherKey key, Endpoint peer) {
        Assigned assigned = fetchers.get(key);
        if (assigned != null) {
            assigned.endpoint = peer;
            assigned.fetcher.leaderAt(peer);
        }
    }

    /** The same on every broker and in every run: String's hash is defined by its characters. */
    private int fetcherId(TopicPartition partition) {
        return Math.floorMod(31 * partition.topic().hashCode() + partition.partition(), config.fetchersPerLeader());
    }
}
