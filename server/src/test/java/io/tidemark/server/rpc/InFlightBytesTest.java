package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InFlightBytesTest {
    private final List<String> resumed = new ArrayList<>();

    @Test
    void shouldResumeEverybodyWhoWaitsOnceThereIsRoom() {
        // given
        InFlightBytes budget = new InFlightBytes(100);
        budget.charge(100);
        budget.whenRoom(() -> resumed.add("a"));
        budget.whenRoom(() -> resumed.add("b"));
        assertThat(resumed).isEmpty();

        // when
        budget.release(1);

        // then
        assertThat(resumed).containsExactly("a", "b");
        assertThat(budget.bytes()).isEqualTo(99);
    }

    @Test
    void shouldResumeAtOnceIfTheRoomCameMeanwhile() {
        // given
        InFlightBytes budget = new InFlightBytes(100);

        // when
        budget.whenRoom(() -> resumed.add("a"));

        // then
        assertThat(resumed).containsExactly("a");
    }

    @Test
    void shouldLetNobodyInWhileWhatIsReleasedLeavesNoRoom() {
        // given
        InFlightBytes budget = new InFlightBytes(100);
        budget.charge(250);
        budget.whenRoom(() -> resumed.add("a"));

        // when
        budget.release(100);

        // then
        assertThat(resumed).isEmpty();
        budget.release(100);
        assertThat(resumed).containsExactly("a");
    }

    @Test
    void shouldStopResumingWhenTheFirstTakesTheRoom() {
        // given
        InFlightBytes budget = new InFlightBytes(100);
        budget.charge(100);
        budget.whenRoom(() -> {
            resumed.add("a");
            budget.charge(100);
        });
        budget.whenRoom(() -> resumed.add("b"));

        // when
        budget.release(50);

        // then
        assertThat(resumed).containsExactly("a");
        budget.release(150);
        assertThat(resumed).containsExactly("a", "b");
    }

    @Test
    void shouldRefuseABudgetOfNothing() {
        assertThatThrownBy(() -> new InFlightBytes(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
