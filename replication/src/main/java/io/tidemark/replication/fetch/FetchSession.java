package io.tidemark.replication.fetch;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.Partition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a leader remembers between the fetches of one fetcher of one follower: the partitions, where each stands, what was
 * told last, and which of them there may be something to say about (the marked ones). All work is done on marked
 * partitions, so an idle one costs nothing.
 *
 * <p>Thread-safe: one lock, under which nothing is called but volatile reads. Marks may come from any thread at any time;
 * everything else belongs to the one request that is under way.
 */
final class FetchSession {
    private final long id;
    private final Follower follower;
    private final TreeMap<TopicPartition, Tracked> tracked = new TreeMap<>();

    /** Oldest mark first: what an answer had no room for comes first in the next one (KAFKA-2063). */
    private final LinkedHashSet<TopicPartition> marked = new LinkedHashSet<>();

    /** Partitions that wait for the throttle's tokens, oldest first. */
    private final LinkedHashSet<TopicPartition> held = new LinkedHashSet<>();

    private int epoch;
    private boolean busy = true;
    private boolean urgent;
    private boolean closed;
    private boolean waking;
    private @Nullable Long lastRoundNs;

    /** One partition of the session; fields change under the session's lock. */
    static final class Tracked {
        private final FetchEntry entry;
        private @Nullable Partition partition;
        private boolean throttled;
        private long fetchPosition = Long.MAX_VALUE;
        private long toldHighWatermark = -1;
        private long toldLogStart = -1;

        private Tracked(FetchEntry entry) {
            this.entry = entry;
        }

        FetchEntry entry() {
            return entry;
        }

        private long availableBytes() {
            if (partition == null || throttled || fetchPosition == Long.MAX_VALUE) {
                return 0;
            }
            return Math.max(0, partition.log().end().position() - fetchPosition);
        }
    }

    /** A session whose first request, of epoch 0, is under way. */
    FetchSession(long id, Follower follower) {
        this.id = id;
        this.follower = follower;
    }

    long id() {
        return id;
    }

    Follower follower() {
        return follower;
    }

    /**
     * Begins the request with that epoch: the one after the last, and only while no other is under way.
     *
     * @return whether it may go on
     */
    synchronized boolean begin(int requestEpoch) {
        if (closed || busy || requestEpoch != epoch + 1) {
            return false;
        }
        epoch = requestEpoch;
        busy = true;
        return true;
    }

    /** The request under way was answered; the next may come. */
    synchronized void finish() {
        busy = false;
    }

