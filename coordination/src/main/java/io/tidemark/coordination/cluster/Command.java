package io.tidemark.coordination.cluster;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate.DeletedTopic;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the shell does for the machine, in the order of the decision's list and only when the decision's writes are
 * committed. None is waited for; what comes back comes as an event.
 */
public sealed interface Command {
    /**
     * Tells every broker of {@link ClusterState#reachable()} what changed ({@link ClusterUpdates#changes}), except those
     * that the same decision sends the full state. Both lists empty: only the list of live brokers changed.
     */
    record PushChanges(List<TopicPartition> partitions, List<DeletedTopic> deletedTopics) implements Command {
        public PushChanges {
            partitions = List.copyOf(partitions);
            deletedTopics = List.copyOf(deletedTopics);
        }
    }

    /** Sends a broker everything ({@link ClusterUpdates#full}): a new broker epoch has a new sequence of pushes. */
    record PushFull(int brokerId) implements Command {}

    /** Asks who listens at the peer address of a broker whose node vanished; comes back as IdentifyAnswered. */
    record Identify(BrokerRegistration at) implements Command {}

    /** Asks a broker, under its broker epoch, how far its logs go; comes back as LogEndsAnswered. */
    record DescribeLogEnds(long round, BrokerRegistration of, SortedMap<TopicPartition, TopicId> logs)
            implements Command {
        public DescribeLogEnds {
            logs = Collections.unmodifiableSortedMap(new TreeMap<>(logs));
        }
    }

    /** Delivers {@code event} after {@code delay}; replaces a timer of the same key. */
    record StartTimer(TimerKey key, Duration delay, ClusterEvent event) implements Command {}

    /** Forgets a timer; one that is not running is no error. */
    record CancelTimer(TimerKey key) implements Command {}

    /** Drops what is held open for a broker that is gone. */
    record Disconnect(int brokerId) implements Command {}

    /** Answers a request. */
    record Reply(long token, Answer answer) implements Command {}

    /**
     * Names a timer.
     *
     * @param brokerId whom it is about, or -1
     */
    record TimerKey(Purpose purpose, int brokerId) {
        /** What timers are for. */
        public enum Purpose {
            GRACE,
            RECOVERY_RETRY
        }

        static TimerKey grace(int brokerId) {
            return new TimerKey(Purpose.GRACE, brokerId);
        }

        static TimerKey recoveryRetry() {
            return new TimerKey(Purpose.RECOVERY_RETRY, -1);
        }
    }
}
