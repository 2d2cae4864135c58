package io.tidemark.server.status;

import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicState;
import io.tidemark.runtime.Clock;
import io.tidemark.server.metadata.ClusterView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What controllers told this broker and when: the latest changes of leaders, in memory and bounded. A partition that was not known
 * before, as all are at a start, has no change. Thread-safe.
 */
public final class ElectionHistory {
    /** What is kept. */
    public static final int CAPACITY = 100;

    private final Clock clock;
    private final Deque<Election> recent = new ArrayDeque<>();
    private long total;
    private boolean told;
    private long toldAtNs;

    public ElectionHistory(Clock clock) {
        this.clock = clock;
    }

    /** An update was applied to what was known {@code before}. */
    public synchronized void observe(ClusterView before, ClusterUpdate update) {
        told = true;
        toldAtNs = clock.monotonicNs();
        for (TopicState topic : update.topics()) {
            TopicState known = before.topics().get(topic.name());
            if (known != null && known.id().equals(topic.id())) {
                topic.partitions().forEach((number, state) -> {
                    PartitionState was = known.partitions().get(number);
                    if (was != null && was.leaderEpoch() < state.leaderEpoch()) {
                        add(was, state, update);
                    }
                });
            }
        }
    }

    /** The latest first. */
    public synchronized List<Election> recent() {
        List<Election> list = new ArrayList<>(recent);
        Collections.reverse(list);
        return list;
    }

    /** All since the start, kept or not. */
    public synchronized long total() {
        return total;
    }

    /** Milliseconds since the last update, or -1 before the first. */
    public synchronized long toldMsAgo() {
        return told ? TimeUnit.NANOSECONDS.toMillis(Math.max(0, clock.monotonicNs() - toldAtNs)) : -1;
    }

    private void add(PartitionState was, PartitionState state, ClusterUpdate update) {
        total++;
        if (recent.size() == CAPACITY) {
            recent.removeFirst();
        }
        recent.addLast(new Election(
                clock.wallMs(),
                state.partition(),
                was.leader(),
                state.leader(),
                state.leaderEpoch(),
                ElectionReason.of(was, state, update.brokers().keySet())));
    }
}
