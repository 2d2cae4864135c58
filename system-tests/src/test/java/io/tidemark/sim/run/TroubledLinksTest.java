package io.tidemark.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.sim.LinkFaults;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Several faults on one link. */
final class TroubledLinksTest {
    private final SortedMap<String, LinkFaults> network = new TreeMap<>();
    private final TroubledLinks links = new TroubledLinks((from, to, faults) -> network.put(from + "-" + to, faults));

    // Fails if: the end of one fault makes the link well
    @Test
    void shouldLeaveTheOthersWhenOneIsOver() {
        // given
        Runnable cut = links.trouble(1, 2, LinkFaults.NONE.withCut());
        Runnable drops = links.trouble(1, 2, LinkFaults.NONE.withDrops(30));
        Runnable moreDrops = links.trouble(1, 2, LinkFaults.NONE.withDrops(70));
        assertThat(network).containsEntry("1-2", LinkFaults.NONE.withDrops(70).withCut());

        // when
        cut.run();
        moreDrops.run();

        // then
        assertThat(network).containsEntry("1-2", LinkFaults.NONE.withDrops(30));
        drops.run();
        assertThat(network).containsEntry("1-2", LinkFaults.NONE);
    }

    // Fails if: a fault is told from another one by what it does
    @Test
    void shouldKeepOneOfTwoEqualFaults() {
        // given
        Runnable first = links.trouble(1, 2, LinkFaults.NONE.withCut());
        Runnable second = links.trouble(1, 2, LinkFaults.NONE.withCut());

        // when
        first.run();
        first.run();

        // then
        assertThat(network).containsEntry("1-2", LinkFaults.NONE.withCut());
        second.run();
        assertThat(network).containsEntry("1-2", LinkFaults.NONE);
    }

    // Fails if: both directions are one
    @Test
    void shouldTroubleOneDirectionAlone() {
        links.trouble(1, 2, LinkFaults.NONE.withCut());

        assertThat(network).containsOnlyKeys("1-2");
    }
}
