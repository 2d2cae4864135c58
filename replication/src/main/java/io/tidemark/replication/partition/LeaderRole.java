package io.tidemark.replication.partition;

import io.tidemark.core.log.LogEnd;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.replication.partition.IsrProposal.ProposedMember;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a leader decides in one leader epoch: the followers' progress, the high watermark, and the in-sync set that it
 * asks for (DESIGN section 5). Pure: events come in with their time, what moved goes out. Not thread-safe.
 *
 * <p>Two sets, two uses; mixing them loses acknowledged records:
 *
 * <pre>
 * member of the in-sync set is               high watermark waits for it   min-ISR gate counts it
 * confirmed                                  yes                           yes
 * confirmed, proposed for removal            yes                           no
 * proposed, not confirmed                    yes                           no
 * </pre>
 *
 * So growth counts before it is sent and a shrink only once it is confirmed (I8). A closed gate stops the high watermark
 * (I12). Beyond the design's letter the high watermark also waits for a replica that has caught up and is about to join.
 *
 * <p>One proposal is under way at a time. It is released only by a state of this leader epoch with a greater partition
 * epoch: every such state proves that the proposal was carried out or never will be, since each write raises that
 * epoch by one. Until then it stays in doubt and is sent again unchanged.
 */
final class LeaderRole {
    /** What {@code min.insync.replicas} of a broker is until somebody sets it. */
    private static final int MIN_ISR_BY_DEFAULT = 1;

    private final int localBrokerId;
    private final long epochStartOffset;
    private final long lagTimeMaxNs;
    private final SafetyRules rules;
    private final HighWatermark highWatermark;
    private final SortedMap<Integer, FollowerProgress> followers = new TreeMap<>();

    /** Where the logs of replicas other than this one start; replaced, never changed. */
    private SortedMap<Integer, Long> logStarts = new TreeMap<>();

    private PartitionState confirmed;
    private boolean localConfirmed;
    private @Nullable IsrProposal proposal;
    private LogOffset counted;

    /**
     * Leads from now on: nothing is known of the others, and the members' clocks start (I6).
     *
     * @param state that names this broker as leader
     * @param epochStart end of the log when the epoch began
     * @param highWatermark of the replica, located; moved by this role alone from now on
     */
    LeaderRole(
            PartitionState state,
            LogEnd epochStart,
            HighWatermark highWatermark,
            ReplicaSettings settings,
            long nowNs) {
        this.localBrokerId = state.leader();
        this.epochStartOffset = epochStart.offset();
        this.lagTimeMaxNs = settings.replicaLagTimeMax().toNanos();
        this.rules = settings.rules();
        this.highWatermark = highWatermark;
        this.confirmed = state;
        this.counted = new LogOffset(highWatermark.offset(), highWatermark.position());
        place(nowNs);
    }

    int leaderEpoch() {
        return confirmed.leaderEpoch();
    }

    /** Where the epoch begins in this log. */
    long epochStartOffset() {
        return epochStartOffset;
    }

    /** The proposal that is under way. */
    Optional<IsrProposal> proposal() {
        return Optional.ofNullable(proposal);
    }

    /** Whether enough members are confirmed and not proposed for removal (I13). */
    boolean gateOpen() {
        int members = localConfirmed ? 1 : 0;
        for (FollowerProgress follower : followers.values()) {
            if (countsForGate(follower)) {
                members++;
            }
        }
        int minIsr = rules.keeps(SafetyRule.MIN_ISR_OF_THE_STATE) ? confirmed.effectiveMinIsr() : MIN_ISR_BY_DEFAULT;
        return IsrRules.gateOpen(members, minIsr);
    }

    /** Whether the high watermark waits for that follower. */
    boolean waitsFor(int brokerId) {
        FollowerProgress follower = followers.get(brokerId);
        return follower != null && follower.holdsHighWatermark();
    }

    /** What each follower has proved, by broker id; offsets alone, since positions end with the role. */
    SortedMap<Integer, Long> provedOffsets() {
        SortedMap<Integer, Long> offsets = new TreeMap<>();
        followers.forEach((id, follower) -> {
            LogOffset proved = follower.proved();
            if (proved != null) {
                offsets.put(id, proved.offset());
            }
        });
        return offsets;
    }

    /** Takes over what a follower proved in an earlier epoch: what PROGRESS_OF_THIS_EPOCH forbids. */
    void inherit(int brokerId, LogOffset proved) {
        FollowerProgress follower = followers.get(brokerId);
        if (follower != null) {
            follower.inherit(proved);
        }
    }

