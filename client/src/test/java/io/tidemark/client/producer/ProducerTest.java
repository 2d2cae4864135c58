package io.tidemark.client.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.ClientThread;
import io.tidemark.client.producer.FakeCluster.Produced;
import io.tidemark.model.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What threads of an application meet: flush, close, interruption, and callbacks that call the producer back. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class ProducerTest {
    /** Longer than any test: what goes in time goes because somebody asked for it. */
    private static final Duration NEVER = Duration.ofHours(1);

    private static final int IN_FLIGHT = 2;

    private final ClientThread thread = new ClientThread("producer-test");
    private final FakeCluster brokers = new FakeCluster();
    private final CountDownLatch released = new CountDownLatch(1);
    private final Producer producer = new Producer(
            ProducerConfig.of(List.of(FakeCluster.endpoint(1)))
                    .withTimes(new ProducerConfig.Times(NEVER, NEVER, NEVER, Duration.ofSeconds(20)))
                    .withLimits(new ProducerConfig.Limits(16 << 10, 1 << 20, 32 << 20, IN_FLIGHT)),
            thread.runtime(),
            brokers,
            released::countDown);
    private final List<String> told = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        producer.close(Duration.ZERO);
        thread.close();
    }

    private void send(String name, int partition) {
        producer.send(
                new ProducerRecord(FakeCluster.TOPIC, partition, 1L, null, Batches.bytes(name), List.of()),
                (where, offset, failure) -> told.add(name + " " + (failure == null ? offset : failure.outcome())));
    }

    private <T> T onLoop(Supplier<T> action) {
        return CompletableFuture.supplyAsync(action, thread).join();
    }

    /** Waits until that many batches have come to the brokers. */
    private List<Produced> awaitProduced(int count) {
        List<Produced> all = new ArrayList<>();
        while (all.size() < count) {
            all.addAll(onLoop(brokers::takeProduced));
            pass();
        }
        return all;
    }

    /** Answers whatever comes until {@code end}; both partitions may have come in one request, whose other part is then sent again. */
    private void answerUntil(CompletableFuture<Void> end) {
        while (!end.isDone()) {
            onLoop(brokers::takeProduced).forEach(each -> answer(each, 3));
            pass();
        }
    }

    private static void pass() {
        assertThat(Thread.currentThread().isInterrupted())
                .as("the test's time is over")
                .isFalse();
        Thread.onSpinWait();
    }

    private void answer(Produced produced, long baseOffset) {
        onLoop(() -> {
            produced.succeed(baseOffset);
            return true;
        });
    }

    private static CompletableFuture<Void> start(Runnable action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread runner = new Thread(() -> {
            try {
                action.run();
                done.complete(null);
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        runner.setDaemon(true);
        runner.start();
        return done;
    }

    @Test
    void shouldEndAFlushThoughOthersGoOnSending() {
        // given
        send("before", 0);
        CompletableFuture<Void> flush = start(producer::flush);
        Produced before = awaitProduced(1).get(0);

        // when
        send("after", 1);
        awaitProduced(1);
        answer(before, 7);

        // then
        flush.join();
        assertThat(told).containsExactly("before 7");
    }

    @Test
    void shouldSendAtOnceForOneFlushWhenAnotherIsInterrupted() {
        // given two flushes
        send("r0", 0);
        AtomicReference<Thread> first = new AtomicReference<>();
        CompletableFuture<Void> interrupted = start(() -> {
            first.set(Thread.currentThread());
            producer.flush();
        });
        Produced r0 = awaitProduced(1).get(0);
        send("r1", 1);
        AtomicReference<Thread> second = new AtomicReference<>();
        CompletableFuture<Void> other = start(() -> {
            second.set(Thread.currentThread());
            producer.flush();
        });
        Produced r1 = awaitProduced(1).get(0);
        while (second.get() == null || second.get().getState() != Thread.State.TIMED_WAITING) {
            pass();
        }

        // when the one ends by an interruption, and then something is sent
        first.get().interrupt();
        assertThatThrownBy(interrupted::join).hasCauseInstanceOf(TidemarkException.class);
        send("r2", 0);

        // then
        Produced r2 = awaitProduced(1).get(0);
        answer(r0, 0);
        answer(r1, 0);
        other.join();
        assertThat(told).containsExactly("r0 0", "r1 0");
        answer(r2, 1);
        producer.flush();
        assertThat(told).containsExactly("r0 0", "r1 0", "r2 1");
    }

    @Test
    void shouldAnswerEverythingBeforeACloseReturns() {
        // given
        send("r0", 0);
        send("r1", 1);
        CompletableFuture<Void> close = start(producer::close);
        List<Produced> sent = awaitProduced(2);

        // when
        assertThat(close).isNotDone();
        sent.forEach(each -> answer(each, 3));
        answerUntil(close);

        // then
        close.join();
        assertThat(told).containsExactlyInAnyOrder("r0 3", "r1 3");
        assertThatThrownBy(() -> send("late", 0))
                .isInstanceOfSatisfying(
                        TidemarkException.class, e -> assertThat(e.outcome()).isEqualTo(ErrorCode.Outcome.FAILED));
        assertThat(released.getCount()).isZero();
    }

    /** A flush that ends while a close waits must not take the hurry out of what is left. */
    @Test
    void shouldCloseBesideAFlush() {
        // given
        send("r0", 0);
        CompletableFuture<Void> flush = start(producer::flush);
        Produced r0 = awaitProduced(1).get(0);
        send("r1", 1);
        Produced r1 = awaitProduced(1).get(0);

        // when
        CompletableFuture<Void> close = start(producer::close);
        answer(r0, 0);
        flush.join();
        answer(r1, 0);

        // then
        close.join();
        assertThat(told).containsExactly("r0 0", "r1 0");
    }

    /** Nothing is lost silently: what was sent may have been written, what was not certainly is not. */
    @Test
    void shouldFailWhatIsUnansweredWhenTheTimeOfACloseIsOver() {
        // given as many under way as may be, and one more
        send("r0", 0);
        CompletableFuture<Void> flush = start(producer::flush);
        awaitProduced(1);
        send("r1", 0);
        awaitProduced(1);
        send("waiting", 0);

        // when
        producer.close(Duration.ZERO);

        // then
        flush.join();
        assertThat(told).containsExactly("r0 UNKNOWN", "r1 UNKNOWN", "waiting FAILED");
    }

    @Test
    void shouldNotWaitInACloseUnderAnInterrupt() {
        // given
        send("r0", 0);

        // when
        Thread.currentThread().interrupt();
        producer.close();

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(told).hasSize(1);
        assertThat(released.getCount()).isZero();
    }

    @Test
    void shouldRefuseAFlushInACallback() {
        // given
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        producer.send(
                new ProducerRecord(FakeCluster.TOPIC, 0, 1L, null, Batches.bytes("r0"), List.of()),
                (where, offset, failure) -> {
                    try {
                        producer.flush();
                        refused.complete(new AssertionError("flushed"));
                    } catch (TidemarkException e) {
                        refused.complete(e);
                    }
                });
        CompletableFuture<Void> flush = start(producer::flush);

        // when
        answer(awaitProduced(1).get(0), 0);

        // then
        assertThat(refused.join()).isInstanceOf(TidemarkException.class);
        flush.join();
    }

    @Test
    void shouldCloseInACallbackWithoutWaitingForItself() throws InterruptedException {
        // given
        producer.send(
                new ProducerRecord(FakeCluster.TOPIC, 0, 1L, null, Batches.bytes("r0"), List.of()),
                (where, offset, failure) -> producer.close());
        send("r1", 1);
        CompletableFuture<Void> flush = start(producer::flush);
        List<Produced> sent = awaitProduced(2);

        // when
        answer(sent.get(0), 0);

        // then
        flush.join();
        assertThat(released.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(told).containsExactly("r1 UNKNOWN");
    }
}
