package io.tidemark.cli.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Progress;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.LogRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ConsumeRunTest {
    private static final TopicPartition FIRST = new TopicPartition("orders", 0);
    private static final TopicPartition SECOND = new TopicPartition("orders", 1);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private static ConsumeRun run(long limit, SortedMap<TopicPartition, ConsumeRun.Range> ranges) {
        return new ConsumeRun(
                limit,
                ranges,
                (record, out) ->
                        out.write((record.partition().partition() + ":" + record.offset() + " ").getBytes(UTF_8)));
    }

    private static SortedMap<TopicPartition, ConsumeRun.Range> ranges(ConsumeRun.Range first, ConsumeRun.Range second) {
        SortedMap<TopicPartition, ConsumeRun.Range> ranges = new TreeMap<>();
        ranges.put(FIRST, first);
        ranges.put(SECOND, second);
        return ranges;
    }

    private static List<ConsumerRecord> records(TopicPartition partition, long... offsets) {
        List<ConsumerRecord> records = new ArrayList<>();
        for (long offset : offsets) {
            records.add(new ConsumerRecord(partition, new LogRecord(offset, 0, null, null, List.of()), 0));
        }
        return records;
    }

    // Issue 3 (errors that name the thing); fails if: consume -o 11 -e of ten records ends well, without a word.
    @Test
    void shouldKnowAnOffsetThatIsNotThereYetFromTheEnd() {
        assertThat(new ConsumeRun.Range(11, 10).isBeyondTheEnd()).isTrue();
        assertThat(new ConsumeRun.Range(10, 10).isBeyondTheEnd()).isFalse();
        assertThat(new ConsumeRun.Range(10, 10).isEmpty()).isTrue();
        assertThat(new ConsumeRun.Range(11, Long.MAX_VALUE).isBeyondTheEnd()).isFalse();
    }

    @Test
    void shouldPrintUpToTheEndOfEachPartition() throws IOException {
        // given
        ConsumeRun run = run(0, ranges(new ConsumeRun.Range(0, 3), new ConsumeRun.Range(5, 6)));

        // when
        run.print(records(FIRST, 0, 1, 2, 3), out);
        boolean afterFirst = run.isDone();
        run.print(records(SECOND, 5, 6), out);

        // then
        assertThat(out.toString(UTF_8)).isEqualTo("0:0 0:1 0:2 1:5 ");
        assertThat(afterFirst).isFalse();
        assertThat(run.isDone()).isTrue();
    }

    @Test
    void shouldCountOffsetsAsTheWayForGapsAreNormal() throws IOException {
        // given
        ConsumeRun run = run(0, ranges(new ConsumeRun.Range(0, 10), new ConsumeRun.Range(0, 10)));

        // when
        run.print(records(FIRST, 4, 9), out);

        // then
        assertThat(run.sample()).isEqualTo(new Progress.Sample(2, 10, 20));
    }

    // Fails if: only a record at the end, or behind it, ends the reading.
    @Test
    void shouldEndWhereTheLastOffsetsHoldNoRecord() throws IOException {
        // given
        ConsumeRun run = run(0, ranges(new ConsumeRun.Range(0, 10), new ConsumeRun.Range(5, 5)));

        // when
        run.print(records(FIRST, 4), out);
        run.reached(partition -> 5);
        assertThat(run.isDone()).isFalse();
        run.reached(partition -> 10);

        // then
        assertThat(run.isDone()).isTrue();
        assertThat(run.sample()).isEqualTo(new Progress.Sample(1, 10, 10));
    }

    @Test
    void shouldStopAtTheLimit() throws IOException {
        // given
        ConsumeRun.Range open = new ConsumeRun.Range(0, Long.MAX_VALUE);
        ConsumeRun run = run(2, ranges(open, open));

        // when
        run.print(records(FIRST, 0, 1, 2), out);

        // then
        assertThat(out.toString(UTF_8)).isEqualTo("0:0 0:1 ");
        assertThat(run.isDone()).isTrue();
        assertThat(run.sample()).isEqualTo(Progress.Sample.of(2, 2));
    }

    @Test
    void shouldBeDoneAtOnceWhenNothingIsThere() {
        assertThat(run(0, ranges(new ConsumeRun.Range(7, 7), new ConsumeRun.Range(9, 3)))
                        .isDone())
                .isTrue();
    }

    @Test
    void shouldNotKnowHowMuchIsLeftOfWhatNeverEnds() throws IOException {
        // given
        ConsumeRun run = run(0, ranges(new ConsumeRun.Range(0, Long.MAX_VALUE), new ConsumeRun.Range(0, 5)));

        // when
        run.print(records(FIRST, 0), out);

        // then
        assertThat(run.sample().total()).isZero();
        assertThat(run.isDone()).isFalse();
    }
}
