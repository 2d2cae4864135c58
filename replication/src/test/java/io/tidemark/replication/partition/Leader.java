package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.log.LogEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRules;
import java.time.Duration;

/** A leader (broker 1, broker epoch 101) in epoch 5 with the time and the local end that the test sets. */
final class Leader {
    private static final Duration LAG = Duration.ofSeconds(30);
    private static final long SECOND = 1_000_000_000L;

    final HighWatermark highWatermark;
    final LeaderRole role;
    long endOffset;
    long timeNs = 1_000 * SECOND;

    Leader(PartitionState state, long highWatermark, long endOffset) {
        this(state, highWatermark, endOffset, SafetyRules.ALL);
    }

    Leader(PartitionState state, long highWatermark, long endOffset, SafetyRules rules) {
        this.highWatermark = HighWatermark.loaded(highWatermark, 0, endOffset);
        this.highWatermark.locate(highWatermark * 10);
        this.endOffset = endOffset;
        ReplicaSettings settings = new ReplicaSettings(LAG, TruncationMode.LEADER_EPOCH, FlushMode.ASYNC, rules);
        this.role = new LeaderRole(state, end(), this.highWatermark, settings, timeNs);
        this.role.onLocalEnd(end());
    }

    LogEnd end() {
        return new LogEnd(endOffset, endOffset * 10, 5);
    }

    LeaderNow now() {
        return new LeaderNow(timeNs, end(), end(), 101);
    }

    Advance appendTo(long offset) {
        endOffset = offset;
        return role.onLocalEnd(end());
    }

    Advance fetch(Follower follower, long offset) {
        assertThat(role.admits(follower)).isEqualTo(ErrorCode.NONE);
        return role.onFetch(follower, new LogOffset(offset, offset * 10), now());
    }

    Advance round(Follower follower) {
        return role.onSessionRound(follower, now());
    }

    Advance check() {
        return role.checkIsr(now());
    }

    Advance adopt(PartitionState state) {
        return role.adopt(state, now());
    }

    void pass(Duration time) {
        timeNs += time.toNanos();
    }

    long hw() {
        return highWatermark.offset();
    }
}