    /** Ends the session: whoever waits in it is to be answered. */
    synchronized void close() {
        closed = true;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Takes over what the follower says has changed; marks it. */
    synchronized void update(List<FetchEntry> changed, List<TopicPartition> forgotten) {
        for (TopicPartition partition : forgotten) {
            tracked.remove(partition);
            marked.remove(partition);
            held.remove(partition);
        }
        for (FetchEntry entry : changed) {
            Tracked before = tracked.get(entry.partition());
            Tracked now = new Tracked(entry);
            if (before != null && before.entry.currentLeaderEpoch() == entry.currentLeaderEpoch()) {
                now.toldHighWatermark = before.toldHighWatermark;
                now.toldLogStart = before.toldLogStart;
            }
            tracked.put(entry.partition(), now);
            held.remove(entry.partition());
            marked.remove(entry.partition());
            marked.add(entry.partition());
        }
    }

    synchronized boolean holds(TopicPartition partition) {
        return tracked.containsKey(partition);
    }

    synchronized List<TopicPartition> partitions() {
        return List.copyOf(tracked.keySet());
    }

    synchronized @Nullable Tracked tracked(TopicPartition partition) {
        return tracked.get(partition);
    }

    /** The leader has counted what the entry proves: from now on it is read and waited for. */
    synchronized void counted(Tracked at, Partition partition) {
        at.partition = partition;
    }

    /** The follower is told an error or a divergence: until it says something else, the partition is left alone. */
    synchronized void refused(Tracked at) {
        at.partition = null;
    }

    /** The partition to read from; null if the entry is not counted. */
    synchronized @Nullable Partition source(Tracked at) {
        return at.partition;
    }

    /**
     * The unchanged partitions of which the leader is to be told that their follower still fetches; empty unless a round is
     * due.
     */
    synchronized List<Partition> dueRound(Set<TopicPartition> changed, long nowNs, long intervalNs) {
        if (lastRoundNs != null && nowNs - lastRoundNs < intervalNs) {
            return List.of();
        }
        lastRoundNs = nowNs;
        List<Partition> unchanged = new ArrayList<>();
        for (Map.Entry<TopicPartition, Tracked> each : tracked.entrySet()) {
            Tracked at = each.getValue();
            if (at.partition != null && !changed.contains(each.getKey())) {
                unchanged.add(at.partition);
                if (at.partition.log().startOffset() != at.toldLogStart) {
                    marked.add(each.getKey());
                }
            }
        }
        return unchanged;
    }

    /**
     * There may be something to say about the partition, if the session has it.
     *
     * @return whether a request is under way that may wait for it; if not, the next one finds the mark
     */
    synchronized boolean mark(TopicPartition partition) {
        if (tracked.containsKey(partition)) {
            marked.add(partition);
        }
        return busy;
    }

    /** As {@link #mark}, and the request must not wait any longer. */
    synchronized boolean markUrgent(TopicPartition partition) {
        urgent |= tracked.containsKey(partition);
        return mark(partition);
    }

    /** The marked partitions, oldest mark first; their marks are taken away. */
    synchronized List<Tracked> takeMarked() {
        List<Tracked> taken = new ArrayList<>(marked.size());
        for (TopicPartition partition : marked) {
            Tracked at = tracked.get(partition);
            if (at != null) {
                taken.add(at);
            }
        }
        marked.clear();
        urgent = false;
        return taken;
    }

    /** Whether what a marked partition is to be given next lies far from its log's end. Reads volatiles only. */
    synchronized boolean isCold() {
        for (TopicPartition partition : marked) {
            Tracked at = tracked.get(partition);
            Partition source = at == null ? null : at.partition;
            if (source != null && at != null && ColdReads.isCold(source.log(), at.entry.fetchOffset())) {
                return true;
            }
        }
        return false;
    }

    /** Puts marks back in front of those that came meanwhile: the partitions could not be told about. */
    synchronized void restoreMarks(List<Tracked> untold) {
        if (untold.isEmpty()) {
            return;
        }
        List<TopicPartition> later = List.copyOf(marked);
        marked.clear();
        for (Tracked at : untold) {
            if (tracked.get(at.entry.partition()) == at) {
                marked.add(at.entry.partition());
            }
        }
        marked.addAll(later);
    }

    /**
     * What the throttle held is marked and counts again, as far as it may go.
     *
     * @param mayGo reads volatiles only
     * @return whether there was anything
     */
    synchronized boolean releaseHeld(Predicate<TopicPartition> mayGo) {
        boolean released = false;
        for (TopicPartition partition : List.copyOf(held)) {
            Tracked at = tracked.get(partition);
            if (at != null && mayGo.test(partition)) {
                at.throttled = false;
                held.remove(partition);
                marked.add(partition);
                released = true;
            }
        }
        return released;
    }

    /** Whether the throttle holds anything of it. */
    synchronized boolean isHeld() {
        return !held.isEmpty();
    }

    /**
     * Where the fetch offset lies, from a read. What the throttle holds counts as nothing until {@link #releaseHeld}, or until
     * another read may have it.
     */
    synchronized void readAt(Tracked at, long fetchPosition, Allowance allowance) {
        at.fetchPosition = fetchPosition;
        boolean holds = allowance == Allowance.HELD;
        if (holds && tracked.get(at.entry.partition()) == at) {
            held.add(at.entry.partition());
        } else if (at.throttled) {
            held.remove(at.entry.partition());
        }
        at.throttled = holds;
    }

    /** How much more the leader has than the follower asked for. */
    synchronized long availableBytes(Tracked at) {
        return at.availableBytes();
    }

    /** Whether the answer would tell another high watermark or log start than the one before. */
    synchronized boolean isNews(Tracked at, long highWatermark, long logStartOffset) {
        return at.toldHighWatermark != highWatermark || at.toldLogStart != logStartOffset;
    }

    /** The answer that is now given tells this. */
    synchronized void told(ReplicaFetch.Result result) {
        Tracked at = tracked.get(result.partition());
        if (at != null && result.error() == ErrorCode.NONE && result.diverging() == null) {
            at.toldHighWatermark = result.highWatermark();
            at.toldLogStart = result.logStartOffset();
        }
    }

    /** Whether the caller is to wake whoever waits; false while another wake-up is on its way. */
    synchronized boolean claimWakeUp() {
        boolean claimed = !waking;
        waking = true;
        return claimed;
    }

    /** The wake-up begins: what is marked from now on needs another one. */
    synchronized void releaseWakeUp() {
        waking = false;
    }

    /**
     * Whether the request that waits is to be answered: the sum of log end position - fetch position over the marked
     * partitions is enough (S32, S33), something ended, or the session did. Reads volatiles only.
     */
    synchronized boolean isReady(int minBytes) {
        if (closed || urgent) {
            return true;
        }
        long availableBytes = 0;
        for (TopicPartition partition : marked) {
            Tracked at = tracked.get(partition);
            availableBytes += at == null ? 0 : at.availableBytes();
            if (availableBytes >= minBytes) {
                return true;
            }
        }
        return availableBytes >= minBytes;
    }

    @Override
    public String toString() {
        return "session " + id + " of " + follower;
    }
}
