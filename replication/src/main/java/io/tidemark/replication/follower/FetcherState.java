package io.tidemark.replication.follower;

import io.tidemark.core.log.LogEnd;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.follower.FetcherStep.Append;
import io.tidemark.replication.follower.FetcherStep.Pause;
import io.tidemark.replication.follower.FetcherStep.Restart;
import io.tidemark.replication.follower.FetcherStep.Truncate;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.FollowerPosition;
import io.tidemark.replication.partition.FollowerStep;
import io.tidemark.runtime.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that one fetcher copies from one leader: what to ask next and what to do with each answer (S76, DESIGN
 * section 5). Pure: time is an argument. Not thread-safe; lives on its fetcher's loop.
 *
 * <p>At most one request is out. All partitions share one incremental session: a request names only entries that differ
 * from what the session has, so an idle partition costs nothing. A part of an answer counts only if the partition still
 * stands where that fetch asked: one that was removed, given a new epoch or moved meanwhile ignores it. A partition that is
 * throttled is not asked for while its bucket is empty, unless it is a member of the in-sync set or has all that is committed
 * (scenario 52). What each answer means:
 *
 * <pre>
 * answer's error                       | does
 * -------------------------------------+------------------------------------------------------------
 * NONE                                 | each partition by its own result, below
 * FETCH_SESSION_ID_NOT_FOUND,          | starts a new session: at once the first time, then with backoff
 *   INVALID_FETCH_SESSION_EPOCH        |
 * any other                            | starts a new session after a backoff of the whole fetcher
 *
 * partition's result                   | does
 * -------------------------------------+------------------------------------------------------------
 * diverging                            | Truncate, whatever else is said (KAFKA-14704)
 * NONE                                 | Append
 * OFFSET_OUT_OF_RANGE, below the       | Restart at the leader's log start
 *   leader's log start, or own log empty |
 * OFFSET_OUT_OF_RANGE otherwise        | Pause: a log with records is never dropped on that word alone
 * FENCED_LEADER_EPOCH,                 | Pause for the longest backoff: only a newer state from the
 *   INCONSISTENT_TOPIC_ID              |   controller helps, and that replaces the entry
 * any other                            | Pause, doubling
 * </pre>
 */
final class FetcherState {
    private final FetcherConfig config;
    private final Backoff backoff;
    private final TargetThrottle throttle;
    private final TreeMap<TopicPartition, Entry> entries = new TreeMap<>();

    /** What the leader's session holds once it has processed what was sent. */
    private final TreeMap<TopicPartition, FetchEntry> told = new TreeMap<>();

    /** Partitions whose entry may differ from what was told. */
    private final TreeSet<TopicPartition> dirty = new TreeSet<>();

    /** Partitions to be named again even if their entry is as told: the leader has answered it, and that failed. */
    private final TreeSet<TopicPartition> failed = new TreeSet<>();

    /** Paused partitions by the time at which they come back. */
    private final TreeSet<Due> paused = new TreeSet<>();

    /** Partitions that are not asked for because the throttle has no tokens; none of them is paused. */
    private TreeSet<TopicPartition> held = new TreeSet<>();

    private @Nullable Follower sessionOwner;
    private long sessionId;
    private int sessionEpoch;
    private boolean outstanding;
    private int sessionFailures;
    private int channelFailures;
    private @Nullable Long blockedUntilNs;

