package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.ReadRequest.Minimum;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.replication.fetch.FetchEntry;
import org.junit.jupiter.api.Test;

/** The safety rules of a follower's fetch and of its cuts, kept and waived. Broker 1 leads in epoch 5. */
final class FencingRulesTest {
    private static final Follower TWO = new Follower(2, 102);
    private static final int MAX_BYTES = 1_000;

    private static Partition leader(MemoryLog log, SafetyRules rules) {
        Partition partition = new Partition(log, 1, () -> 101, ReplicaSettings.DEFAULTS.withRules(rules), 0);
        partition.become(States.led(1, 5).at(1, 1, 2), 0);
        return partition;
    }

    private static FetchEntry entry(int leaderEpoch, long offset, int lastEpoch) {
        return new FetchEntry(States.TOPIC_ID, States.PARTITION, leaderEpoch, offset, lastEpoch, 0, MAX_BYTES);
    }

    private static FollowerCount count(Partition partition, FetchEntry entry) {
        return partition.countFollowerFetch(entry, TWO, 0);
    }

    private static FollowerRead read(Partition partition, FetchEntry entry) {
        return partition.readForFollower(entry, MAX_BYTES, Minimum.ONE_BATCH);
    }

    // I4, I5
    // Fails if: FollowerFence.check does not ask for FETCH_IN_ONE_EPOCH.
    @Test
    void shouldFenceAFetchOfAnotherEpoch() {
        // given
        Partition kept = leader(MemoryLog.of(3, 3), SafetyRules.ALL);
        Partition waived = leader(MemoryLog.of(3, 3), SafetyRules.without(SafetyRule.FETCH_IN_ONE_EPOCH));

        for (int epoch : new int[] {4, 6}) {
            FetchEntry entry = entry(epoch, 1, 3);
            // then
            assertThat(count(kept, entry)).isInstanceOf(FollowerCount.Refused.class);
            assertThat(read(kept, entry)).isInstanceOf(FollowerRead.Refused.class);
            assertThat(count(waived, entry)).isInstanceOf(FollowerCount.Counted.class);
            assertThat(read(waived, entry)).isInstanceOf(FollowerRead.Data.class);
        }
    }

    // I4: who does not lead serves nobody
    // Fails if: FollowerFence.check answers NONE without asking for the role.
    @Test
    void shouldServeFollowersAsLeaderOnlyUnderAnyRules() {
        // given
        Partition waived = leader(MemoryLog.of(3, 3), SafetyRules.without(SafetyRule.FETCH_IN_ONE_EPOCH));
        waived.become(States.led(2, 6).at(2, 1, 2), 0);

        // then
        assertThat(count(waived, entry(5, 1, 3)))
                .isEqualTo(new FollowerCount.Refused(ErrorCode.NOT_LEADER_OR_FOLLOWER, 0));
    }

    // I5: the follower's last record is of epoch 4, of which this log has none
    // Fails if: FollowerFence.divergence does not ask for DIVERGENCE_FIRST.
    @Test
    void shouldCompareTheEpochOfTheLastRecord() {
        // given
        Partition kept = leader(MemoryLog.of(3, 3), SafetyRules.ALL);
        Partition waived = leader(MemoryLog.of(3, 3), SafetyRules.without(SafetyRule.DIVERGENCE_FIRST));
        FetchEntry entry = entry(5, 2, 4);

        // then
        assertThat(count(kept, entry)).isEqualTo(new FollowerCount.Diverging(new EpochEnd(3, 2)));
        assertThat(read(kept, entry)).isEqualTo(new FollowerRead.Diverging(new EpochEnd(3, 2)));
        assertThat(count(waived, entry)).isInstanceOf(FollowerCount.Counted.class);
        assertThat(read(waived, entry)).isInstanceOf(FollowerRead.Data.class);
    }

    // I3, its counterexample: m0 of epoch 0 is committed, m1 of epoch 1 is this log's alone, its high watermark is
    // still 0
    // Fails if: TruncationRule.onDiverging does not ask for EPOCH_WALK.
    @Test
    void shouldNeverFallBackToTheHighWatermark() {
        // given
        MemoryLog own = MemoryLog.of(0, 1);
        EpochEnd leaders = new EpochEnd(0, 1);

        // then
        assertThat(rule(SafetyRules.ALL).onDiverging(leaders, own.epochs(), 0)).isEqualTo(1);
        assertThat(rule(SafetyRules.without(SafetyRule.EPOCH_WALK)).onDiverging(leaders, own.epochs(), 0))
                .isZero();
    }

    // I3: one look-up is enough where the leader knows the epoch, and a cut gets on in any case
    // Fails if: TruncationRule.onDiverging falls back for an epoch that both have, or to a high watermark at the log's
    // end.
    @Test
    void shouldFallBackOnlyWhereTheLeaderHasNoSuchEpoch() {
        // given
        TruncationRule waived = rule(SafetyRules.without(SafetyRule.EPOCH_WALK));
        MemoryLog own = MemoryLog.of(0, 1, 1);

        // then
        assertThat(waived.onDiverging(new EpochEnd(1, 2), own.epochs(), 0)).isEqualTo(2);
        assertThat(waived.onDiverging(new EpochEnd(0, 1), own.epochs(), 3)).isEqualTo(1);
        assertThat(waived.onDiverging(new EpochEnd(0, 7), new MemoryLog().epochs(), 0))
                .isEqualTo(7);
    }

    private static TruncationRule rule(SafetyRules rules) {
        return new TruncationRule(TruncationMode.LEADER_EPOCH, rules);
    }
}
