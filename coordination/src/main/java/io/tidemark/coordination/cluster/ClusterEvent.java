package io.tidemark.coordination.cluster;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What happens to the cluster, as the controller hears of it. */
public sealed interface ClusterEvent {

    /** A request of a broker or an operator, which is answered by exactly one {@link Command.Reply} with its token. */
    sealed interface Request extends ClusterEvent {
        long token();
    }

    /**
     * The broker nodes as read; the first event of a controller's term, and again at each change. The machine itself finds
     * who is new, who vanished and who registered again (same id, other broker epoch; KAFKA-7235).
     */
    record BrokersChanged(SortedMap<Integer, BrokerRegistration> registrations) implements ClusterEvent {
        public BrokersChanged {
            registrations = Collections.unmodifiableSortedMap(new TreeMap<>(registrations));
        }
    }

    /**
     * The outcome of {@link Command.Identify}.
     *
     * @param brokerEpoch of the registration that was asked about
     * @param processNonce who answered, or nothing: refused, silent, or another cluster's or broker's process
     */
    record IdentifyAnswered(int brokerId, long brokerEpoch, OptionalLong processNonce) implements ClusterEvent {}

    /** A broker that is alive without a node had one session timeout to register again. */
    record GraceElapsed(int brokerId, long brokerEpoch) implements ClusterEvent {}

    /** A broker said that its disk failed and that it halts. */
    record BrokerStorageFailed(int brokerId, long brokerEpoch) implements ClusterEvent {}

    /**
     * A broker's process was proven to have ended: nobody listens at its address any more (DESIGN section 6, fast
     * detection).
     *
     * @param brokerEpoch of the registration that the process had
     */
    record BrokerDied(int brokerId, long brokerEpoch) implements ClusterEvent {}

    /**
     * A broker carried out a push that named a deleted topic, be it the full state or changes; one event for each topic.
     *
     * @param brokerEpoch under which it was told
     */
    record DeletionApplied(int brokerId, long brokerEpoch, TopicId topicId) implements ClusterEvent {}

    /**
     * The outcome of {@link Command.DescribeLogEnds}.
     *
     * @param brokerEpoch of the registration that was asked
     * @param ends log ends of the partitions asked for, absent logs as {@link LogEnd#EMPTY}; null when there was no
     *     answer, or one under another broker epoch
     */
    record LogEndsAnswered(
            long round,
            int brokerId,
            long brokerEpoch,
            @Nullable SortedMap<TopicPartition, LogEnd> ends) implements ClusterEvent {}

    /** Time to ask again for log ends that were not answered. */
    record RecoveryRetryDue() implements ClusterEvent {}

    /** Time to give leadership back to preferred leaders. */
    record PreferredElectionDue() implements ClusterEvent {}

    /** A leader wants another in-sync set. Answered by {@link Answer.IsrState} or {@link Answer.Refused}. */
    record IsrProposed(long token, int proposerId, long proposerEpoch, IsrProposal proposal) implements Request {}

    /**
     * A broker's copy of a partition is damaged. Answered by {@link Answer.Done} when it is counted on no more, or hears soon
     * that another leader epoch has begun.
     *
     * @param leaderEpoch in which it leads or follows
     */
    record DamageReported(
            long token, int brokerId, long brokerEpoch, TopicId topicId, TopicPartition partition, int leaderEpoch)
            implements Request {}

    /** A broker is about to stop. Answered by {@link Answer.ShutdownProgress}. */
    record ControlledShutdownRequested(long token, int brokerId, long brokerEpoch) implements Request {}

    /** A broker needs producer ids. Answered by {@link Answer.ProducerIdBlock}. */
    record ProducerIdsRequested(long token, int brokerId, long brokerEpoch) implements Request {}

    /**
     * Answered by {@link Answer.TopicCreated}.
     *
     * @param topicId a fresh random one
     * @param random chooses where the round-robin assignment starts
     */
    record TopicCreationRequested(long token, TopicSpec spec, TopicId topicId, long random) implements Request {}

    /** Answered by {@link Answer.Done} when the topic's nodes are gone and its name is free. */
    record TopicDeletionRequested(long token, String topic) implements Request {}

    /**
     * Changes a topic's overrides. Answered by {@link Answer.TopicConfigs}.
     *
     * @param set overrides to set
     * @param unset overrides to take away
     */
    record TopicConfigsRequested(
            long token, String topic, SortedMap<String, String> set, SortedSet<String> unset, Effect effect)
            implements Request {
        /** Whether something is changed, or only said. */
        public enum Effect {
            APPLIED,
            SAID
        }

        public TopicConfigsRequested {
            set = Collections.unmodifiableSortedMap(new TreeMap<>(set));
            unset = Collections.unmodifiableSortedSet(new TreeSet<>(unset));
        }

        /** Sets overrides and takes none away. */
        public TopicConfigsRequested(long token, String topic, SortedMap<String, String> set) {
            this(token, topic, set, new TreeSet<>(), Effect.APPLIED);
        }
    }

    /** An operator wants another leader. Answered by {@link Answer.LeaderTransferred}. */
    record LeaderTransferRequested(long token, TopicPartition partition, int toBroker) implements Request {}
}
