package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import org.junit.jupiter.api.Test;

final class TruncationRuleTest {
    private static final TruncationRule BY_EPOCH = new TruncationRule(TruncationMode.LEADER_EPOCH);
    private static final TruncationRule BY_HIGH_WATERMARK = new TruncationRule(TruncationMode.HIGH_WATERMARK);

    @Test
    void shouldCutNothingBeforeTheLeaderHasAnswered() {
        assertThat(BY_EPOCH.onBecomeFollower(3)).isEmpty();
        assertThat(BY_HIGH_WATERMARK.onBecomeFollower(3)).hasValue(3);
    }

    @Test
    void shouldCutToTheLeadersEndOfASharedEpoch() {
        // KAFKA-14704: own epochs [0,0,2,4,4,4], the leader's epoch 2 ends at 3
        MemoryLog own = MemoryLog.of(0, 0, 2, 4, 4, 4);
        assertThat(BY_EPOCH.onDiverging(new EpochEnd(2, 3), own.epochs())).isEqualTo(3);
    }

    @Test
    void shouldCutToItsOwnEndWhenThatComesFirst() {
        // the leader's epoch 2 goes on to 9, of which this log has one record
        MemoryLog own = MemoryLog.of(0, 0, 2, 4, 4, 4);
        assertThat(BY_EPOCH.onDiverging(new EpochEnd(2, 9), own.epochs())).isEqualTo(3);
    }

    @Test
    void shouldCutToTheEndOfItsOwnNextLowerEpochWhenItDoesNotKnowTheLeaders() {
        // KAFKA-6361: the leader names epoch 3, which this log never saw: its own largest below is 1, ending at 2
        // Fails if: onDiverging goes by the leader's end alone
        MemoryLog own = MemoryLog.of(0, 1, 4, 4);
        assertThat(BY_EPOCH.onDiverging(new EpochEnd(3, 4), own.epochs())).isEqualTo(2);
    }

    @Test
    void shouldCutEverythingWhenNothingIsShared() {
        MemoryLog own = MemoryLog.of(4, 4);
        assertThat(BY_EPOCH.onDiverging(new EpochEnd(2, 7), own.epochs())).isZero();
        assertThat(BY_EPOCH.onDiverging(new EpochEnd(2, 0), own.epochs())).isZero();
    }

    @Test
    void shouldFollowTheLeadersEndWithoutAHistory() {
        assertThat(BY_EPOCH.onDiverging(new EpochEnd(2, 7), new MemoryLog().epochs()))
                .isEqualTo(7);
    }

    @Test
    void shouldMeetWithTheLeaderInAFewRounds() {
        // I3: after fast leader changes both logs hold epochs that the other never saw
        // scenario 40. Fails if: onDiverging goes by the leader's end alone
        MemoryLog leader = MemoryLog.of(0, 0, 1, 1, 3, 3, 5);
        MemoryLog follower = MemoryLog.of(0, 0, 1, 2, 2, 4, 4, 4, 4);
        int rounds = 0;
        while (true) {
            var diverging = Fencing.divergence(
                    leader.epochs(), follower.end().lastEpoch(), follower.end().offset());
            if (diverging.isEmpty()) {
                break;
            }
            long before = follower.end().offset();
            follower.truncateTo(BY_EPOCH.onDiverging(diverging.get(), follower.epochs()));
            assertThat(follower.end().offset()).isLessThan(before);
            rounds++;
        }
        assertThat(follower.epochByOffset()).containsExactly(0, 0, 1);
        assertThat(rounds).isLessThanOrEqualTo(3);
    }
}
