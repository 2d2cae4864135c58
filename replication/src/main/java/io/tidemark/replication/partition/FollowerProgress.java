package io.tidemark.replication.partition;

import org.jspecify.annotations.Nullable;

/**
 * What a leader knows about one other replica, in its leader epoch alone: a new epoch starts with a new object (I6).
 * Not durable. Pure.
 */
final class FollowerProgress {
    /** What a broker's epoch is until it has fetched. */
    static final long UNSEEN_EPOCH = -1;

    /** Where its log starts, until it has said so in its present life. */
    static final long UNTOLD_START = -1;

    private final int brokerId;
    private final long lagTimeMaxNs;

    private boolean assigned;
    private boolean confirmed;
    private boolean proposed;
    private boolean joining;
    private boolean asksToJoin;
    private boolean refused;
    private long refusedNs;

    private long brokerEpoch = UNSEEN_EPOCH;
    private @Nullable LogOffset proved;
    private long logStart = UNTOLD_START;

    private boolean clockRuns;
    private long caughtUpNs;
    private long lastFetchNs;
    private long leaderEndAtLastFetch = Long.MAX_VALUE;

    FollowerProgress(int brokerId, long lagTimeMaxNs) {
        this.brokerId = brokerId;
        this.lagTimeMaxNs = lagTimeMaxNs;
    }

    int brokerId() {
        return brokerId;
    }

    /** Under which it fetched last, or {@link #UNSEEN_EPOCH}. */
    long brokerEpoch() {
        return brokerEpoch;
    }

    /** Everything below is in its log, as its last fetch proved; null before its first. */
    @Nullable
    LogOffset proved() {
        return proved;
    }

    /** Where its log starts, as its last fetch said, or {@link #UNTOLD_START}. */
    long logStart() {
        return logStart;
    }

    void logStart(long told) {
        logStart = told;
    }

    /** Takes over what it proved in an earlier epoch: what PROGRESS_OF_THIS_EPOCH forbids. */
    void inherit(LogOffset at) {
        proved = at;
    }

    /** Whether it is a member of the confirmed in-sync set. */
    boolean confirmed() {
        return confirmed;
    }

    /** Whether the proposal that is under way names it. */
    boolean proposed() {
        return proposed;
    }

    void proposed(boolean named) {
        proposed = named;
    }

    /**
     * Whether the high watermark waits for it: a member, confirmed or proposed (I8), or a replica that is caught up and
     * about to join, which under steady load would otherwise never see its end reach the high watermark.
     */
    boolean holdsHighWatermark() {
        return confirmed || proposed || joining;
    }

    /** Takes over its place in a state; a member that is new gets the whole lag time to prove itself. */
    void place(boolean isAssigned, boolean isMember, long nowNs) {
        if (isMember && !confirmed) {
            clockRuns = true;
            caughtUpNs = nowNs;
        }
        boolean staysOutside = isAssigned && !isMember && !confirmed;
        joining &= staysOutside;
        asksToJoin &= staysOutside;
        proposed = false;
        assigned = isAssigned;
        confirmed = isMember;
    }

    /** The controller did not let it join: nobody waits for it until it fetches again, after a pause. */
    void onRefused(long nowNs) {
        refused = true;
        refusedNs = nowNs;
        joining = false;
        asksToJoin = false;
    }

    /**
     * Whether the broker may be proposed for the in-sync set: it has what it takes, has shown it lately, and has fetched
     * since it left the set or was refused. So no passing of time alone brings a dead replica up again.
     */
    boolean mayJoin(long highWatermark, long epochStartOffset, long nowNs) {
        return asksToJoin
                && proved != null
                && nowNs - lastFetchNs <= lagTimeMaxNs
                && IsrRules.mayJoin(proved.offset(), highWatermark, epochStartOffset);
    }

    /** Whether this is a member that was not caught up for too long. */
    boolean lags(long nowNs) {
        return confirmed && IsrRules.lags(caughtUpNs, nowNs, lagTimeMaxNs);
    }

    /** Another life of the broker: what the earlier one proved says nothing about its log. */
    void onBrokerEpoch(long newer) {
        brokerEpoch = newer;
        proved = null;
        logStart = UNTOLD_START;
        refused = false;
        joining = false;
        asksToJoin = false;
        leaderEndAtLastFetch = Long.MAX_VALUE;
    }

    /**
     * It fetched at {@code at} while the leader's log ended at {@code leaderEnd}. Caught up now if it has all; as of its
     * previous fetch if it has all that there was then (I22).
     */
    void onFetch(LogOffset at, long leaderEnd, long nowNs) {
        proved = at;
        asksToJoin = mayAsk(nowNs);
        if (at.offset() >= leaderEnd) {
            onCaughtUp(nowNs, nowNs);
        } else if (at.offset() >= leaderEndAtLastFetch) {
            onCaughtUp(lastFetchNs, nowNs);
        } else {
            joining = false;
        }
        leaderEndAtLastFetch = leaderEnd;
        lastFetchNs = nowNs;
    }

    /** Time passed: nobody waits for a replica that fell behind on its way to joining. */
    void onCheck(long nowNs) {
        joining &= !IsrRules.lags(caughtUpNs, nowNs, lagTimeMaxNs);
    }

    private void onCaughtUp(long asOfNs, long nowNs) {
        if (!clockRuns || asOfNs - caughtUpNs > 0) {
            caughtUpNs = asOfNs;
        }
        clockRuns = true;
        joining = mayAsk(nowNs);
    }

    /** Whether a fetch at this time counts as a wish to join; during the pause after a refusal it does not. */
    private boolean mayAsk(long nowNs) {
        boolean pauses = refused && nowNs - refusedNs < IsrRules.REFUSAL_PAUSE_NS;
        return assigned && !confirmed && !pauses;
    }
}
