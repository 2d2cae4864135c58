package io.tidemark.replication.partition;

import io.tidemark.core.log.AppendResult;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogClosedException;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.TimeSearch;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.Became.Change;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One replica of this broker: a log, at most one role, and the high watermark, which outlives roles (DESIGN section 5).
 *
 * <p>A shell around the pure {@link LeaderRole} and {@link FollowerRole}. Its one lock guards role and high watermark;
 * while it is held nothing is called but the log. Every method returns what happened, for the caller to act on. Appends
 * of a leader and all reads run outside the lock: the log itself refuses appends of an ended role, and a read is checked
 * against the published {@link #view()} before and after the bytes are copied. Thread-safe.
 *
 * <p>Every method that writes or reads the log may throw {@link io.tidemark.core.runtime.KafkaStorageException}; nothing
 * may be acknowledged then. A damaged batch is no such failure: whoever asks for it is told CORRUPT_MESSAGE, and everything
 * else is served (KAFKA-6834).
 */
public final class Partition {
    private final Log log;
    private final LogReads reads;
    private final int localBrokerId;
    private final LongSupplier localBrokerEpoch;
    private final boolean countsForcedEnds;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, but for what it has published. */
    private final Replica replica;

    /**
     * A replica without a role.
     *
     * @param localBrokerEpoch under which this broker is registered now; a plain read
     * @param initialHighWatermark the checkpointed one; held within the log's bounds (S63)
     */
    public Partition(
            Log log,
            int localBrokerId,
            LongSupplier localBrokerEpoch,
            ReplicaSettings settings,
            long initialHighWatermark) {
        this.log = log;
        this.reads = new LogReads(log, settings.rules());
        this.localBrokerId = localBrokerId;
        this.localBrokerEpoch = localBrokerEpoch;
        this.countsForcedEnds = settings.countsForcedEnds();
        this.replica = new Replica(log, localBrokerId, settings, initialHighWatermark);
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
        return replica.published().view();
    }

    /** The last state that was adopted; empty until the controller has named this replica. */
    public Optional<PartitionState> state() {
        return Optional.ofNullable(replica.published().state());
    }

    /**
     * Takes over what the controller decided, unless it is not newer than what this replica has (I9): ends the role and
     * starts another in a greater leader epoch, adopts sets and numbers in the same one.
     */
    public Became become(PartitionState state, long nowNs) {
        Invariant.check(state.topicId().equals(topicId()), () -> "state of another topic for " + partition());
        long brokerEpoch = localBrokerEpoch.getAsLong();
        Became became = locked(() -> replica.become(state, replica.now(nowNs, brokerEpoch)));
        if (countsForcedEnds && became.change() == Change.FOLLOWER) {
            // Its first fetch proves its whole log, of which an ended leadership may have left a part unforced.
            log.force();
        }
        return became;
    }

    /**
     * Writes a producer's batches, if this replica leads and, for acks=all, the min-ISR gate is open (I13).
     *
     * @param validatedBatches position to limit, writable; offsets and epoch are assigned in place
     * @param clientLeaderEpoch that the client knows, or -1
     */
    public LeaderAppend appendAsLeader(ByteBuffer validatedBatches, int clientLeaderEpoch, Acks acks) {
        Replica.Published now = replica.published();
        ErrorCode error = Fencing.client(now.view(), now.idleError(), clientLeaderEpoch);
        if (error == ErrorCode.NONE && acks == Acks.ALL && !now.view().gateOpen()) {
            error = ErrorCode.NOT_ENOUGH_REPLICAS;
        }
        if (error != ErrorCode.NONE) {
            return refusedAppend(error, Fencing.message(error, partition()), now.view());
        }
        int leaderEpoch = now.view().leaderEpoch();
        AppendResult result;
        try {
            result = log.appendAsLeader(validatedBatches, leaderEpoch);
        } catch (LogClosedException e) {
            return refusedAppend(goneError(), e.toString(), view());
        }
        if (result instanceof AppendResult.Appended appended) {
            return appended(appended, leaderEpoch);
        }
        if (result instanceof AppendResult.Duplicate same) {
            return appended(new AppendResult.Appended(same.firstOffset(), same.lastOffset(), same.end()), leaderEpoch);
        }
        AppendResult.Refused refused = (AppendResult.Refused) result;
        if (refused.error() == ErrorCode.FENCED_LEADER_EPOCH) {
            // The role ended between the check and the write.
            return refusedAppend(ErrorCode.NOT_LEADER_OR_FOLLOWER, refused.message(), view());
        }
        return refusedAppend(refused.error(), refused.message(), now.view());
    }

    /**
     * Counts what a follower's fetch proves: fences, divergence and range first, then progress, high watermark and
     * in-sync set in one locked step. A fetch that could not be read counts for nothing (I6).
     */
    public FollowerCount countFollowerFetch(FetchEntry entry, Follower from, long nowNs) {
        long brokerEpoch = localBrokerEpoch.getAsLong();
        return locked(() -> replica.count(entry, from, replica.now(nowNs, brokerEpoch)));
    }

    /**
     * Reads for a follower whose fetch was counted. Bytes above the high watermark may be truncated while they are
     * copied, so role epoch and truncation count are checked again afterwards: FENCED_LEADER_EPOCH if they moved.
     */
    public FollowerRead readForFollower(FetchEntry entry, int maxBytes, ReadRequest.Minimum minimum) {
        PartitionView view = view();
        ErrorCode error = replica.fence(entry);
        if (error != ErrorCode.NONE) {
            return new FollowerRead.Refused(error, log.startOffset());
        }
        FollowerRead read;
        try {
            read = reads.forFollower(entry, view, maxBytes, minimum);
        } catch (LogClosedException e) {
            return new FollowerRead.Refused(goneError(), log.startOffset());
        }
        return stillHolds(view) ? read : new FollowerRead.Refused(ErrorCode.FENCED_LEADER_EPOCH, log.startOffset());
    }

    /**
     * Reads below the high watermark (I15). An offset between high watermark and log end gets an empty answer, not an
     * error (I16); its fetch position is then above the high watermark's.
     */
    public ConsumerRead readForConsumer(ConsumerFetch.Entry entry, int maxBytes, ReadRequest.Minimum minimum) {
        Replica.Published now = replica.published();
        ErrorCode error = Fencing.client(now.view(), now.idleError(), entry.currentLeaderEpoch());
        if (error != ErrorCode.NONE) {
            return refusedRead(error, now.view());
        }
        ConsumerRead read;
        try {
            read = reads.forConsumer(entry, now.view(), maxBytes, minimum);
        } catch (LogClosedException e) {
            return refusedRead(goneError(), view());
        }
        return stillHolds(now.view()) ? read : refusedRead(ErrorCode.NOT_LEADER_OR_FOLLOWER, view());
    }

    /**
     * The follower's session made a round in which its entry for this partition did not change: if it is at the leader's
     * end it is caught up as of now, though nothing was fetched.
     */
    public Advance onSessionRound(Follower from, long nowNs) {
        long brokerEpoch = localBrokerEpoch.getAsLong();
        return lockedLeader(role -> role.onSessionRound(from, replica.now(nowNs, brokerEpoch)));
    }

    /** Whether this leads and its high watermark waits for that follower: a member, or one that is about to be. */
    public boolean waitsFor(int followerId) {
        return locked(() -> {
            LeaderRole role = replica.leader();
            return role != null && role.waitsFor(followerId);
        });
    }

    /** Periodic: proposes to drop followers that lag (I22), or growth that had to wait. */
    public Advance checkIsr(long nowNs) {
        long brokerEpoch = localBrokerEpoch.getAsLong();
        return lockedLeader(role -> role.checkIsr(replica.now(nowNs, brokerEpoch)));
    }

    /** The proposal that is under way, to be sent again unchanged; empty once a state has released it. */
    public Optional<IsrProposal> pendingProposal() {
        return locked(() -> Optional.ofNullable(replica.leader()).flatMap(LeaderRole::proposal));
    }

    /**
     * Appends what the leader sent (which may be nothing), then takes over its high watermark, as far as this log goes,
     * and its log start (I18). A diverging answer is acted on alone: what it says beside that counts for nothing
     * (KAFKA-14704). In sync mode the caller forces the log before the next fetch, which proves what it has.
     */
    public FollowerStep appendAsFollower(int leaderEpoch, ReplicaFetch.Result result) {
        if (result.diverging() != null) {
            return truncateAsFollower(leaderEpoch, result.diverging());
        }
        return lockedFollower(leaderEpoch, () -> replica.append(leaderEpoch, result));
    }

    /** The leader answered that this log diverges: cuts to where both may agree; the next fetch asks again (I3). */
    public FollowerStep truncateAsFollower(int leaderEpoch, EpochEnd leaderEnd) {
        return lockedFollower(leaderEpoch, () -> replica.cutWhereDiverging(leaderEnd));
    }

    /**
     * The leader answered OFFSET_OUT_OF_RANGE: drops everything and starts again at its log start, if this log ends below
     * that, or is empty. A log with records of its own that reaches the leader's start keeps them and asks again.
     */
    public FollowerStep restartAsFollower(int leaderEpoch, long leaderLogStart) {
        return lockedFollower(leaderEpoch, () -> replica.restartIfOutOfRange(leaderLogStart));
    }

    /**
     * Cuts a damaged log at the first bad batch, if this replica follows {@code leaderId} and nobody counts on what it has
     * ({@link DamageStep}). For the fetcher alone, between an answer and the next fetch: an answer to an earlier one would be
     * appended behind the cut.
     */
    public DamageStep cutAtDamage(int leaderId) {
        return locked(() -> replica.cutAtDamage(leaderId));
    }

    /** What to tell the controller about this log; empty if it is sound, has no role, or is cut before the next fetch. */
    public Optional<DamageReport> damageReport() {
        return log.damage().isEmpty() ? Optional.empty() : locked(replica::damageReport);
    }

    /** Where to fetch next; empty unless this replica follows. */
    public Optional<FollowerPosition> followerPosition() {
        return locked(replica::followerPosition);
    }

    /** The log's forced end moved: in sync mode the leader counts with it. */
    public Advance onLocalForced() {
        return locked(replica::onLocalEnd);
    }

    /**
     * Where the partition starts, or ends for consumers.
     *
     * @param clientLeaderEpoch that the client knows, or -1
     */
    public OffsetLookup lookup(OffsetLookup.Which which, int clientLeaderEpoch) {
        return locked(() -> {
            Replica.Published now = replica.published();
            ErrorCode error = Fencing.client(now.view(), now.idleError(), clientLeaderEpoch);
            return error == ErrorCode.NONE ? replica.lookup(which) : refusedLookup(error, now.view());
        });
    }

    /**
     * Deletes the records below an offset, if this replica leads: its log starts there, in memory, unless it starts above it
     * already. Never above the high watermark (I18).
     *
     * @param beforeOffset first offset to keep, or {@link RecordDeletion#TO_HIGH_WATERMARK}
     */
    public RecordDeletion deleteRecords(long beforeOffset) {
        return locked(() -> {
            Replica.Published now = replica.published();
            ErrorCode error = Fencing.client(now.view(), now.idleError(), Fencing.ANY_EPOCH);
            return error == ErrorCode.NONE
                    ? replica.deleteRecords(beforeOffset)
                    : new RecordDeletion.Refused(
                            error,
                            Fencing.message(error, partition()),
                            log.startOffset(),
                            -1,
                            otherLeader(now.view()),
                            now.view().leaderEpoch());
        });
    }

    /**
     * The lowest log start of this leader and of those other replicas that are wanted, as they said in their last fetches; -1
     * if one of them has not fetched yet, empty unless this leads in that epoch. Reads volatiles only.
     */
    public OptionalLong lowestLogStart(int leaderEpoch, IntPredicate wanted) {
        Replica.Published now = replica.published();
        if (!now.view().leadsIn(leaderEpoch)) {
            return OptionalLong.empty();
        }
        long lowest = log.startOffset();
        for (Map.Entry<Integer, Long> other : now.logStarts().entrySet()) {
            if (wanted.test(other.getKey())) {
                lowest = Math.min(lowest, other.getValue());
            }
        }
        return OptionalLong.of(lowest);
    }

    /**
     * The first committed record whose timestamp is at least {@code timestampMs}; the high watermark when there is none.
     *
     * <p>Walks the log on disk without the lock, for as long as {@code isWanted} says yes: not for event loops.
     *
     * @param clientLeaderEpoch that the client knows, or -1
     */
    public OffsetLookup lookupTime(long timestampMs, int clientLeaderEpoch, BooleanSupplier isWanted) {
        PartitionView before = view();
        OffsetLookup end = lookup(OffsetLookup.Which.LATEST, clientLeaderEpoch);
        if (!(end instanceof OffsetLookup.Found latest)) {
            return end;
        }
        OffsetLookup found;
        try {
            found = reads.forTime(new TimeSearch(timestampMs, latest.offset(), isWanted), latest);
        } catch (LogClosedException e) {
            return refusedLookup(goneError(), view());
        }
        return stillHolds(before) ? found : refusedLookup(ErrorCode.NOT_LEADER_OR_FOLLOWER, view());
    }

    /** That high watermark of this replica is on disk now. */
    public void onCheckpointed(long onDisk) {
        inLock(() -> replica.onCheckpointed(onDisk));
    }

    /** Number of truncations below the high watermark so far: none unless an election was unclean or a recovery. */
    public long belowHighWatermarkCuts() {
        return locked(replica::cutsBelowHighWatermark);
    }

    /** Ends the role and fences the log; what is asked from now on is answered with {@code error}. */
    public void stop(ErrorCode error) {
        inLock(() -> replica.stop(error));
    }

    private LeaderAppend appended(AppendResult.Appended result, int leaderEpoch) {
        Advance advance = locked(
                () -> replica.published().view().leadsIn(leaderEpoch) ? replica.onLocalEnd() : replica.unmoved());
        return new LeaderAppend.Appended(
                result.firstOffset(), result.lastOffset(), leaderEpoch, result.end(), log.startOffset(), advance);
    }

    private LeaderAppend refusedAppend(ErrorCode error, String message, PartitionView view) {
        return new LeaderAppend.Refused(error, message, otherLeader(view), view.leaderEpoch());
    }

    private ConsumerRead refusedRead(ErrorCode error, PartitionView view) {
        return new ConsumerRead.Refused(
                error, Fencing.message(error, partition()), otherLeader(view), view.leaderEpoch(), log.startOffset());
    }

    private OffsetLookup refusedLookup(ErrorCode error, PartitionView view) {
        return new OffsetLookup.Refused(error, otherLeader(view), view.leaderEpoch());
    }

    private int otherLeader(PartitionView view) {
        return view.leader() == localBrokerId ? PartitionState.NO_LEADER : view.leader();
    }

    /** A log is closed only after its replica was stopped: what the stop left to say. */
    private ErrorCode goneError() {
        return replica.published().idleError();
    }

    private boolean stillHolds(PartitionView before) {
        return view().leadsIn(before.leaderEpoch()) && log.truncations() == before.truncations();
    }

    private Advance lockedLeader(Function<LeaderRole, Advance> step) {
        return locked(() -> {
            LeaderRole role = replica.leader();
            return role == null ? replica.unmoved() : step.apply(role);
        });
    }

    private FollowerStep lockedFollower(int leaderEpoch, Supplier<FollowerStep> step) {
        return locked(() -> replica.followsIn(leaderEpoch) ? step.get() : new FollowerStep.Fenced());
    }

    private void inLock(Runnable step) {
        locked(() -> {
            step.run();
            return step;
        });
    }

    private <T> T locked(Supplier<T> step) {
        lock.lock();
        try {
            return step.get();
        } finally {
            replica.publish();
            lock.unlock();
        }
    }
}