    /** The log's counted end moved, or the role has just begun. */
    Advance onLocalEnd(LogEnd countedEnd) {
        return moved(gateOpen(), countedEnd, null);
    }

    /** NONE if a fetch of that follower counts: it is a replica, and not an earlier life of one. */
    ErrorCode admits(Follower follower) {
        FollowerProgress progress = followers.get(follower.brokerId());
        if (progress == null) {
            // A leader hears of a new assignment later than the new replica may: it tries again.
            return ErrorCode.UNKNOWN_LEADER_EPOCH;
        }
        return follower.brokerEpoch() < progress.brokerEpoch() ? ErrorCode.STALE_BROKER_EPOCH : ErrorCode.NONE;
    }

    /** An admitted follower proved in this leader epoch that it has everything below {@code at}. */
    Advance onFetch(Follower follower, LogOffset at, LeaderNow now) {
        FollowerProgress progress = admitted(follower);
        if (progress.brokerEpoch() != follower.brokerEpoch()) {
            progress.onBrokerEpoch(follower.brokerEpoch());
            gatherLogStarts();
        }
        progress.onFetch(at, now.end().offset(), now.timeNs());
        return movedOrGrown(now);
    }

    /** An admitted follower whose fetch was counted said where its log starts. */
    void onLogStart(Follower follower, long logStart) {
        FollowerProgress progress = admitted(follower);
        if (progress.logStart() != logStart) {
            progress.logStart(logStart);
            gatherLogStarts();
        }
    }

    /**
     * Where the logs of the other replicas start, by broker id, as they said last; {@link FollowerProgress#UNTOLD_START} for
     * one that has not fetched. Immutable.
     */
    SortedMap<Integer, Long> logStarts() {
        return logStarts;
    }

    private void gatherLogStarts() {
        SortedMap<Integer, Long> gathered = new TreeMap<>();
        followers.forEach((id, follower) -> gathered.put(id, follower.logStart()));
        logStarts = Collections.unmodifiableSortedMap(gathered);
    }

    /** The follower's session made a round in which its entry stayed what it was: it is alive, and where it was. */
    Advance onSessionRound(Follower follower, LeaderNow now) {
        FollowerProgress progress = followers.get(follower.brokerId());
        LogOffset proved = progress == null ? null : progress.proved();
        if (progress == null || proved == null || progress.brokerEpoch() != follower.brokerEpoch()) {
            return Advance.none(highWatermark.offset());
        }
        progress.onFetch(proved, now.end().offset(), now.timeNs());
        return movedOrGrown(now);
    }

    /** Periodic: proposes to drop members that lag (I22); if there are none, growth that had to wait. */
    Advance checkIsr(LeaderNow now) {
        boolean wasOpen = gateOpen();
        followers.values().forEach(follower -> follower.onCheck(now.timeNs()));
        boolean shrinks = proposal == null && anyFollower(follower -> follower.lags(now.timeNs()));
        if (!shrinks) {
            return movedOrGrown(now);
        }
        IsrProposal made = propose(follower -> follower.confirmed() && !follower.lags(now.timeNs()), now.brokerEpoch());
        return moved(wasOpen, now.counted(), made);
    }

    /** Takes over a state of this leader epoch with a greater partition epoch, whatever channel brought it. */
    Advance adopt(PartitionState newer, LeaderNow now) {
        Invariant.check(
                newer.leaderEpoch() == confirmed.leaderEpoch() && releases(newer),
                () -> "a leader in " + confirmed + " cannot adopt " + newer);
        boolean wasOpen = gateOpen();
        if (proposal != null && newer.isr().equals(confirmed.isr())) {
            followers.values().stream()
                    .filter(follower -> follower.proposed() && !follower.confirmed())
                    .forEach(follower -> follower.onRefused(now.timeNs()));
        }
        proposal = null;
        confirmed = newer;
        place(now.timeNs());
        Advance advance = moved(wasOpen, now.counted(), null);
        Advance grown = movedOrGrown(now);
        return new Advance(advance.committed() || grown.committed(), grown.highWatermark(), grown.proposal());
    }

    /** Whether the state is an answer to a proposal, and not the one that it was made on (I8). */
    private boolean releases(PartitionState newer) {
        return newer.partitionEpoch() > confirmed.partitionEpoch()
                || (newer.partitionEpoch() == confirmed.partitionEpoch()
                        && !rules.keeps(SafetyRule.REFUSAL_RAISES_EPOCH));
    }

