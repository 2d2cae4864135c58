package io.tidemark.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.Action.Crash;
import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Note;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Step.Asked;
import io.tidemark.history.Step.Send;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ends find their beginnings, and a history that breaks its rules is refused. */
final class HistoryBuilderTest {
    private static final Action SEND = Transfer.of(Function.SEND, List.of(Send.of(0, 1)));
    private static final Action SENT = Transfer.of(Function.SEND, List.of(Send.of(0, 1).at(4)));
    private static final Action POLL = Transfer.of(Function.POLL, List.of(new Asked()));

    private final HistoryBuilder builder = new HistoryBuilder();

    @Test
    void shouldJoinEndsWithTheirBeginnings() {
        // given
        add(0, Phase.INVOKE, 0, SEND);
        add(1, Phase.INVOKE, 1, POLL);
        add(2, Phase.INFO, HistoryEvent.NEMESIS, Note.about("kill", List.of("n1")));
        add(5, Phase.OK, 0, SENT);
        add(6, Phase.INVOKE, 0, SEND);

        // when
        History history = builder.build();

        // then: what never ended is unknown, and comes last in the order of beginnings
        assertThat(history.operations())
                .containsExactly(
                        new Operation(0, Phase.OK, 0, 5, SENT),
                        new Operation(1, Phase.INFO, 1, Operation.NEVER, POLL),
                        new Operation(0, Phase.INFO, 6, Operation.NEVER, SEND));
        assertThat(history.operations()).extracting(Operation::index).containsExactly(5L, 1L, 6L);
        assertThat(history.notes()).hasSize(1);
        assertThat(history.eventCount()).isEqualTo(5);
        assertThat(history.isCut()).isFalse();
    }

    @Test
    void shouldRefuseWhatNoHistoryCanHold() {
        add(0, Phase.INVOKE, 0, SEND);
        add(1, Phase.INVOKE, 1, POLL);
        add(2, Phase.INFO, 1, POLL);

        assertThat(object(2, 2, Phase.OK, 0, SENT)).contains("index 2 does not rise above 2");
        assertThat(object(3, 1, Phase.OK, 0, SENT)).contains("time goes back from 2 to 1");
        assertThat(object(3, 3, Phase.INVOKE, 0, SEND))
                .contains("process 0 begins send while its operation of index 0 has not ended");
        assertThat(object(3, 3, Phase.OK, 0, POLL)).contains("process 0 ends poll but began send");
        assertThat(object(3, 3, Phase.OK, 7, POLL)).contains("process 7 ends poll but began nothing");
        assertThat(object(3, 3, Phase.INVOKE, 1, new Crash()))
                .contains("process 1 is back, though its last operation ended unknown");
        assertThat(builder.build().eventCount()).isEqualTo(3);
    }

    private void add(long index, Phase phase, int process, Action action) {
        assertThat(object(index, index, phase, process, action)).isEmpty();
    }

    private Optional<String> object(long index, long timeNs, Phase phase, int process, Action action) {
        return builder.add(new HistoryEvent(index, timeNs, phase, process, action, ""));
    }
}
