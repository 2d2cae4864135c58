package io.tidemark.coordination.controller;

import io.tidemark.coordination.broker.Push;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.ClusterUpdate.DeletedTopic;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one broker still has to be told by one controller: the sending half of the push contract (DESIGN section 6).
 * Pure; used on the controller's loop alone.
 *
 * <p>One push is outstanding at a time; what changes meanwhile is remembered by name and sent as one update when the
 * answer comes. An unanswered push is repeated unchanged, with the same number.
 *
 * <pre>
 *   answer                    next step
 *   APPLIED (of this number)  SEND what is new, or rest
 *   NEED_FULL                 SEND the full state under the next number
 *   RETRY, silence            REPEAT after a pause (50 ms doubling to 1 s)
 *   STALE_CONTROLLER          RESIGN
 *   STALE_BROKER_EPOCH        GONE: the broker has registered again; the broker nodes tell what that leads to
 * </pre>
 */
final class PushSession {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final int controllerId;
    private final int controllerEpoch;
    private final BrokerRegistration broker;

    private final SortedMap<String, SortedSet<Integer>> partitions = new TreeMap<>();
    private final List<DeletedTopic> deletions = new ArrayList<>();
    private boolean brokersChanged;
    private boolean fullNeeded = true;
    private boolean closed;
    private long lastSequence;
    private Push.@Nullable Request outstanding;
    private Duration pause = FIRST_PAUSE;

    PushSession(int controllerId, int controllerEpoch, BrokerRegistration broker) {
        this.controllerId = controllerId;
        this.controllerEpoch = controllerEpoch;
        this.broker = broker;
    }

    /** What to do after an answer. */
    enum Step {
        /** Applied: whatever is new may be sent; deletions that the push told are carried out. */
        SEND,
        REPEAT,
        RESIGN,
        GONE,
        NOTHING
    }

    BrokerRegistration broker() {
        return broker;
    }

    /** Remembers that the partition changed. */
    void changed(TopicPartition partition) {
        partitions.computeIfAbsent(partition.topic(), name -> new TreeSet<>()).add(partition.partition());
    }

    /** Remembers a deletion; it is told at least once, also by a full update. */
    void deleted(DeletedTopic topic) {
        partitions.remove(topic.name());
        deletions.add(topic);
    }

    /** Remembers that the set of live brokers changed. */
    void brokersChanged() {
        brokersChanged = true;
    }

    /** The next push, if none is outstanding and there is something to tell. It is outstanding from now on. */
    Push.@Nullable Request next(UpdateSource source) {
        if (closed || outstanding != null || !hasNews()) {
            return null;
        }
        ClusterUpdate update = fullNeeded ? source.full() : source.delta(partitions, List.copyOf(deletions));
        ClusterUpdate told = fullNeeded ? withDeletions(update) : update;
        partitions.clear();
        deletions.clear();
        brokersChanged = false;
        fullNeeded = false;
        lastSequence++;
        outstanding = new Push.Request(controllerId, controllerEpoch, broker.brokerEpoch(), lastSequence, told);
        return outstanding;
    }

    /** The outstanding push, to be sent again unchanged. */
    Push.@Nullable Request repeat() {
        return closed ? null : outstanding;
    }

    /** Takes the answer to push number {@code sequence}; null is silence. */
    Step onAnswer(long sequence, Push.@Nullable Answer answer) {
        if (closed || outstanding == null || outstanding.sequence() != sequence) {
            return Step.NOTHING;
        }
        if (answer == null || answer.sequence() != sequence) {
            return Step.REPEAT;
        }
        return switch (answer.result()) {
            case APPLIED -> settled();
            case NEED_FULL -> {
                deletions.addAll(0, outstanding.update().deletedTopics());
                fullNeeded = true;
                yield settled();
            }
            case RETRY -> Step.REPEAT;
            case STALE_CONTROLLER -> {
                closed = true;
                yield Step.RESIGN;
            }
            case STALE_BROKER_EPOCH -> {
                closed = true;
                yield Step.GONE;
            }
        };
    }

    /** How long to wait before the next repetition; doubles up to a second. */
    Duration nextPause() {
        Duration now = pause;
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
        return now;
    }

    /** Ends the session: nothing is sent any more and late answers are ignored. */
    void close() {
        closed = true;
    }

    private Step settled() {
        outstanding = null;
        pause = FIRST_PAUSE;
        return Step.SEND;
    }

    private boolean hasNews() {
        return fullNeeded || brokersChanged || !partitions.isEmpty() || !deletions.isEmpty();
    }

    private ClusterUpdate withDeletions(ClusterUpdate full) {
        List<DeletedTopic> all = new ArrayList<>(full.deletedTopics());
        for (DeletedTopic topic : deletions) {
            if (!all.contains(topic)) {
                all.add(topic);
            }
        }
        return new ClusterUpdate(true, full.brokers(), full.controllerId(), full.topics(), all);
    }
}
