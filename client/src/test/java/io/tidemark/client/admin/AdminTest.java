package io.tidemark.client.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.client.net.FetchLane;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.NoJitter;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.Wire;
import io.tidemark.client.producer.ManualLoop;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which failures an admin tries again: a change never where it may have been carried out. */
final class AdminTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ManualLoop loop = new ManualLoop();
    private final Broker broker = new Broker();
    private final Admin admin = new Admin(
            new Admin.Settings(List.of(new Endpoint("broker", 1)), TIMEOUT),
            new ClientRuntime(loop, loop, new NoJitter()),
            broker,
            () -> {});

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"REQUEST_TIMED_OUT", "UNKNOWN_SERVER_ERROR", "INVALID_REQUEST", "MESSAGE_TOO_LARGE"})
    void shouldNotRepeatAChangeThatMayBeDoneOrWasRefused(ErrorCode error) {
        // given
        broker.failure = error;

        // when
        CompletableFuture<String> created = admin.createTopic(new Wire.TopicCreation("orders", 1, 1, new TreeMap<>()));
        loop.advance(TIMEOUT);

        // then
        assertThat(broker.calls).isEqualTo(1);
        assertThat(errorOf(created)).isEqualTo(error);
    }

    @Test
    void shouldRepeatAChangeThatWasCertainlyNotSent() {
        // given
        broker.failure = ErrorCode.BROKER_NOT_AVAILABLE;
        CompletableFuture<String> created = admin.createTopic(new Wire.TopicCreation("orders", 1, 1, new TreeMap<>()));
        loop.advance(Duration.ofSeconds(1));
        assertThat(broker.calls).isGreaterThan(1);
        assertThat(created).isNotDone();

        // when
        broker.failure = ErrorCode.NONE;
        loop.advance(Duration.ofSeconds(1));

        // then
        assertThat(created).isCompletedWithValue("topic-id");
    }

    @Test
    void shouldAskAgainWhateverBecameOfTheFirstQuestion() {
        // given
        broker.failure = ErrorCode.REQUEST_TIMED_OUT;
        CompletableFuture<Metadata> told = admin.describeCluster();
        loop.advance(Duration.ofSeconds(1));
        assertThat(told).isNotDone();

        // when
        broker.failure = ErrorCode.NONE;
        loop.advance(Duration.ofSeconds(1));

        // then
        assertThat(told).isCompleted();
    }

    @Test
    void shouldAnswerTheFirstOffsetThatIsLeft() {
        CompletableFuture<Long> left = admin.deleteRecords(new TopicPartition("orders", 0), Admin.TO_HIGH_WATERMARK);
        loop.advance(Duration.ofSeconds(1));
        assertThat(left).isCompletedWithValue(7L);
    }

    private static ErrorCode errorOf(CompletableFuture<?> failed) {
        assertThat(failed).isCompletedExceptionally();
        try {
            failed.get();
        } catch (ExecutionException e) {
            return ((TidemarkException) e.getCause()).error();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return ErrorCode.NONE;
    }

    /** The one broker; its failure answers every call. */
    private static final class Broker implements ClientTransport, BrokerConnection {
        private ErrorCode failure = ErrorCode.NONE;
        private int calls;

        private <T> void answer(Consumer<Reply<T>> answer, T value) {
            calls++;
            answer.accept(failure == ErrorCode.NONE ? Reply.of(value) : Reply.failed(failure, "as told"));
        }

        @Override
        public BrokerConnection connect(Endpoint endpoint) {
            return this;
        }

        @Override
        public void metadata(Wire.MetadataCall call, Consumer<Reply<Metadata>> answer) {
            TreeMap<Integer, Metadata.Broker> brokers = new TreeMap<>();
            brokers.put(1, new Metadata.Broker(1, new Endpoint("broker", 1), null, ""));
            answer(answer, new Metadata("cluster", 1, 1, 1, brokers, new TreeMap<>()));
        }

        @Override
        public void createTopic(Wire.TopicCreation topic, Consumer<Reply<String>> answer) {
            answer(answer, "topic-id");
        }

        @Override
        public void deleteTopic(String topic, Consumer<Reply<String>> answer) {
            answer(answer, topic);
        }

        @Override
        public void deleteRecords(TopicPartition partition, long beforeOffset, Consumer<Reply<Long>> answer) {
            answer(answer, 7L);
        }

        @Override
        public void alterTopic(Wire.TopicAlteration topic, Consumer<Reply<SortedMap<String, String>>> answer) {
            answer(answer, topic.set());
        }

        @Override
        public void transferLeader(TopicPartition partition, int toBroker, Consumer<Reply<Integer>> answer) {
            answer(answer, 1);
        }

        @Override
        public void produce(Wire.ProduceCall call, Consumer<Reply<List<Wire.ProduceResult>>> answer) {
            throw new AssertionError("an admin writes nothing");
        }

        @Override
        public FetchLane openFetches() {
            throw new AssertionError("an admin reads nothing");
        }

        @Override
        public void initProducerId(Consumer<Reply<Wire.ProducerIdentity>> answer) {
            throw new AssertionError("an admin writes nothing");
        }

        @Override
        public Cancellable listOffsets(
                List<Wire.OffsetQuery> queries, Consumer<Reply<List<Wire.OffsetResult>>> answer) {
            throw new AssertionError("an admin reads nothing");
        }

        @Override
        public void reconnect() {}

        @Override
        public void close() {}
    }
}
