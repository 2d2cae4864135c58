package io.tidemark.client.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.consumer.RecordStream.Selection.Until;
import io.tidemark.client.net.Reply;
import io.tidemark.client.producer.ManualLoop;
import io.tidemark.model.ErrorCode;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A topic that is deleted and created again under its readers. */
final class RecordStreamTopicTest {
    private final ManualLoop loop = new ManualLoop();
    private final FakeLeaders.Told told = new FakeLeaders.Told();
    private final FakeLeaders brokers = new FakeLeaders(1);
    private RecordStream stream;

    @BeforeEach
    void readAsFarAsThereIsSomething() {
        brokers.append(0, 3, 10);
        stream = Streams.of(
                loop,
                brokers,
                StartAt.Edge.EARLIEST,
                Until.CLOSED,
                record -> record.value() == null ? 0 : record.value().remaining(),
                told);
        stream.start();
        loop.advance(Duration.ofMillis(10));
        stream.demand(1_000);
        loop.run();
        answerAll();
        assertThat(told.offsets(0)).containsExactly(0L, 1L, 2L);
    }

    private void answerAll() {
        brokers.answer();
        loop.run();
    }

    // Issue 3 (Subscribe); fails if: a stream compares no topic ids, and goes on in the new topic's records.
    @Test
    void shouldNotGoOnInAnotherTopicOfTheSameName() {
        // given another topic, whose log is longer, in a leader epoch that fits
        brokers.topicId = "another";
        brokers.append(0, 5, 10);

        // when a fetch fails, so that brokers are asked
        stream.demand(1_000);
        loop.run();
        brokers.answer(fetch -> Reply.failed(ErrorCode.REQUEST_TIMED_OUT, "the old topic's leader is gone"));
        loop.advance(Duration.ofMillis(500));

        // then nothing is read of it, and soon the reader is told
        assertThat(brokers.asked).isEmpty();
        loop.advance(Duration.ofMillis(1_500));
        assertThat(told.offsets(0)).containsExactly(0L, 1L, 2L);
        assertThat(told.failure)
                .asInstanceOf(type(TidemarkException.class))
                .satisfies(gone -> assertThat(gone.error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
                .satisfies(gone -> assertThat(gone).hasMessageContaining("created again"));
        assertThat(brokers.openLanes).isZero();
    }

    // Issue 3 (Subscribe); fails if: the first broker that names another id ends the stream.
    @Test
    void shouldGoOnWhenABrokerWasLateWithItsNews() {
        // given one answer from the past
        brokers.topicId = "from the past";
        stream.demand(1_000);
        loop.run();
        brokers.answer(fetch -> Reply.failed(ErrorCode.REQUEST_TIMED_OUT, "as told"));
        loop.advance(Duration.ofMillis(500));
        assertThat(told.failure).isNull();

        // when
        brokers.topicId = "id";
        brokers.append(0, 1, 10);
        loop.advance(Duration.ofSeconds(2));
        answerAll();

        // then
        assertThat(told.failure).isNull();
        assertThat(told.offsets(0)).containsExactly(0L, 1L, 2L, 3L);
    }

    // Issue 3 (Subscribe resumes by itself); fails if: the time without a leader counts as time without the topic.
    @Test
    void shouldGoOnWhenABrokerDeniesTheTopicForAMomentOfAFailover() {
        // given a leader that has been away for some seconds
        stream.demand(1_000);
        loop.run();
        brokers.lead(0, -1, 2);
        answerAll();
        loop.advance(Duration.ofSeconds(5));

        // when one broker does not know the topic yet
        brokers.exists = false;
        loop.advance(Duration.ofMillis(100));
        assertThat(told.failure).isNull();

        // then
        brokers.exists = true;
        brokers.lead(0, 2, 3);
        brokers.append(0, 1, 10);
        loop.advance(Duration.ofSeconds(1));
        answerAll();
        assertThat(told.failure).isNull();
        assertThat(told.offsets(0)).containsExactly(0L, 1L, 2L, 3L);
    }
}
