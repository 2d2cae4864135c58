package io.tidemark.client.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.tidemark.client.consumer.FakeLeaders.Told;
import io.tidemark.client.consumer.RecordStream.Selection.Until;
import io.tidemark.client.producer.ManualLoop;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a stream finds the places where it begins and ends. */
final class RecordStreamStartTest {
    private final ManualLoop loop = new ManualLoop();
    private final Told told = new Told();

    private RecordStream open(FakeLeaders brokers, StartAt from, Until until) {
        RecordStream stream = Streams.of(loop, brokers, from, until, record -> 1, told);
        stream.start();
        loop.advance(Duration.ofMillis(1));
        return stream;
    }

    // Fails if: close leaves the questions for the places to begin to themselves.
    @Test
    void shouldAskForNoOffsetsWhenClosed() {
        // given leaders that are too busy to say where their logs begin
        FakeLeaders brokers = new FakeLeaders(2);
        brokers.busyOffsets = true;
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        loop.advance(Duration.ofSeconds(1));
        assertThat(brokers.offsetCalls).hasSizeGreaterThan(1);

        // when
        stream.close();
        brokers.offsetCalls.clear();
        loop.advance(Duration.ofSeconds(40));

        // then
        assertThat(brokers.offsetCalls).isEmpty();
        assertThat(told.failure).isNull();
    }

    // Fails if: a search by time goes on at the broker for a caller that is gone.
    @Test
    void shouldCallOffTheSearchForThePlacesToBegin() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.silentOffsets = true;
        RecordStream stream = open(brokers, new StartAt.Timestamp(5), Until.CLOSED);
        assertThat(brokers.offsetCalls).hasSize(1);

        // when
        stream.close();

        // then
        assertThat(brokers.cancelledOffsets).isEqualTo(1);
    }

    // Fails if: each partition's place costs a call, of which a broker lets in 64 when they are searches.
    @Test
    void shouldAskEachLeaderOnceForThePlacesToBegin() {
        // given
        FakeLeaders brokers = new FakeLeaders(OffsetFinder.MAX_SHARED + 6);
        for (int partition = 0; partition < 5; partition++) {
            brokers.lead(partition, 2, 1);
        }

        // when
        open(brokers, new StartAt.Timestamp(5), Until.CLOSED);

        // then
        assertThat(brokers.offsetCalls).extracting(List::size).containsExactlyInAnyOrder(OffsetFinder.MAX_SHARED, 1, 5);
    }

    // Fails if: a place beyond the log counts as one where everything is read.
    @Test
    void shouldRefuseAnOffsetBeyondTheLogAlsoWhenItIsToEndThere() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.append(0, 5, 10);
        brokers.deleteRecords(0);
        brokers.append(0, 4, 10);

        // when
        open(brokers, new StartAt.Offset(10), Until.END);
        loop.advance(Duration.ofMillis(1));

        // then
        assertThat(told.ends).isZero();
        assertThat(told.failure)
                .asInstanceOf(type(OffsetOutOfRangeException.class))
                .satisfies(outside -> {
                    assertThat(outside.offset()).isEqualTo(10);
                    assertThat(outside.earliest()).isEqualTo(5);
                    assertThat(outside.latest()).isEqualTo(9);
                });
    }

    @Test
    void shouldEndAtOnceAtTheLogsVeryEnd() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.append(0, 9, 10);

        // when
        open(brokers, new StartAt.Offset(9), Until.END);
        loop.advance(Duration.ofMillis(1));

        // then
        assertThat(told.ends).isEqualTo(1);
        assertThat(told.failure).isNull();
    }
}
