package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.Acks;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.replication.fetch.FetchEntry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The safety rules that a whole replica keeps, kept and waived. Broker 1 leads, broker 2 follows. */
final class ReplicaRulesTest {
    private static final Follower TWO = new Follower(2, 102);

    private static Partition replica(FlushMode flushMode, SafetyRules rules) {
        ReplicaSettings settings =
                new ReplicaSettings(Duration.ofSeconds(30), TruncationMode.LEADER_EPOCH, flushMode, rules);
        return new Partition(new MemoryLog(), 1, () -> 101, settings, 0);
    }

    private static Partition kept() {
        return replica(FlushMode.ASYNC, SafetyRules.ALL);
    }

    private static Partition without(SafetyRule waived) {
        return replica(FlushMode.ASYNC, SafetyRules.without(waived));
    }

    private static void append(Partition partition) {
        assertThat(partition.appendAsLeader(MemoryLog.batch("v"), -1, Acks.LEADER))
                .isInstanceOf(LeaderAppend.Appended.class);
    }

    private static Advance fetch(Partition partition, int leaderEpoch, long offset) {
        FetchEntry entry =
                new FetchEntry(States.TOPIC_ID, States.PARTITION, leaderEpoch, offset, leaderEpoch, 0, 1_000);
        return ((FollowerCount.Counted) partition.countFollowerFetch(entry, TWO, 0)).advance();
    }

    // I6: what 2 proved while the gate was closed is not known any more in the next leader epoch
    // Fails if: Replica.endRole does not ask for PROGRESS_OF_THIS_EPOCH.
    @Test
    void shouldForgetWhatFollowersProvedInAnEarlierEpoch() {
        Partition kept = kept();
        Partition waived = without(SafetyRule.PROGRESS_OF_THIS_EPOCH);
        for (Partition partition : new Partition[] {kept, waived}) {
            // given
            partition.become(States.led(1, 5).minIsr(3).at(1, 1, 2), 0);
            append(partition);
            append(partition);
            fetch(partition, 5, 2);
            assertThat(partition.view().highWatermark()).isZero();
            partition.become(States.led(2, 6).minIsr(2).at(2, 1, 2), 0);

            // when
            partition.become(States.led(1, 7).minIsr(2).at(3, 1, 2), 0);
        }

        // then
        assertThat(kept.view().highWatermark()).isZero();
        assertThat(waived.view().highWatermark()).isEqualTo(2);
    }

    // I6: also what was proved counts no further than the log goes
    // Fails if: Replica.lead hands offsets over that are beyond the log's end.
    @Test
    void shouldCommitNothingThatTheLogDoesNotHaveUnderAnyRules() {
        // given
        Partition waived = without(SafetyRule.PROGRESS_OF_THIS_EPOCH);
        waived.become(States.led(1, 5).minIsr(3).at(1, 1, 2), 0);
        append(waived);
        append(waived);
        fetch(waived, 5, 2);
        waived.become(States.led(2, 6).minIsr(2).at(2, 1, 2), 0);
        waived.truncateAsFollower(6, new EpochEnd(5, 1));

        // when
        waived.become(States.led(1, 7).minIsr(2).at(3, 1, 2), 0);
        append(waived);

        // then
        assertThat(waived.view().highWatermark()).isEqualTo(1);
    }

    // I8: a refusal with an unchanged partition epoch
    // Fails if: Replica.changeBy does not ask for REFUSAL_RAISES_EPOCH.
    @Test
    void shouldHoldAProposalInDoubtUntilTheEpochRises() {
        // given
        PartitionState state = States.led(1, 5).at(1, 1);
        Partition kept = kept();
        Partition waived = without(SafetyRule.REFUSAL_RAISES_EPOCH);
        for (Partition partition : new Partition[] {kept, waived}) {
            partition.become(state, 0);
            append(partition);
            assertThat(fetch(partition, 5, 1).proposal()).isNotNull();
        }

        // when
        Became ignored = kept.become(state, 0);
        Became adopted = waived.become(state, 0);

        // then
        assertThat(ignored.change()).isEqualTo(Became.Change.STALE);
        assertThat(kept.pendingProposal()).isPresent();
        assertThat(adopted.change()).isEqualTo(Became.Change.UPDATED);
        assertThat(waived.pendingProposal()).isEmpty();
    }

    // I9: an older state is ignored under any rules
    // Fails if: RoleChange.isRepeated does not compare partition epochs.
    @Test
    void shouldIgnoreAnOlderStateUnderAnyRules() {
        // given
        Partition waived = without(SafetyRule.REFUSAL_RAISES_EPOCH);
        waived.become(States.led(1, 5).at(2, 1), 0);

        // then
        assertThat(waived.become(States.led(1, 5).at(1, 1, 2), 0).change()).isEqualTo(Became.Change.STALE);
        assertThat(waived.become(States.led(1, 4).at(2, 1), 0).change()).isEqualTo(Became.Change.STALE);
        assertThat(waived.become(States.led(2, 5).at(2, 1), 0).change()).isEqualTo(Became.Change.STALE);
    }

    // I12, DESIGN section 5, sync mode
    // Fails if: ReplicaSettings.countsForcedEnds does not ask for SYNC_COUNTS_FORCED.
    @Test
    void shouldCountForcedEndsAloneInSyncMode() {
        Partition kept = replica(FlushMode.SYNC, SafetyRules.ALL);
        Partition waived = replica(FlushMode.SYNC, SafetyRules.without(SafetyRule.SYNC_COUNTS_FORCED));
        for (Partition partition : new Partition[] {kept, waived}) {
            // given
            partition.become(States.led(1, 5).replicas(1, 2).at(1, 1, 2), 0);

            // when
            append(partition);
            fetch(partition, 5, 1);
        }

        // then
        assertThat(kept.view().highWatermark()).isZero();
        assertThat(waived.view().highWatermark()).isEqualTo(1);
    }
}
