package io.tidemark.replication.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.produce.Produce;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Real threads against the handlers, on a clock that stands still: a wake-up that is lost is never made good by a timeout
 * (I19, S23, S25, KAFKA-6653).
 */
final class WakeUpRaceTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final int ROUNDS = 3_000;
    private static final int FOREVER_MS = 1_000_000_000;

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock(0, 0));
    private final TestBroker broker = new TestBroker(1, new ManualEventLoops(scheduler));

    @BeforeEach
    void open() {
        broker.add(new TestLogs(scheduler).open(P0));
    }

    @AfterEach
    void shouldHaveFailedNowhere() {
        broker.assertNothingFailed();
        assertThat(broker.waiting()).isZero();
    }

    /** A reader at the tail never misses an append and never sees one twice (S23, KAFKA-2477). */
    @Test
    void shouldWakeATailingConsumerForEveryAppend() throws Exception {
        // Fails if: WatchList.addUnlessSatisfied adds without a test under its lock
        // given
        broker.become(TestStates.led(P0, 1, 1, 1, 1));

        // when
        Thread producer = new Thread(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                broker.produce(Acks.LEADER, 0, P0, TestLogs.batch("v"));
            }
        });
        producer.start();
        long next = 0;
        while (next < ROUNDS) {
            CompletableFuture<List<ConsumerFetch.Result>> answer = new CompletableFuture<>();
            ConsumerFetch.Entry entry = new ConsumerFetch.Entry(P0, -1, next, -1, 100_000);
            broker.fetchHandler()
                    .fetch(new ConsumerFetch.Request(FOREVER_MS, 1, 100_000, List.of(entry)), answer::complete);
            ConsumerFetch.Result result = inTime(answer).get(0);

            // then
            assertThat(result.error()).isEqualTo(ErrorCode.NONE);
            assertThat(result.batches().hasRemaining()).isTrue();
            for (RecordBatch batch : RecordBatches.of(result.batches())) {
                assertThat(batch.baseOffset()).isEqualTo(next);
                next = batch.nextOffset();
            }
        }
        producer.join();
    }

    /** A producer that waits for its follower, and the follower that waits for the producer: neither is left alone. */
    @Test
    void shouldPassEveryRecordBetweenProducerAndFollower() throws Exception {
        // given
        broker.become(TestStates.led(P0, 1, 1, 1, 1, 2));
        CompletableFuture<Long> followed = new CompletableFuture<>();
        Thread follower = new Thread(() -> {
            try {
                followed.complete(follow(ROUNDS));
            } catch (Exception | AssertionError e) {
                followed.completeExceptionally(e);
            }
        });
        follower.start();

        // when
        for (int i = 0; i < ROUNDS; i++) {
            CompletableFuture<List<Produce.Result>> answer = new CompletableFuture<>();
            List<List<Produce.Result>> answers = new ArrayList<>() {
                private static final long serialVersionUID = 1L;

                @Override
                public boolean add(List<Produce.Result> results) {
                    assertThat(answer.complete(results)).as("answered once").isTrue();
                    return true;
                }
            };
            Produce.Part part = new Produce.Part(P0, -1, TestLogs.batch("v"));
            broker.produce(new Produce.Request(Acks.ALL, FOREVER_MS, List.of(part)), answers);

            // then
            assertThat(inTime(answer).get(0).error()).isEqualTo(ErrorCode.NONE);
        }
        assertThat(inTime(followed)).isEqualTo(ROUNDS);
        follower.join();
    }

    /** Fetches as broker 2 does until it has {@code count} records and has proved it. */
    private long follow(long count) throws Exception {
        Follower self = new Follower(2, TestBroker.epochOf(2));
        long session = 0;
        int epoch = 0;
        long next = 0;
        List<FetchEntry> changed = List.of(entry(next));
        while (true) {
            CompletableFuture<ReplicaFetch.Answer> reply = new CompletableFuture<>();
            int maxWaitMs = next < count ? FOREVER_MS : 0;
            broker.fetchHandler()
                    .fetchAsReplica(
                            new ReplicaFetch.Request(self, session, epoch, maxWaitMs, 1, 100_000, changed, List.of()),
                            reply::complete);
            ReplicaFetch.Answer answer = inTime(reply);
            assertThat(answer.error()).isEqualTo(ErrorCode.NONE);
            if (next == count) {
                return next;
            }
            session = answer.sessionId();
            epoch++;
            changed = List.of();
            for (ReplicaFetch.Result result : answer.results()) {
                for (RecordBatch batch : RecordBatches.of(result.batches())) {
                    assertThat(batch.baseOffset()).isEqualTo(next);
                    next = batch.nextOffset();
                    changed = List.of(entry(next));
                }
            }
        }
    }

    private static FetchEntry entry(long fetchOffset) {
        return new FetchEntry(TestLogs.TOPIC_ID, P0, 1, fetchOffset, fetchOffset == 0 ? -1 : 1, 0, 100_000);
    }

    private static <T> T inTime(CompletableFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(20, TimeUnit.SECONDS);
    }
}
