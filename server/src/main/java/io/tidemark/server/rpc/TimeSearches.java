package io.tidemark.server.rpc;

import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.LocalReplicas;
import io.tidemark.replication.partition.OffsetLookup;
import io.tidemark.runtime.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches logs by time on few threads of their own, for such a search reads the disk for as long as it takes.
 *
 * <p>Requests take turns: a turn is one partition, then the request goes to the back of the queue, so that one with many
 * partitions holds nobody up. Bounded: only so many requests are let in, the rest is THROTTLED at once; a request that
 * nobody waits for, or that has had its time, ends at its next batches.
 */
public final class TimeSearches implements TimeOffsetsPort, AutoCloseable {
    /** Requests that run or wait for a turn; those beyond are refused. */
    static final int MAX_REQUESTS = 64;

    /** The longest that a request may take, whatever its caller says. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(TimeSearches.class);
    private static final int THREADS = 2;
    private static final Duration THREAD_IDLE = Duration.ofSeconds(10);

    private final LocalReplicas replicas;
    private final Clock clock;
    private final Executor turns;
    private final Runnable end;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean closed;

    /** @param turns runs one partition's search at a time, in order; its queue is bounded by what is let in here */
    TimeSearches(LocalReplicas replicas, Clock clock, Executor turns, Runnable end) {
        this.replicas = replicas;
        this.clock = clock;
        this.turns = turns;
        this.end = end;
    }

    /** Searches on two threads, which come and go with the work. */
    public static TimeSearches start(LocalReplicas replicas, Clock clock) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS, THREADS, THREAD_IDLE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "tidemark-time-search-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        // Not shutdownNow: an interrupt would close the file under a read.
        return new TimeSearches(replicas, clock, pool, pool::shutdown);
    }

    @Override
    public void search(List<Question> questions, BooleanSupplier isWanted, Consumer<List<OffsetLookup>> answer) {
        if (closed || requests.incrementAndGet() > MAX_REQUESTS) {
            boolean full = !closed;
            if (full) {
                requests.decrementAndGet();
            }
            ErrorCode error = full ? ErrorCode.THROTTLED : ErrorCode.BROKER_SHUTTING_DOWN;
            answer.accept(Collections.nCopies(questions.size(), refused(error)));
            return;
        }
        turns.execute(new Request(questions, isWanted, answer, clock.monotonicNs() + LONGEST.toNanos()));
    }

    /** Lets nothing in any more; what runs is given up. */
    @Override
    public void close() {
        closed = true;
        end.run();
    }

    /** Requests that run or wait for a turn. */
    public int underWay() {
        return requests.get();
    }

    private static OffsetLookup refused(ErrorCode error) {
        return new OffsetLookup.Refused(error, PartitionState.NO_LEADER, -1);
    }

    /** One request; each run is a turn. */
    private final class Request implements Runnable {
        private final List<Question> questions;
        private final BooleanSupplier isWanted;
        private final Consumer<List<OffsetLookup>> answer;
        private final long deadlineNs;
        private final List<OffsetLookup> found = new ArrayList<>();

        Request(
                List<Question> questions,
                BooleanSupplier isWanted,
                Consumer<List<OffsetLookup>> answer,
                long deadlineNs) {
            this.questions = questions;
            this.isWanted = isWanted;
            this.answer = answer;
            this.deadlineNs = deadlineNs;
        }

        @Override
        public void run() {
            if (goesOn()) {
                found.add(lookup(questions.get(found.size())));
            }
            if (found.size() < questions.size() && goesOn()) {
                turns.execute(this);
                return;
            }
            while (found.size() < questions.size()) {
                found.add(refused(ErrorCode.REQUEST_TIMED_OUT));
            }
            requests.decrementAndGet();
            answer.accept(found);
        }

        private boolean goesOn() {
            return !closed && isWanted.getAsBoolean() && deadlineNs - clock.monotonicNs() > 0;
        }

        private OffsetLookup lookup(Question question) {
            try {
                return replicas.partition(question.partition())
                        .map(partition -> partition.lookupTime(
                                question.timestampMs(), question.clientLeaderEpoch(), this::goesOn))
                        .orElseGet(() -> refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION));
            } catch (KafkaStorageException e) {
                replicas.storageFailures().onStorageFailure(e);
                return refused(ErrorCode.KAFKA_STORAGE_ERROR);
            } catch (RuntimeException e) {
                LOG.error("a search by time in {} failed", question.partition(), e);
                return refused(ErrorCode.UNKNOWN_SERVER_ERROR);
            }
        }
    }
}
