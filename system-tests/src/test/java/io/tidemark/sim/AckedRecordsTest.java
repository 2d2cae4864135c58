package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.sim.check.Violation;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What was acknowledged stays so, but for what a disaster excuses. */
final class AckedRecordsTest {
    private final TreeSet<String> excused = new TreeSet<>();
    private final AckedRecords acked = new AckedRecords((offset, value) -> excused.contains(value + "@" + offset));

    // I2
    // Fails if: AckedRecords.add keeps the later of two values
    @Test
    void shouldFindTwoRecordsAcknowledgedAtOneOffset() {
        acked.add(5, "a");
        acked.add(5, "a");

        assertThatThrownBy(() -> acked.add(5, "b"))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("offset 5 was acknowledged for a and for b");
    }

    // I12: what async mode loses when all machines lose power
    // Fails if: AckedRecords.add asks nobody whether a disaster took the record before
    @Test
    void shouldAcceptAnotherRecordInThePlaceOfAnExcusedOne() {
        acked.add(5, "a");
        excused.add("a@5");

        acked.add(5, "b");

        assertThat(acked.all()).containsEntry(5L, "b");
    }

    // I12
    // Fails if: AckedRecords.add lets a late acknowledgement of an excused record take the place of a later record
    @Test
    void shouldKeepTheLaterRecordWhenTheExcusedOneIsAcknowledgedLate() {
        acked.add(5, "b");
        excused.add("a@5");

        acked.add(5, "a");

        assertThat(acked.all()).containsEntry(5L, "b");
    }
}
