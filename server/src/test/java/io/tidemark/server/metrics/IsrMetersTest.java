package io.tidemark.server.metrics;

import static io.tidemark.server.status.States.brokers;
import static io.tidemark.server.status.States.partition;
import static io.tidemark.server.status.States.topic;
import static io.tidemark.server.status.States.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.IsrChannel;
import io.tidemark.server.metadata.MetadataCache;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class IsrMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final IsrMeters meters = new IsrMeters(registry, 1);

    private double count(String name) {
        return registry.get("tidemark.replica.isr." + name).counter().count();
    }

    private void told(PartitionState before, PartitionState after) {
        MetadataCache cache = new MetadataCache();
        cache.apply(update(brokers(1, 2, 3), topic(before)), 1);
        meters.observe(cache.view(), update(brokers(1, 2, 3), topic(after)));
    }

    @Test
    void shouldCountChangesWhereThisBrokerLeads() {
        told(partition(0, 1, 1, 1, 2, 3), partition(0, 1, 1, 1, 2));
        told(partition(0, 1, 1, 1, 2), partition(0, 1, 1, 1, 2, 3));
        told(partition(0, 1, 1, 1, 2), partition(0, 1, 1, 1, 3));
        told(partition(0, 1, 1, 1, 2), partition(0, 1, 1, 2, 1));
        assertThat(count("shrinks")).isEqualTo(2);
        assertThat(count("expands")).isEqualTo(2);
    }

    @Test
    void shouldLeaveOtherLeadersChangesToThem() {
        told(partition(0, 2, 1, 1, 2, 3), partition(0, 2, 1, 2));
        told(partition(0, 2, 1, 1, 2, 3), partition(0, 1, 2, 1));
        assertThat(count("shrinks")).isZero();
    }

    @Test
    void shouldCountProposalsWithoutAnAnswer() {
        // given
        List<IsrChannel.Answer> answers = new ArrayList<>();
        IsrChannel silent = meters.metered(
                (proposal, answer) -> answer.accept(new IsrChannel.Answer.Failed(ErrorCode.REQUEST_TIMED_OUT)));
        IsrChannel answering =
                meters.metered((proposal, answer) -> answer.accept(new IsrChannel.Answer.State(partition(0, 1, 1, 1))));

        // when
        silent.propose(null, answers::add);
        answering.propose(null, answers::add);

        // then
        assertThat(answers).hasSize(2);
        assertThat(count("update.failures")).isEqualTo(1);
    }
}