    private record Due(long atNs, TopicPartition partition) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : partition.compareTo(other.partition);
        }
    }

    private static final class Entry {
        private FollowerPosition position;
        private int failures;
        private boolean hasCommitted;
        private @Nullable Due pausedUntil;

        private Entry(FollowerPosition position) {
            this.position = position;
        }
    }

    FetcherState(FetcherConfig config, Randomness randomness, TargetThrottle throttle) {
        this.config = config;
        this.throttle = throttle;
        this.backoff = new Backoff(config.minBackoff(), config.maxBackoff(), randomness);
    }

    /** Starts to copy the partition, or goes on from another position or in another epoch; ends its pause. */
    void add(FollowerPosition position) {
        remove(position.partition());
        entries.put(position.partition(), new Entry(position));
        // What was answered while nobody listened is not told again unless the entry is named again.
        failed.add(position.partition());
    }

    /**
     * Where the replica stands, read after a step was refused: it may have come there by another way, and asking from where
     * it was thought to be would bring the same refusal for ever.
     */
    void standsAt(FollowerPosition position) {
        Entry entry = entries.get(position.partition());
        if (entry != null && entry.position.leaderEpoch() == position.leaderEpoch()) {
            entry.position = position;
            dirty.add(position.partition());
        }
    }

    /** Stops copying the partition; what is still answered about it is ignored. */
    void remove(TopicPartition partition) {
        Entry entry = entries.remove(partition);
        if (entry != null) {
            endPause(entry);
        }
        held.remove(partition);
        dirty.add(partition);
    }

    /** Forgets every pause, that of the fetcher included: the leader is known to be there again. */
    void endPauses() {
        blockedUntilNs = null;
        channelFailures = 0;
        for (Due due : List.copyOf(paused)) {
            release(due);
        }
    }

    /** The connection was replaced: what was out will not be answered, and the next request opens a new session. */
    void forgetConnection() {
        outstanding = false;
        sessionId = 0;
    }

    /** When {@link #nextRequest} may have something to say; empty if not before something else happens. */
    OptionalLong wakeAtNs(long nowNs) {
        if (outstanding || entries.isEmpty()) {
            return OptionalLong.empty();
        }
        if (blockedUntilNs != null) {
            return OptionalLong.of(blockedUntilNs);
        }
        if (paused.size() + held.size() < entries.size()) {
            return OptionalLong.empty();
        }
        long pausedUntilNs = paused.isEmpty() ? Long.MAX_VALUE : paused.first().atNs();
        long heldUntilNs = held.isEmpty() ? Long.MAX_VALUE : throttle.opensAtNs(nowNs);
        return OptionalLong.of(Math.min(pausedUntilNs, heldUntilNs));
    }

    /**
     * The request to send now, which is then outstanding until {@link #onAnswer}; empty while one is out, during a
     * backoff, and when there is nothing to fetch.
     *
     * @param self this broker under its current broker epoch; another one than before starts a new session
     */
    Optional<ReplicaFetch.Request> nextRequest(Follower self, long nowNs) {
        if (outstanding || isBlocked(nowNs)) {
            return Optional.empty();
        }
        while (!paused.isEmpty() && paused.first().atNs() <= nowNs) {
            release(paused.first());
        }
        holdBack(nowNs);
        if (paused.size() + held.size() == entries.size()) {
            return Optional.empty();
        }
        outstanding = true;
        if (sessionId == 0 || !self.equals(sessionOwner)) {
            openSession(self);
        } else {
            sessionEpoch++;
        }
        return Optional.of(request(self, nowNs));
    }

    /** Decides anew what is not asked for, at a cost of the throttled partitions alone. */
    private void holdBack(long nowNs) {
        TreeSet<TopicPartition> shut = new TreeSet<>();
        for (TopicPartition partition : throttle.shut(nowNs)) {
            Entry entry = entries.get(partition);
            if (entry != null && entry.pausedUntil == null && isLimited(partition, entry)) {
                shut.add(partition);
            }
        }
        if (!shut.equals(held)) {
            dirty.addAll(shut);
            dirty.addAll(held);
            held = shut;
        }
    }

    /** One that has all that is committed may be about to join: nobody is to wait for it because of a throttle. */
    private boolean isLimited(TopicPartition partition, Entry entry) {
        return !entry.hasCommitted && throttle.limits(partition);
    }

    private boolean isBlocked(long nowNs) {
        if (blockedUntilNs != null && blockedUntilNs <= nowNs) {
            blockedUntilNs = null;
        }
        return blockedUntilNs != null;
    }

    private void openSession(Follower self) {
        sessionOwner = self;
        sessionId = 0;
        sessionEpoch = 0;
        told.clear();
        failed.clear();
        dirty.clear();
        dirty.addAll(entries.keySet());
    }

    private ReplicaFetch.Request request(Follower self, long nowNs) {
        List<FetchEntry> changed = new ArrayList<>();
        List<TopicPartition> forgotten = new ArrayList<>();
        for (TopicPartition partition : dirty) {
            FetchEntry wanted = wanted(partition);
            FetchEntry had = wanted == null ? told.remove(partition) : told.put(partition, wanted);
            if (wanted == null && had != null) {
                forgotten.add(partition);
            } else if (wanted != null && (failed.contains(partition) || !wanted.equals(had))) {
                changed.add(wanted);
            }
            failed.remove(partition);
        }
        dirty.clear();
        return new ReplicaFetch.Request(
                self,
                sessionId,
                sessionEpoch,
                maxWaitMs(nowNs),
                config.minBytes(),
                config.responseMaxBytes(),
                changed,
                forgotten);
    }

    /** Not beyond the moment at which there is more to ask for. */
    private int maxWaitMs(long nowNs) {
        long longestMs = config.maxWait().toMillis();
        if (!held.isEmpty()) {
            long untilOpenMs = TimeUnit.NANOSECONDS.toMillis(throttle.opensAtNs(nowNs) - nowNs) + 1;
            longestMs = Math.min(longestMs, untilOpenMs);
        }
        return Math.toIntExact(longestMs);
    }

    private @Nullable FetchEntry wanted(TopicPartition partition) {
        Entry entry = entries.get(partition);
        if (entry == null || entry.pausedUntil != null || held.contains(partition)) {
            return null;
        }
        FollowerPosition at = entry.position;
        return new FetchEntry(
                at.topicId(),
                partition,
                at.leaderEpoch(),
                at.fetchOffset(),
                at.lastFetchedEpoch(),
                at.logStartOffset(),
                config.partitionMaxBytes());
    }

    /** What to do with an answer, in its order; the answered request is no longer outstanding. */
    List<FetcherStep> onAnswer(ReplicaFetch.Answer answer, long nowNs) {
        Invariant.check(outstanding, "an answer without a request");
        outstanding = false;
        switch (answer.error()) {
            case NONE -> {
                sessionId = answer.sessionId();
                sessionFailures = 0;
                channelFailures = 0;
                return steps(answer.results(), nowNs);
            }
            case FETCH_SESSION_ID_NOT_FOUND, INVALID_FETCH_SESSION_EPOCH -> {
                sessionFailures++;
                if (sessionFailures > 1) {
                    blockedUntilNs = nowNs + backoff.pauseNs(sessionFailures - 1);
                }
            }
            default -> {
                channelFailures++;
                blockedUntilNs = nowNs + backoff.pauseNs(channelFailures);
            }
        }
        sessionId = 0;
        return List.of();
    }

    private List<FetcherStep> steps(List<ReplicaFetch.Result> results, long nowNs) {
        List<FetcherStep> steps = new ArrayList<>(results.size());
        Set<TopicPartition> seen = new TreeSet<>();
        for (ReplicaFetch.Result result : results) {
            FetchEntry asked = told.get(result.partition());
            if (asked != null && asked.equals(wanted(result.partition())) && seen.add(result.partition())) {
                charge(result, nowNs);
                steps.add(decide(asked, result, nowNs));
            }
        }
        return steps;
    }

    private void charge(ReplicaFetch.Result result, long nowNs) {
        int sizeBytes = result.batches().remaining();
        if (sizeBytes > 0 && isLimited(result.partition(), entryOf(result.partition()))) {
            throttle.received(sizeBytes, nowNs);
        }
    }

    private FetcherStep decide(FetchEntry asked, ReplicaFetch.Result result, long nowNs) {
        if (result.diverging() != null) {
            return new Truncate(asked, result.diverging());
        }
        return switch (result.error()) {
            case NONE -> new Append(asked, result);
            case OFFSET_OUT_OF_RANGE -> outOfRange(asked, result, nowNs);
            case FENCED_LEADER_EPOCH, INCONSISTENT_TOPIC_ID ->
                pause(asked.partition(), nowNs + backoff.longestNs(), result.error());
            default -> pauseAfterFailure(asked.partition(), nowNs, result.error());
        };
    }

    private FetcherStep outOfRange(FetchEntry asked, ReplicaFetch.Result result, long nowNs) {
        boolean emptyLog = asked.lastFetchedEpoch() < 0;
        if (result.logStartOffset() >= 0 && (asked.fetchOffset() < result.logStartOffset() || emptyLog)) {
            return new Restart(asked, result.logStartOffset());
        }
        return pauseAfterFailure(asked.partition(), nowNs, result.error());
    }

    /**
     * Takes over what became of a step that touched the log.
     *
     * @return the pause that it led to, if any
     */
    Optional<Pause> onStep(FetcherStep step, FollowerStep outcome, long nowNs) {
        TopicPartition partition = step.partition();
        Entry entry = entries.get(partition);
        FetchEntry asked = told.get(partition);
        if (entry == null || asked == null || !asked.equals(wanted(partition))) {
            return Optional.empty();
        }
        if (outcome instanceof FollowerStep.Done done) {
            return onDone(step, entry, done, nowNs);
        }
        if (outcome instanceof FollowerStep.Refused refused) {
            return Optional.of(pauseAfterFailure(partition, nowNs, refused.error()));
        }
        // The replica has another role by now: whoever changed it says what to do next.
        remove(partition);
        return Optional.empty();
    }

    private Optional<Pause> onDone(FetcherStep step, Entry entry, FollowerStep.Done done, long nowNs) {
        FollowerPosition before = entry.position;
        LogEnd end = done.end();
        entry.position = new FollowerPosition(
                before.topicId(),
                before.partition(),
                before.leaderEpoch(),
                before.leader(),
                end.offset(),
                end.lastEpoch(),
                done.logStartOffset());
        boolean moved = !entry.position.equals(before);
        boolean expected =
                !(step instanceof Append append) || append.result().batches().hasRemaining();
        if (!moved && expected) {
            // Asking the same again would bring the same again.
            return Optional.of(pauseAfterFailure(before.partition(), nowNs, ErrorCode.UNKNOWN_SERVER_ERROR));
        }
        entry.failures = 0;
        entry.hasCommitted =
                step instanceof Append copied && end.offset() >= copied.result().highWatermark();
        if (moved) {
            dirty.add(before.partition());
        }
        return Optional.empty();
    }

    /** Leaves a partition out because something about it failed here. */
    Pause pauseAfterFailure(TopicPartition partition, long nowNs, ErrorCode reason) {
        Entry entry = entryOf(partition);
        entry.failures++;
        return pause(partition, nowNs + backoff.pauseNs(entry.failures), reason);
    }

    private Pause pause(TopicPartition partition, long untilNs, ErrorCode reason) {
        Entry entry = entryOf(partition);
        endPause(entry);
        Due due = new Due(untilNs, partition);
        entry.pausedUntil = due;
        paused.add(due);
        failed.add(partition);
        dirty.add(partition);
        return new Pause(partition, untilNs, reason);
    }

    private void release(Due due) {
        Entry entry = entryOf(due.partition());
        endPause(entry);
        dirty.add(due.partition());
    }

    private Entry entryOf(TopicPartition partition) {
        Entry entry = entries.get(partition);
        if (entry == null) {
            throw new Invariant.InvariantBrokenException("not copied by this fetcher: " + partition);
        }
        return entry;
    }

    private void endPause(Entry entry) {
        if (entry.pausedUntil != null) {
            paused.remove(entry.pausedUntil);
            entry.pausedUntil = null;
        }
    }
}
