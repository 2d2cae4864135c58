package io.tidemark.replication.partition;

import io.tidemark.core.log.LeaderEpochs;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.PartitionView.Role;
import java.util.Optional;

/**
 * The checks that come before anything else is done for a request (I4, I5). Pure.
 *
 * <p>An epoch below the replica's is fenced for good; one above it means that this replica has not heard of the change
 * yet, so the caller tries again.
 */
final class Fencing {
    /** What a client sends that knows no epoch. */
    static final int ANY_EPOCH = -1;

    private Fencing() {}

    /** A follower's check: both are in the same leader epoch, and this replica leads in it. */
    static ErrorCode follower(PartitionView view, ErrorCode idleError, int askedEpoch) {
        if (view.role() == Role.NONE) {
            return idleError;
        }
        if (askedEpoch != view.leaderEpoch()) {
            return askedEpoch < view.leaderEpoch() ? ErrorCode.FENCED_LEADER_EPOCH : ErrorCode.UNKNOWN_LEADER_EPOCH;
        }
        return view.role() == Role.LEADER ? ErrorCode.NONE : ErrorCode.NOT_LEADER_OR_FOLLOWER;
    }

    /** A client's check: as a follower's, unless it knows no epoch ({@link #ANY_EPOCH}). */
    static ErrorCode client(PartitionView view, ErrorCode idleError, int askedEpoch) {
        return follower(view, idleError, askedEpoch == ANY_EPOCH ? view.leaderEpoch() : askedEpoch);
    }

    /** For people: why a request was not let in. */
    static String message(ErrorCode error, TopicPartition partition) {
        return switch (error) {
            case NOT_LEADER_OR_FOLLOWER -> "this broker does not lead " + partition;
            case FENCED_LEADER_EPOCH -> "the leader epoch of " + partition + " has moved on";
            case UNKNOWN_LEADER_EPOCH -> "this broker has not heard of that leader epoch of " + partition + " yet";
            case NOT_ENOUGH_REPLICAS -> partition + " has fewer in-sync replicas than min.insync.replicas";
            default -> error + " for " + partition;
        };
    }

    /**
     * Whether a reader that has read up to {@code fetchOffset}, the last of it in {@code lastFetchedEpoch}, holds
     * something else than this log does; empty if not, or if it has read nothing ({@code lastFetchedEpoch} is -1).
     *
     * @return this log's largest epoch at or below the reader's, and its end: the reader cuts there and asks again
     */
    static Optional<EpochEnd> divergence(LeaderEpochs epochs, int lastFetchedEpoch, long fetchOffset) {
        if (lastFetchedEpoch < 0) {
            return Optional.empty();
        }
        return epochs.endOf(lastFetchedEpoch)
                .filter(end -> end.epoch() < lastFetchedEpoch || end.endOffset() < fetchOffset);
    }
}
