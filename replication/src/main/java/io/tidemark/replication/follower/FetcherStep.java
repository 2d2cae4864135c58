package io.tidemark.replication.follower;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;

/** What a follower does about one partition's part of an answer. */
sealed interface FetcherStep {
    TopicPartition partition();

    /**
     * Appends what the leader sent, possibly nothing, and takes over its high watermark and log start.
     *
     * @param asked the fetch that this answers; batches of an epoch above its {@code currentLeaderEpoch} are refused
     */
    record Append(FetchEntry asked, ReplicaFetch.Result result) implements FetcherStep {
        @Override
        public TopicPartition partition() {
            return asked.partition();
        }
    }

    /** Cuts to where the histories part; nothing else of the answer is used (KAFKA-14704). */
    record Truncate(FetchEntry asked, EpochEnd diverging) implements FetcherStep {
        @Override
        public TopicPartition partition() {
            return asked.partition();
        }
    }

    /** The leader has deleted what this replica needs next: starts again, empty, at the leader's log start. */
    record Restart(FetchEntry asked, long logStartOffset) implements FetcherStep {
        @Override
        public TopicPartition partition() {
            return asked.partition();
        }
    }

    /** Leaves the partition out of fetches until {@code untilNs}; the others go on (S76). */
    record Pause(TopicPartition partition, long untilNs, ErrorCode reason) implements FetcherStep {}
}
