package io.tidemark.system.threebrokers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.net.Metadata;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Leaders that change fast, and brokers that go and come back, under load. */
final class LeaderChangesIT extends ThreeBrokersIT {
    private static final int PARTITIONS = 3;
    private static final int CHANGES = 5;
    private static final int RECORDS = 100;

    // Scenario 43: fast leader changes x5 with bounces under load; nothing acknowledged is lost, twice or out of order.
    // Fails if: TruncationRule cuts a new follower to its high watermark instead of to where the histories part.
    @Test
    void shouldKeepEverythingThroughFiveFastLeaderChangesWithBounces() throws Exception {
        // given
        start(PARTITIONS, Map.of());
        Load load = begin(producing(), 2, 100, PARTITIONS);
        goOnFor(load, 0, RECORDS);

        for (int change = 0; change < CHANGES; change++) {
            // when: leadership moves, and the new leader goes before anybody has drawn breath
            int leader = moveLeadership(0);
            brokers.stop(leader);
            brokers.start(leader);

            // then
            goOnFor(load, 0, RECORDS);
        }

        // then
        endAndRequireWhole(load, PARTITIONS);
        assertThat(load.failures()).isEmpty();
        requireNoHalt();

        // then: whoever leads has it all
        for (int leader = 1; leader <= 3; leader++) {
            leadAndRequireWhole(leader, load, PARTITIONS);
        }
    }

    // Scenario 43: leadership goes round while nobody stops: the way of a reassignment and of preferred leaders.
    // Fails if: Partition.appendAsLeader no longer hands the leader epoch to the log, which then writes after the role
    // has ended.
    @Test
    void shouldKeepEverythingWhileLeadershipGoesRound() throws Exception {
        // given
        start(PARTITIONS, Map.of());
        Load load = begin(producing(), 2, 100, PARTITIONS);
        goOnFor(load, 0, RECORDS);

        // when
        for (int change = 0; change < 2 * CHANGES; change++) {
            moveLeadership(change % PARTITIONS);
        }
        goOnFor(load, 0, RECORDS);

        // then
        endAndRequireWhole(load, PARTITIONS);
        assertThat(load.failures()).isEmpty();
        requireNoHalt();
    }

    /** To any other member in sync, as soon as there is one; answers it. */
    private int moveLeadership(int partition) {
        return patiently()
                .until(
                        () -> {
                            Metadata.Partition now = state(partition).orElseThrow();
                            for (int step = 1; step < 3; step++) {
                                int next = (now.leader() + step - 1) % 3 + 1;
                                if (now.leader() > 0 && now.isr().contains(next)) {
                                    brokers.transfer(partition(partition), next);
                                    return next;
                                }
                            }
                            return -1;
                        },
                        moved -> moved > 0);
    }
}
