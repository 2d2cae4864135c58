package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** I12, KIP-966: the table of DESIGN section 6. Sets are written as "id#incarnation id#incarnation". */
final class EligibleSetTest {
    @ParameterizedTest
    @CsvSource({
        // min ISR, old ISR, old eligible, new ISR, new eligible
        "2, 1#1 2#1 3#1, '', 1#1 2#1, ''",
        "2, 1#1 2#1, '', 1#1, 2#1",
        "3, 1#1 2#1, 3#1, 1#1, 2#1 3#1",
        "3, 1#1, 2#1 3#1, 1#1 2#1, 3#1",
        "2, 1#1, 2#1 3#1, 1#1 2#1, ''",
        "1, 1#1 2#1, '', 1#1, ''",
        // an eligible member leads: the ISR's last member becomes eligible
        "2, 1#1, 2#4, 2#4, 1#1",
        // void entries move with their recorded incarnation; the winner's old entry goes
        "2, 1#1, 2#1 3#1, 2#5, 1#1 3#1",
        "2, 1#1, '', 1#1, ''",
    })
    void shouldHoldThoseWhoLeftWhileBelowMinIsr(
            int minIsr, String oldIsr, String oldEligible, String newIsr, String newEligible) {
        // given
        PartitionState old = state(minIsr, entries(oldIsr), entries(oldEligible));

        // when
        List<Member> eligible = EligibleSet.after(old, entries(newIsr));

        // then
        assertThat(eligible).isEqualTo(entries(newEligible));
    }

    @Test
    void shouldBeClearedWhenMinIsrIsLoweredAndKeptWhenRaised() {
        // given
        PartitionState old = state(3, members("1#1"), members("2#1", "3#1"));

        // then
        assertThat(EligibleSet.afterMinIsr(old, 2)).isEmpty();
        assertThat(EligibleSet.afterMinIsr(old, 4)).isEqualTo(old.eligible());
        assertThat(EligibleSet.afterMinIsr(state(1, members("1#1"), List.of()), 3))
                .as("raising adds nobody")
                .isEmpty();
    }

    private static List<Member> entries(String text) {
        return text.isEmpty() ? List.of() : members(text.split(" "));
    }

    private static PartitionState state(int minIsr, List<Member> isr, List<Member> eligible) {
        return new PartitionState(
                ClusterFixture.TOPIC_ID, ClusterFixture.PARTITION, 1, 3, 8, List.of(1, 2, 3), isr, eligible, minIsr, 1);
    }
}
