package io.tidemark.coordination.broker;

import static io.tidemark.coordination.broker.PeerProbe.Outcome.CONNECTED;
import static io.tidemark.coordination.broker.PeerProbe.Outcome.REFUSED;
import static io.tidemark.coordination.broker.PeerProbe.Outcome.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.broker.PeerProbe.Outcome;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RefusalCheckTest {
    private static final Endpoint ADDRESS = new Endpoint("broker-1", 9093);

    private final ManualClock clock = new ManualClock(0, 0);
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final List<Consumer<Outcome>> connects = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();

    private final class HeldConnects implements PeerProbe {
        @Override
        public void connect(Endpoint at, Consumer<Outcome> outcome) {
            assertThat(at).isEqualTo(ADDRESS);
            connects.add(outcome);
        }

        @Override
        public void secondOpinion(BrokerRegistration of, Suspect about, Consumer<@Nullable Outcome> answer) {
            throw new AssertionError("nobody else is asked");
        }
    }

    private void begin() {
        new RefusalCheck(new HeldConnects(), scheduler, clock).run(ADDRESS, outcomes::add);
    }

    private void answer(int connect, Outcome outcome) {
        assertThat(connects).hasSize(connect);
        connects.get(connect - 1).accept(outcome);
    }

    // DESIGN 6: two raw connects are refused within 100 ms; a timeout or no route is no refusal.
    // Fails if: RefusalCheck believes the first refusal, or forgets the window
    @ParameterizedTest
    @CsvSource({
        "REFUSED, REFUSED, 0, REFUSED",
        "REFUSED, REFUSED, 60, REFUSED",
        "REFUSED, REFUSED, 61, UNKNOWN",
        "REFUSED, CONNECTED, 0, CONNECTED",
        "REFUSED, CONNECTED, 61, CONNECTED",
        "REFUSED, UNKNOWN, 0, UNKNOWN",
    })
    void shouldTakeTwoRefusalsWithinTheWindow(Outcome first, Outcome second, long heldUpMs, Outcome expected) {
        // given
        begin();
        answer(1, first);
        scheduler.advance(Duration.ofMillis(40));

        // when
        scheduler.advance(Duration.ofMillis(heldUpMs));
        answer(2, second);

        // then
        assertThat(outcomes).containsExactly(expected);
    }

    @Test
    void shouldAskOnceOfWhoeverDoesNotRefuse() {
        begin();
        answer(1, CONNECTED);
        scheduler.advance(Duration.ofSeconds(1));

        assertThat(connects).hasSize(1);
        assertThat(outcomes).containsExactly(CONNECTED);
    }

    @Test
    void shouldConcludeNothingFromSilence() {
        begin();
        answer(1, UNKNOWN);
        scheduler.advance(Duration.ofSeconds(1));

        assertThat(connects).hasSize(1);
        assertThat(outcomes).containsExactly(UNKNOWN);
    }

    /** Between two processes of one broker an address refuses for a moment. */
    @Test
    void shouldPauseBetweenTheTwo() {
        begin();
        answer(1, REFUSED);
        scheduler.advance(Duration.ofMillis(39));

        assertThat(connects).hasSize(1);
        assertThat(outcomes).isEmpty();
    }
}
