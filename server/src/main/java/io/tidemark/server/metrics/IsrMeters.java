package io.tidemark.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicState;
import io.tidemark.replication.IsrChannel;
import io.tidemark.server.metadata.ClusterView;
import java.util.List;

/** Changes of in-sync sets, counted by the broker that leads the partition before and after. Thread-safe. */
public final class IsrMeters {
    private final int brokerId;
    private final Counter shrinks;
    private final Counter expands;
    private final Counter failures;

    public IsrMeters(MeterRegistry registry, int brokerId) {
        this.brokerId = brokerId;
        shrinks = Counter.builder("tidemark.replica.isr.shrinks")
                .description("in-sync sets of led partitions that lost a member")
                .register(registry);
        expands = Counter.builder("tidemark.replica.isr.expands")
                .description("in-sync sets of led partitions that got a member")
                .register(registry);
        failures = Counter.builder("tidemark.replica.isr.update.failures")
                .description("proposals of in-sync sets that no controller answered with a state")
                .register(registry);
    }

    /** An update was applied to what was known {@code before}. */
    public void observe(ClusterView before, ClusterUpdate update) {
        for (TopicState topic : update.topics()) {
            for (PartitionState state : topic.partitions().values()) {
                if (state.leader() == brokerId) {
                    before.partition(state.partition())
                            .filter(was ->
                                    was.leader() == brokerId && was.topicId().equals(state.topicId()))
                            .ifPresent(was -> count(was.isrIds(), state.isrIds()));
                }
            }
        }
    }

    /** The same channel, whose failures are counted. */
    public IsrChannel metered(IsrChannel channel) {
        return (proposal, answer) -> channel.propose(proposal, outcome -> {
            if (outcome instanceof IsrChannel.Answer.Failed) {
                failures.increment();
            }
            answer.accept(outcome);
        });
    }

    private void count(List<Integer> before, List<Integer> after) {
        if (!after.containsAll(before)) {
            shrinks.increment();
        }
        if (!before.containsAll(after)) {
            expands.increment();
        }
    }
}
