package io.tidemark.replication.partition;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/** One replica of this broker. */
public final class Partition {
    private final Log log;

    /**
     * @param localBrokerEpoch under which this broker is registered now; read without side effects
     * @param initialHighWatermark the checkpointed one; clamped to the log's bounds (S63)
     */
    public Partition(
            Log log,
            int localBrokerId,
            LongSupplier localBrokerEpoch,
            ReplicaSettings settings,
            long initialHighWatermark) {
        this.log = log;
    }

    public TopicPartition partition() {
        return log.partition();
    }

    public TopicId topicId() {
        return log.topicId();
    }

    public Log log() {
        return log;
    }

    /** What waiters compare their numbers with: one volatile read. */
    public PartitionView view() {
        log.partition();
        throw next();
    }

    /** The last state that was adopted. */
    public Optional<PartitionState> state() {
        log.partition();
        throw next();
    }

    /** Takes over what the controller decided. */
    public Became become(PartitionState state, long nowNs) {
        log.partition();
        throw next();
    }

    /** @param clientLeaderEpoch that the client knows, or -1 */
    public LeaderAppend appendAsLeader(ByteBuffer validatedBatches, int clientLeaderEpoch, Acks acks) {
        log.partition();
        throw next();
    }

    /** Fencing, divergence check, then progress, HW and ISR, in one locked step. Reads nothing. */
    public FollowerCount countFollowerFetch(FetchEntry entry, Follower follower, long nowNs) {
        log.partition();
        throw next();
    }

    public FollowerRead readForFollower(FetchEntry entry, int maxBytes, ReadRequest.Minimum minimum) {
        log.partition();
        throw next();
    }

    public ConsumerRead readForConsumer(ConsumerFetch.Entry entry, int maxBytes, ReadRequest.Minimum minimum) {
        log.partition();
        throw next();
    }

    /** The follower's session made a round in which its entry for this partition did not change. */
    public Advance onSessionRound(Follower follower, long nowNs) {
        log.partition();
        throw next();
    }

    /** Periodic: proposes to drop followers that lag (I22), and growth that had to wait. */
    public Advance checkIsr(long nowNs) {
        log.partition();
        throw next();
    }

    /** The proposal that is under way. */
    public Optional<IsrProposal> pendingProposal() {
        log.partition();
        throw next();
    }

    /** Appends what the leader sent (if anything), then takes over its log start and high watermark. */
    public FollowerStep appendAsFollower(int leaderEpoch, ReplicaFetch.Result result) {
        log.partition();
        throw next();
    }

    /** The leader answered that this log diverges. */
    public FollowerStep truncateAsFollower(int leaderEpoch, EpochEnd leaderEnd) {
        log.partition();
        throw next();
    }

    /** The leader answered OFFSET_OUT_OF_RANGE. */
    public FollowerStep restartAsFollower(int leaderEpoch, long leaderLogStart) {
        log.partition();
        throw next();
    }

    /** Where to fetch next; empty unless this replica follows. */
    public Optional<FollowerPosition> followerPosition() {
        log.partition();
        throw next();
    }

    /** The log's forced end has moved (sync mode). */
    public Advance onLocalForced() {
        log.partition();
        throw next();
    }

    /** @param clientLeaderEpoch that the client knows, or -1 */
    public OffsetLookup lookup(OffsetLookup.Which which, int clientLeaderEpoch) {
        log.partition();
        throw next();
    }

    /** Ends the role; what is asked from now on is answered with {@code error}. */
    public void stop(ErrorCode error) {
        Objects.requireNonNull(error);
    }

    private UnsupportedOperationException next() {
        return new UnsupportedOperationException(log.toString());
    }
}
