package io.tidemark.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.history.Action.Crash;
import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Step.Send;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens is recorded in order, with its time, and no more of it than there is room for. */
final class HistoryRecorderTest {
    private static final Transfer SEND = Transfer.of(Function.SEND, List.of(Send.of(0, 1)));
    private static final Transfer SENT = Transfer.of(Function.SEND, List.of(Send.of(0, 1).at(4)));

    private final ManualClock clock = new ManualClock();

    @TempDir
    private Path directory;

    @Test
    void shouldWriteWhatCanBeReadAgain() throws IOException {
        // given
        Path file = directory.resolve("history.jsonl");
        clock.advance(Duration.ofSeconds(3));

        // when
        try (HistoryWriter writer = HistoryWriter.create(file, HistoryFormat.jsonLines())) {
            HistoryRecorder recorder = new HistoryRecorder(clock, writer, 100);
            recorder.record(Phase.INVOKE, 0, SEND);
            clock.advance(Duration.ofNanos(7));
            recorder.note("kill", List.of("n1"));
            recorder.record(Phase.OK, 0, SENT);
        }

        // then
        assertThat(file)
                .hasContent("{\"history\":\"tidemark\",\"version\":1}\n"
                        + "{\"index\":0,\"timeNs\":0,\"phase\":\"invoke\",\"process\":0,\"f\":\"send\","
                        + "\"steps\":[{\"send\":{\"key\":0,\"value\":1}}]}\n"
                        + "{\"index\":1,\"timeNs\":7,\"phase\":\"info\",\"process\":\"nemesis\",\"f\":\"kill\","
                        + "\"value\":\"[\\\"n1\\\"]\"}\n"
                        + "{\"index\":2,\"timeNs\":7,\"phase\":\"ok\",\"process\":0,\"f\":\"send\","
                        + "\"steps\":[{\"send\":{\"key\":0,\"value\":1,\"offset\":4}}]}\n");
        assertThat(HistoryFile.load(file).history().orElseThrow().operations())
                .containsExactly(new Operation(0, Phase.OK, 0, 2, SENT));
    }

    // Fails if: the recorder goes on behind its bound, or says nothing about having stopped.
    @Test
    void shouldStopAtItsBoundAndSaySo() {
        // given
        HistoryBuilder builder = new HistoryBuilder();
        HistoryRecorder recorder = new HistoryRecorder(clock, EventSink.into(builder), 2);

        // when
        long first = recorder.record(Phase.INVOKE, 0, SEND);
        long second = recorder.record(Phase.OK, 0, SENT);
        long third = recorder.record(Phase.INVOKE, 0, new Crash());
        long fourth = recorder.record(Phase.INFO, 0, new Crash());

        // then
        assertThat(List.of(first, second, third, fourth))
                .containsExactly(0L, 1L, HistoryRecorder.NOT_RECORDED, HistoryRecorder.NOT_RECORDED);
        assertThat(builder.build().isCut()).isTrue();
        assertThat(builder.build().eventCount()).isEqualTo(3);
    }

    @Test
    void shouldTellARecorderOfNonsenseAtOnce() {
        HistoryRecorder recorder = new HistoryRecorder(clock, EventSink.into(new HistoryBuilder()), 10);

        assertThatThrownBy(() -> recorder.record(Phase.OK, 0, SENT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("process 0 ends send but began nothing");
    }

    @Test
    void shouldGoOnUnderANewNumberBehindAnUnknownEnd() {
        // given
        HistoryBuilder builder = new HistoryBuilder();
        HistoryRecorder recorder = new HistoryRecorder(clock, EventSink.into(builder), 10);
        RecordedClient client = new RecordedClient(recorder, 3, 8);

        // when
        client.invoke(SEND);
        client.fail(SEND, "not-leader");
        client.invoke(SEND);
        client.info(SEND, "timeout");
        client.invoke(SEND);
        client.ok(SENT);

        // then
        assertThat(client.process()).isEqualTo(11);
        assertThat(builder.build().operations()).extracting(Operation::process).containsExactly(3, 3, 11);
    }
}