    /** The last column of the table above, for one member. */
    private boolean countsForGate(FollowerProgress follower) {
        return rules.keeps(SafetyRule.GATE_COUNTS_CONFIRMED)
                ? follower.confirmed() && (proposal == null || follower.proposed())
                : follower.confirmed() || follower.proposed();
    }

    /** The column before it, and replicas that are about to join. */
    private boolean holdsHighWatermark(FollowerProgress follower) {
        boolean leaves = proposal != null && follower.confirmed() && !follower.proposed();
        if (leaves && !rules.keeps(SafetyRule.SHRINK_WHEN_CONFIRMED)) {
            return false;
        }
        return rules.keeps(SafetyRule.GROWTH_WHEN_PROPOSED) ? follower.holdsHighWatermark() : follower.confirmed();
    }

    private FollowerProgress admitted(Follower follower) {
        FollowerProgress progress = followers.get(follower.brokerId());
        if (progress == null) {
            throw new Invariant.InvariantBrokenException("a fetch of " + follower + " was not checked");
        }
        return progress;
    }

    /** Gives every other replica and member its place in the confirmed state. */
    private void place(long nowNs) {
        NavigableSet<Integer> named = new TreeSet<>(confirmed.replicas());
        confirmed.isr().stream().map(Member::brokerId).forEach(named::add);
        named.remove(localBrokerId);
        localConfirmed = confirmed.inIsr(localBrokerId);
        followers.keySet().retainAll(named);
        for (int brokerId : named) {
            followers
                    .computeIfAbsent(brokerId, id -> new FollowerProgress(id, lagTimeMaxNs))
                    .place(confirmed.isReplica(brokerId), confirmed.inIsr(brokerId), nowNs);
        }
        gatherLogStarts();
    }

    /** Proposes whoever may join, if nothing is under way; then moves the high watermark, which waits for them. */
    private Advance movedOrGrown(LeaderNow now) {
        boolean wasOpen = gateOpen();
        IsrProposal made = null;
        if (proposal == null && anyFollower(follower -> mayJoin(follower, now))) {
            made = propose(follower -> follower.confirmed() || mayJoin(follower, now), now.brokerEpoch());
        }
        return moved(wasOpen, now.counted(), made);
    }

    private boolean mayJoin(FollowerProgress follower, LeaderNow now) {
        long from = rules.keeps(SafetyRule.JOIN_FROM_EPOCH_START) ? epochStartOffset : 0;
        return follower.mayJoin(highWatermark.offset(), from, now.timeNs());
    }

    private boolean anyFollower(Predicate<FollowerProgress> wanted) {
        for (FollowerProgress follower : followers.values()) {
            if (wanted.test(follower)) {
                return true;
            }
        }
        return false;
    }

    private IsrProposal propose(Predicate<FollowerProgress> wanted, long localBrokerEpoch) {
        List<ProposedMember> members = new ArrayList<>();
        members.add(new ProposedMember(localBrokerId, localBrokerEpoch));
        for (FollowerProgress follower : followers.values()) {
            follower.proposed(wanted.test(follower));
            if (follower.proposed()) {
                members.add(new ProposedMember(follower.brokerId(), follower.brokerEpoch()));
            }
        }
        IsrProposal made = new IsrProposal(
                confirmed.topicId(),
                confirmed.partition(),
                confirmed.leaderEpoch(),
                confirmed.partitionEpoch(),
                members);
        proposal = made;
        return made;
    }

    private Advance moved(boolean wasOpen, LogEnd countedEnd, @Nullable IsrProposal made) {
        counted = new LogOffset(countedEnd.offset(), countedEnd.position());
        boolean isOpen = gateOpen();
        boolean raised = isOpen && raiseHighWatermark();
        return new Advance(raised || wasOpen != isOpen, highWatermark.offset(), made);
    }

    private boolean raiseHighWatermark() {
        LogOffset lowest = counted;
        for (FollowerProgress follower : followers.values()) {
            if (holdsHighWatermark(follower)) {
                LogOffset proved = follower.proved();
                if (proved == null) {
                    return false;
                }
                lowest = proved.offset() < lowest.offset() ? proved : lowest;
            }
        }
        return highWatermark.raiseTo(lowest);
    }
}
