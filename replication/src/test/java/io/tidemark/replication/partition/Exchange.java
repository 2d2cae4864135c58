package io.tidemark.replication.partition;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A follower's fetch in its three steps, so that a test can hold any of them back. */
public final class Exchange {
    private static final int MAX_BYTES = 1 << 20;

    private Exchange() {}

    /** What the follower asks now. */
    public static FetchEntry ask(Partition follower) {
        FollowerPosition at = follower.followerPosition().orElseThrow();
        return new FetchEntry(
                at.topicId(),
                at.partition(),
                at.leaderEpoch(),
                at.fetchOffset(),
                at.lastFetchedEpoch(),
                at.logStartOffset(),
                MAX_BYTES);
    }

    /** What the leader answers: counts first, then reads. */
    public static ReplicaFetch.Result answer(Partition leader, FetchEntry entry, Follower follower, long nowNs) {
        FollowerCount count = leader.countFollowerFetch(entry, follower, nowNs);
        if (count instanceof FollowerCount.Diverging diverging) {
            return result(leader, ErrorCode.NONE, -1, diverging.end());
        }
        if (count instanceof FollowerCount.Refused refused) {
            return result(leader, refused.error(), refused.logStartOffset(), null);
        }
        FollowerRead read = leader.readForFollower(entry, MAX_BYTES, ReadRequest.Minimum.ONE_BATCH);
        if (read instanceof FollowerRead.Data data) {
            return new ReplicaFetch.Result(
                    leader.partition(),
                    ErrorCode.NONE,
                    data.highWatermark(),
                    data.logStartOffset(),
                    data.batches(),
                    null);
        }
        FollowerRead.Refused refused = (FollowerRead.Refused) read;
        return result(leader, refused.error(), refused.logStartOffset(), null);
    }

    /** What the follower does with an answer to what it asked in {@code leaderEpoch}. */
    public static FollowerStep take(Partition follower, int leaderEpoch, ReplicaFetch.Result answer) {
        if (answer.diverging() != null) {
            return follower.truncateAsFollower(leaderEpoch, answer.diverging());
        }
        if (answer.error() == ErrorCode.OFFSET_OUT_OF_RANGE) {
            return follower.restartAsFollower(leaderEpoch, answer.logStartOffset());
        }
        return follower.appendAsFollower(leaderEpoch, answer);
    }

    /** All three. */
    public static FollowerStep run(Partition follower, Follower name, Partition leader, long nowNs) {
        FetchEntry entry = ask(follower);
        return take(follower, entry.currentLeaderEpoch(), answer(leader, entry, name, nowNs));
    }

    private static ReplicaFetch.Result result(
            Partition leader, ErrorCode error, long logStart, @Nullable EpochEnd diverging) {
        return new ReplicaFetch.Result(
                leader.partition(), error, leader.view().highWatermark(), logStart, ByteBuffer.allocate(0), diverging);
    }
}
