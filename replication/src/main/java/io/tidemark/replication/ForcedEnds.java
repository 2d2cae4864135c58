package io.tidemark.replication;

import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogFlushers;
import io.tidemark.replication.follower.FollowerFlush;
import io.tidemark.replication.partition.Advance;
import io.tidemark.replication.partition.Partition;
import java.util.List;
import java.util.Optional;

/**
 * Sync mode (DESIGN section 5): what the flushers make durable moves the high watermarks of leaders, and is waited for by followers
 * before their next fetch. Holds nothing; called on flushers' threads and fetchers' loops, with no lock held.
 */
final class ForcedEnds implements FollowerFlush {
    private final LogFlushers flushers;
    private final PartitionTable partitions;
    private final Signals signals;

    ForcedEnds(LogFlushers flushers, PartitionTable partitions, Signals signals) {
        this.flushers = flushers;
        this.partitions = partitions;
        this.signals = signals;
    }

    /** Hears of every force from now on. */
    ForcedEnds listen() {
        flushers.onForced(this::onForced);
        return this;
    }

    @Override
    public void flush(List<Partition> appended, Runnable done) {
        flushers.force(appended.stream().map(Partition::log).toList(), done);
    }

    private void onForced(Log log) {
        Optional<Partition> replica =
                partitions.find(log.partition()).filter(found -> found.topicId().equals(log.topicId()));
        if (replica.isPresent()) {
            Advance advance = replica.get().onLocalForced();
            if (advance.moved()) {
                signals.advanced(log.partition(), advance);
            }
        }
    }
}
