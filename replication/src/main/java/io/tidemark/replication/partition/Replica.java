package io.tidemark.replication.partition;

import io.tidemark.core.log.AppendResult;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDamage;
import io.tidemark.core.log.LogEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRule;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.Became.Change;
import io.tidemark.replication.partition.PartitionView.Role;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inside of a {@link Partition}: at most one role, the high watermark, which outlives roles, and the log that both
 * are about. One caller at a time; only {@link #published()} may be read by others meanwhile.
 *
 * <p>Whatever changes is published before the log loses a record by it, and after the log has it.
 */
final class Replica {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);
    private static final int NO_EPOCH = -1;
    private static final SortedMap<Integer, Long> NO_STARTS = Collections.emptySortedMap();

    private final Log log;
    private final int localBrokerId;
    private final ReplicaSettings settings;
    private final TruncationRule truncation;
    private final FollowerFence fence;
    private final HighWatermark highWatermark;

    /** What the seeds' truncation rule goes by; as old as the last checkpoint. */
    private long checkpointedHighWatermark;

    /** The newest state that was acted on; forgotten with the process (I9). */
    private @Nullable PartitionState known;

    private @Nullable LeaderRole leader;
    private @Nullable FollowerRole follower;

    /** The leader epoch in which this replica's fetches may have told a leader last how far its log goes. */
    private int endShownInEpoch = NO_EPOCH;

    private ErrorCode idleError = ErrorCode.NOT_LEADER_OR_FOLLOWER;

    /** Offsets that followers proved in the last leadership; empty while PROGRESS_OF_THIS_EPOCH is kept (I6). */
    private SortedMap<Integer, Long> provedBefore = new TreeMap<>();

    private volatile Published published;

    /**
     * What anyone may see at any time.
     *
     * @param idleError answers requests while there is no role
     * @param state that was adopted last
     * @param logStarts of the other replicas, unless this follows
     */
    record Published(
            PartitionView view,
            ErrorCode idleError,
            @Nullable PartitionState state,
            SortedMap<Integer, Long> logStarts) {}

    Replica(Log log, int localBrokerId, ReplicaSettings settings, long initialHighWatermark) {
        this.log = log;
        this.localBrokerId = localBrokerId;
        this.settings = settings;
        this.truncation = new TruncationRule(settings.truncation(), settings.rules());
        this.fence = new FollowerFence(settings.rules());
        this.highWatermark = HighWatermark.loaded(
                initialHighWatermark, log.startOffset(), log.end().offset());
        this.checkpointedHighWatermark = highWatermark.offset();
        log.committedBound(highWatermark.offset());
        this.published = new Published(view(), idleError, known, NO_STARTS);
    }

    Published published() {
        return published;
    }

    @Nullable
    LeaderRole leader() {
        return leader;
    }

    /** Nothing moved. */
    Advance unmoved() {
        return Advance.none(highWatermark.offset());
    }

    /** The moment of an event; the log's ends are read now. */
    LeaderNow now(long timeNs, long brokerEpoch) {
        return new LeaderNow(timeNs, log.end(), countedEnd(), brokerEpoch);
    }

    Became become(PartitionState state, LeaderNow now) {
        Change change = changeBy(state);
        Advance advance = unmoved();
        switch (change) {
            case LEADER -> advance = lead(state, now.timeNs());
            case FOLLOWER -> follow(state);
            case UPDATED -> advance = update(state, now);
            case STOPPED -> {
                known = state;
                stop(ErrorCode.NOT_LEADER_OR_FOLLOWER);
            }
            case STALE -> {}
        }
        return new Became(change, advance);
    }

    /** Ends the role, and fences the log so that no append of it comes after. */
    void stop(ErrorCode error) {
        endRole(error);
        if (error != ErrorCode.KAFKA_STORAGE_ERROR) {
            log.becomeFollower(known == null ? NO_EPOCH : known.leaderEpoch());
        }
    }

    FollowerCount count(FetchEntry entry, Follower from, LeaderNow now) {
        ErrorCode error = fence(entry);
        LeaderRole role = leader;
        if (error == ErrorCode.NONE && role != null) {
            error = role.admits(from);
        }
        if (error != ErrorCode.NONE || role == null) {
            return new FollowerCount.Refused(error, log.startOffset());
        }
        long offset = entry.fetchOffset();
        Optional<EpochEnd> diverging = fence.divergence(log.epochs(), entry);
        if (diverging.isPresent()) {
            return new FollowerCount.Diverging(diverging.get());
        }
        if (offset < log.startOffset() || offset > now.end().offset()) {
            return new FollowerCount.Refused(ErrorCode.OFFSET_OUT_OF_RANGE, log.startOffset());
        }
        Advance advance = role.onFetch(from, located(offset, now.end()), now);
        role.onLogStart(from, entry.followerLogStart());
        return new FollowerCount.Counted(advance);
    }

    /** Whether a follower's fetch is let in; also read without the lock. */
    ErrorCode fence(FetchEntry entry) {
        Published now = published;
        return entry.topicId().equals(log.topicId())
                ? fence.check(now.view(), now.idleError(), entry)
                : ErrorCode.INCONSISTENT_TOPIC_ID;
    }

    Advance onLocalEnd() {
        return leader == null ? unmoved() : leader.onLocalEnd(countedEnd());
    }

    boolean followsIn(int leaderEpoch) {
        return follower != null && follower.leaderEpoch() == leaderEpoch;
    }

    /** Where to fetch next. From now on the leader may know this end. */
    Optional<FollowerPosition> followerPosition() {
        LogEnd end = log.end();
        if (follower != null) {
            endShownInEpoch = follower.leaderEpoch();
        }
        return Optional.ofNullable(follower)
                .map(role -> new FollowerPosition(
                        log.topicId(),
                        log.partition(),
                        role.leaderEpoch(),
                        role.leader(),
                        end.offset(),
                        end.lastEpoch(),
                        log.startOffset()));
    }

    FollowerStep append(int leaderEpoch, ReplicaFetch.Result result) {
        if (result.error() != ErrorCode.NONE) {
            return new FollowerStep.Refused(result.error(), "the leader answered " + result.error());
        }
        if (result.batches().hasRemaining()
                && log.appendAsFollower(result.batches(), leaderEpoch) instanceof AppendResult.Refused refused) {
            return refused.error() == ErrorCode.FENCED_LEADER_EPOCH
                    ? new FollowerStep.Fenced()
                    : new FollowerStep.Refused(refused.error(), refused.message());
        }
        long logEnd = log.end().offset();
        highWatermark.followTo(FollowerRole.highWatermark(highWatermark.offset(), result.highWatermark(), logEnd));
        publish();
        log.advanceStartOffset(result.logStartOffset());
        return done();
    }

    FollowerStep cutWhereDiverging(EpochEnd leaderEnd) {
        cut(truncation.onDiverging(leaderEnd, log.epochs(), highWatermark.offset()));
        return done();
    }

    FollowerStep restartIfOutOfRange(long leaderLogStart) {
        long end = log.end().offset();
        if (end < leaderLogStart || end == log.startOffset()) {
            restart(leaderLogStart);
        }
        return done();
    }

    DamageStep cutAtDamage(int leaderId) {
        Optional<LogDamage> found = log.damage();
        if (found.isEmpty()) {
            return new DamageStep.Sound();
        }
        LogDamage damage = found.get();
        boolean isOfLeader = follower != null && follower.leader() == leaderId;
        Optional<DamageStep.Reason> reason = isOfLeader ? whyUncut() : Optional.of(DamageStep.Reason.NOT_FOLLOWING);
        if (reason.isPresent()) {
            return new DamageStep.Kept(damage, reason.get());
        }
        cut(Math.max(damage.firstBadOffset(), log.startOffset()));
        return new DamageStep.Cut(damage, log.end());
    }

    Optional<DamageReport> damageReport() {
        PartitionState state = known;
        boolean hasRole = leader != null || follower != null;
        if (state == null || !hasRole || log.damage().isEmpty()) {
            return Optional.empty();
        }
        return whyUncut().map(reason -> new DamageReport(log.topicId(), log.partition(), state.leaderEpoch()));
    }

    /** Why this log may not be cut where it is damaged; empty if it may, before the next fetch. */
    private Optional<DamageStep.Reason> whyUncut() {
        PartitionState state = known;
        if (follower == null || state == null) {
            return Optional.of(DamageStep.Reason.NOT_FOLLOWING);
        }
        if (isCountedOn(state)) {
            return Optional.of(DamageStep.Reason.COUNTED_ON);
        }
        boolean mayBeProposed = endShownInEpoch == follower.leaderEpoch();
        return mayBeProposed ? Optional.of(DamageStep.Reason.MAY_BE_PROPOSED) : Optional.empty();
    }

    private boolean isCountedOn(PartitionState state) {
        return state.inIsr(localBrokerId)
                || state.eligible().stream().anyMatch(member -> member.brokerId() == localBrokerId);
    }

    OffsetLookup lookup(OffsetLookup.Which which) {
        int epoch = published.view().leaderEpoch();
        if (which == OffsetLookup.Which.EARLIEST) {
            return new OffsetLookup.Found(log.startOffset(), epoch);
        }
        boolean known = leader != null && highWatermark.offset() >= leader.epochStartOffset();
        return known
                ? new OffsetLookup.Found(highWatermark.offset(), epoch)
                : new OffsetLookup.Refused(ErrorCode.OFFSET_NOT_AVAILABLE, PartitionState.NO_LEADER, epoch);
    }

    /** To be called as a leader only. */
    RecordDeletion deleteRecords(long beforeOffset) {
        int epoch = published.view().leaderEpoch();
        long end = highWatermark.offset();
        boolean all = beforeOffset == RecordDeletion.TO_HIGH_WATERMARK;
        if (all && lookup(OffsetLookup.Which.LATEST) instanceof OffsetLookup.Refused refused) {
            return refusedDeletion(refused.error(), "the high watermark is not known yet; try again");
        }
        long target = all ? end : beforeOffset;
        if (target < 0 || !log.advanceStartOffset(target)) {
            return refusedDeletion(
                    ErrorCode.OFFSET_OUT_OF_RANGE,
                    "records can be deleted before an offset from " + log.startOffset() + " to the high watermark "
                            + end + ", not before " + beforeOffset);
        }
        return new RecordDeletion.Deleted(target, epoch);
    }

    private RecordDeletion refusedDeletion(ErrorCode error, String message) {
        return new RecordDeletion.Refused(
                error,
                message,
                log.startOffset(),
                highWatermark.offset(),
                PartitionState.NO_LEADER,
                published.view().leaderEpoch());
    }

    void onCheckpointed(long onDisk) {
        checkpointedHighWatermark = onDisk;
    }

    long cutsBelowHighWatermark() {
        return highWatermark.cutsBelow();
    }

    /** Shows everyone what holds now. The log's bound goes first: no reader may see a high watermark beyond it. */
    void publish() {
        Published before = published;
        PartitionView view = view();
        if (log.committedBound() != view.highWatermark()) {
            log.committedBound(view.highWatermark());
        }
        Published now = new Published(view, idleError, known, leader == null ? NO_STARTS : leader.logStarts());
        if (!now.equals(before)) {
            published = now;
        }
    }

    private Change changeBy(PartitionState state) {
        PartitionState before = known;
        Change change = RoleChange.decide(before, leader != null || follower != null, state, localBrokerId);
        boolean repeats = change == Change.STALE && before != null && RoleChange.isRepeated(before, state);
        return repeats && !settings.rules().keeps(SafetyRule.REFUSAL_RAISES_EPOCH) ? Change.UPDATED : change;
    }

    private Advance lead(PartitionState state, long nowNs) {
        endRole(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        known = state;
        LogEnd epochStart = log.becomeLeader(state.leaderEpoch());
        highWatermark.locate(log.positionOf(highWatermark.offset()));
        LeaderRole role = new LeaderRole(state, epochStart, highWatermark, settings, nowNs);
        provedBefore.forEach((id, offset) ->
                role.inherit(id, located(Math.min(offset, epochStart.offset()), epochStart)));
        leader = role;
        return role.onLocalEnd(countedEnd());
    }

    private void follow(PartitionState state) {
        endRole(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        known = state;
        log.becomeFollower(state.leaderEpoch());
        follower = FollowerRole.of(state);
        truncation.onBecomeFollower(checkpointedHighWatermark).ifPresent(this::cut);
    }

    private Advance update(PartitionState state, LeaderNow now) {
        known = state;
        return leader == null ? unmoved() : leader.adopt(state, now);
    }

    private void endRole(ErrorCode error) {
        if (leader != null && !settings.rules().keeps(SafetyRule.PROGRESS_OF_THIS_EPOCH)) {
            provedBefore = leader.provedOffsets();
        }
        leader = null;
        follower = null;
        idleError = error;
        highWatermark.forgetPosition();
        publish();
    }

    private void cut(long target) {
        long before = highWatermark.offset();
        highWatermark.cutTo(target);
        publish();
        LogEnd end = log.truncateTo(target);
        highWatermark.cutTo(end.offset());
        reportCut(before);
    }

    private void restart(long logStart) {
        long before = highWatermark.offset();
        highWatermark.cutTo(logStart);
        publish();
        log.truncateFullyAndStartAt(logStart);
        highWatermark.restartAt(logStart);
        reportCut(before);
    }

    private void reportCut(long highWatermarkBefore) {
        if (highWatermark.offset() < highWatermarkBefore) {
            highWatermark.countCut();
            LOG.warn(
                    "{} was cut below its high watermark {}, which is {} now; state {}",
                    log.partition(),
                    highWatermarkBefore,
                    highWatermark.offset(),
                    known);
        }
    }

    private FollowerStep done() {
        return new FollowerStep.Done(log.end(), log.startOffset(), highWatermark.offset());
    }

    private LogEnd countedEnd() {
        return settings.countsForcedEnds() ? log.forcedEnd() : log.end();
    }

    /** Below the high watermark nobody asks for the position: it cannot move there any more. */
    private LogOffset located(long offset, LogEnd end) {
        if (offset == end.offset()) {
            return new LogOffset(offset, end.position());
        }
        long position = offset <= highWatermark.offset() ? LogOffset.UNKNOWN_POSITION : log.positionOf(offset);
        return new LogOffset(offset, position);
    }

    private PartitionView view() {
        Role role = leader != null ? Role.LEADER : follower != null ? Role.FOLLOWER : Role.NONE;
        return new PartitionView(
                role,
                role == Role.NONE || known == null ? NO_EPOCH : known.leaderEpoch(),
                known == null ? PartitionState.NO_LEADER : known.leader(),
                highWatermark.offset(),
                highWatermark.position(),
                leader != null && leader.gateOpen(),
                log.truncations());
    }
}
