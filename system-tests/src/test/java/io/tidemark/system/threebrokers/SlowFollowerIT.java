package io.tidemark.system.threebrokers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.net.Metadata;
import io.tidemark.core.io.FileOperation;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A follower that cannot keep up. */
final class SlowFollowerIT extends ThreeBrokersIT {
    private static final int RECORDS = 500;

    // S75, I22, scenario 31: a follower that stands still leaves the in-sync set by time, acks=all goes on without it,
    // and it comes back.
    // Fails if: LeaderRole proposes no shrink when a member was not caught up for replica.lag.time.max.ms.
    @Test
    void shouldGoOnWithoutAFollowerWhoseDiskStandsStillAndTakeItBack() throws Exception {
        // given
        start(1, Map.of("replica.lag.time.max.ms", "1500"));
        Metadata.Partition before = awaitInSync(0, 3);
        int slow = before.leader() % 3 + 1;
        Load load = begin(producing(), 2, 100, 1);
        goOnFor(load, 0, RECORDS);

        // when
        brokers.disk(slow).hold(FileOperation.APPEND, "*/" + TOPIC + "-0/*.log");

        // then: nothing is acknowledged while it counts; then the two others go on
        // (on a busy machine the other follower may be late too, and is back soon)
        Metadata.Partition without = patiently()
                .until(
                        () -> state(0).orElseThrow(),
                        found -> found.isr().size() == 2 && !found.isr().contains(slow));
        assertThat(without.leader()).isEqualTo(before.leader());
        assertThat(brokers.disk(slow).held()).isPositive();
        goOnFor(load, 0, RECORDS);
        assertThat(state(0).orElseThrow().isr()).doesNotContain(slow);

        // when
        brokers.disk(slow).goOn();

        // then
        awaitInSync(0, 3);
        goOnFor(load, 0, RECORDS);
        load.end();
        assertThat(load.failures()).isEmpty();

        // then: it has everything
        leadAndRequireWhole(slow, load, 1);
        requireNoHalt();
    }
}
