package io.tidemark.replication.partition;

import io.tidemark.core.log.LeaderEpochs;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.replication.fetch.FetchEntry;
import java.util.Optional;

/** The two checks of a follower's fetch (I5), both when it is counted and when it is read for. Pure. */
final class FollowerFence {
    private final SafetyRules rules;

    FollowerFence(SafetyRules rules) {
        this.rules = rules;
    }

    /** Whether the fetch is let in: both are in the same leader epoch, and this replica leads in it. */
    ErrorCode check(PartitionView view, ErrorCode idleError, FetchEntry entry) {
        int askedEpoch = rules.keeps(SafetyRule.FETCH_IN_ONE_EPOCH) ? entry.currentLeaderEpoch() : view.leaderEpoch();
        return Fencing.follower(view, idleError, askedEpoch);
    }

    /** Where the follower holds something else than this log does, as {@link Fencing#divergence}. */
    Optional<EpochEnd> divergence(LeaderEpochs epochs, FetchEntry entry) {
        return rules.keeps(SafetyRule.DIVERGENCE_FIRST)
                ? Fencing.divergence(epochs, entry.lastFetchedEpoch(), entry.fetchOffset())
                : Optional.empty();
    }
}
