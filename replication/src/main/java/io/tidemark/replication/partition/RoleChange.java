package io.tidemark.replication.partition;

import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.Became.Change;
import org.jspecify.annotations.Nullable;

/**
 * What an offered state means to a replica that knows another one (I9). Pure.
 *
 * <pre>
 * offered (leader epoch, partition epoch)    replica has a role   replica has none
 * lower than the known one                   STALE                STALE
 * equal                                      STALE                by content
 * same leader epoch, other leader            STALE                STALE
 * same leader epoch, greater partition epoch UPDATED (1)          by content
 * greater leader epoch                       by content           by content
 *
 * by content: no leader, or not a replica    STOPPED
 *             this broker leads              LEADER
 *             another broker leads           FOLLOWER
 * (1) STOPPED if this broker is no replica any more
 * </pre>
 *
 * <p>A leader epoch has one leader: a state that names another one is never right and is not acted on.
 */
final class RoleChange {
    private RoleChange() {}

    static Change decide(@Nullable PartitionState known, boolean hasRole, PartitionState offered, int localBrokerId) {
        Change byContent = byContent(offered, localBrokerId);
        if (known == null || offered.leaderEpoch() > known.leaderEpoch()) {
            return byContent;
        }
        boolean sameTerm = offered.leaderEpoch() == known.leaderEpoch() && offered.leader() == known.leader();
        if (!sameTerm || offered.partitionEpoch() < known.partitionEpoch()) {
            return Change.STALE;
        }
        if (!hasRole || byContent == Change.STOPPED) {
            return byContent;
        }
        return offered.partitionEpoch() == known.partitionEpoch() ? Change.STALE : Change.UPDATED;
    }

    /** Whether the state has the epochs and the leader of the known one. */
    static boolean isRepeated(PartitionState known, PartitionState offered) {
        return offered.leaderEpoch() == known.leaderEpoch()
                && offered.leader() == known.leader()
                && offered.partitionEpoch() == known.partitionEpoch();
    }

    private static Change byContent(PartitionState offered, int localBrokerId) {
        if (!offered.hasLeader() || !offered.isReplica(localBrokerId)) {
            return Change.STOPPED;
        }
        return offered.leader() == localBrokerId ? Change.LEADER : Change.FOLLOWER;
    }
}
