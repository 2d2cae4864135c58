package io.tidemark.replication.follower;

import io.tidemark.replication.partition.Partition;
import java.util.List;

/**
 * What must happen to copied records before the next fetch proves them to the leader: in {@code log.flush.mode=sync} they are
 * forced, since a follower counts with its forced end (DESIGN section 5).
 */
@FunctionalInterface
public interface FollowerFlush {
    /** Asynchronous mode: nothing. */
    FollowerFlush NONE = (appended, done) -> done.run();

    /**
     * Makes the ends of these logs durable. Returns at once.
     *
     * @param appended partitions that grew or were cut since the last call, each once
     * @param done called once, on any thread, also before this returns; never after a storage failure
     */
    void flush(List<Partition> appended, Runnable done);
}
