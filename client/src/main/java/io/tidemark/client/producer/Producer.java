package io.tidemark.client.producer;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.RetryRules;
import io.tidemark.client.producer.BatchAccumulator.Appended;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to topics. Thread-safe: one producer for all threads of an application.
 *
 * <p>Records of one partition are written in the order of their sends, also through retries and a leader's death; with
 * idempotence (the default) each is written at most once. Nothing is lost silently: every send is answered, also by {@link
 * #close}.
 */
public final class Producer implements AutoCloseable {
    private static final Duration METADATA_MAX_AGE = Duration.ofSeconds(30);

    private final ProducerConfig config;
    private final ClusterClient cluster;
    private final Sender sender;
    private final Runnable releaseRuntime;
    private final BatchAccumulator accumulator;
    private final Map<String, Integer> sticky = new ConcurrentHashMap<>();
    private final Map<String, Integer> openedBatches = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Records without an answer, by the number of flushes that had begun when they were sent. */
    private final NavigableMap<Long, Integer> unanswered = new TreeMap<>();

    private long flushesBegun;
    private int flushesUnderWay;
    private boolean closed;

    /**
     * A producer on the given runtime.
     *
     * @param runtime its loop must be the producer's alone
     * @param releaseRuntime called once at the end of {@link #close}
     */
    public Producer(ProducerConfig config, ClientRuntime runtime, ClientTransport transport, Runnable releaseRuntime) {
        this.config = config;
        this.releaseRuntime = releaseRuntime;
        this.accumulator = new BatchAccumulator(
                config.codec(), config.limits(), config.times().linger().toNanos());
        this.cluster = new ClusterClient(
                new ClusterClient.Settings(config.bootstrap(), METADATA_MAX_AGE, RetryRules.DEFAULT),
                runtime,
                transport);
        this.sender = new Sender(config, cluster, new SharedBuffer());
        runtime.loop().execute(() -> {
            sender.start();
            cluster.onRefresh(this::signalChange);
        });
    }

    /** Sends a record; the future fails with a {@link TidemarkException}. Blocks as {@link #send(ProducerRecord, SendCallback)}. */
    public CompletableFuture<RecordMetadata> send(ProducerRecord record) {
        CompletableFuture<RecordMetadata> future = new CompletableFuture<>();
        send(record, (partition, offset, failure) -> {
            if (failure == null) {
                future.complete(new RecordMetadata(partition, offset));
            } else {
                future.completeExceptionally(failure);
            }
        });
        return future;
    }

    /**
     * Sends a record. Returns when it is copied into a batch; blocks for at most {@code maxBlock} while the topic is
     * unknown or the buffer full.
     *
     * @throws TidemarkException if the record was not taken: too large, no such topic, no room in time, closed. The
     *     callback is then not called
     */
    public void send(ProducerRecord record, SendCallback callback) {
        long deadlineNs =
                cluster.clock().monotonicNs() + config.times().maxBlock().toNanos();
        int partitions = partitionCount(record.topic(), deadlineNs);
        Long timestamp = record.timestampMs();
        BatchAccumulator.Entry entry = new BatchAccumulator.Entry(
                timestamp == null ? cluster.clock().wallMs() : timestamp,
                record.key(),
                record.value(),
                record.headers(),
                new Counted(callback));
        Appended appended = append(record, partitions, entry, deadlineNs);
        if (appended == Appended.WAKE_SENDER) {
            cluster.loop().execute(sender::pump);
        }
    }

    private Appended append(ProducerRecord record, int partitions, BatchAccumulator.Entry entry, long deadlineNs) {
        lock.lock();
        try {
            while (true) {
                requireOpen();
                TopicPartition partition = new TopicPartition(record.topic(), choose(record, partitions));
                Appended appended =
                        accumulator.append(partition, entry, cluster.clock().monotonicNs());
                switch (appended) {
                    case WAITING, WAKE_SENDER -> {
                        count((Counted) entry.callback());
                        if (appended == Appended.WAKE_SENDER && record.key() == null) {
                            moveOn(record.topic(), partitions);
                        }
                        return appended;
                    }
                    case TOO_LARGE ->
                        throw new TidemarkException(
                                ErrorCode.MESSAGE_TOO_LARGE,
                                "the record does not fit a batch of "
                                        + config.limits().maxBatchBytes() + " bytes");
                    case NO_ROOM ->
                        await(
                                deadlineNs,
                                "no room in the buffer of " + config.limits().bufferBytes() + " bytes");
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends what waits, and returns when everything sent before is answered, whatever others send meanwhile. Not to be
     * called by a callback, whose thread is the one that takes the answers.
     *
     * @throws TidemarkException if the thread is interrupted, or is the producer's own
     */
    public void flush() {
        requireOtherThread("flush would wait for itself");
        lock.lock();
        try {
            long before = flushesBegun++;
            flushesUnderWay++;
            accumulator.flushing(true);
            cluster.loop().execute(sender::pump);
            while (hasUnanswered(before)) {
                awaitChange(Long.MAX_VALUE);
            }
        } finally {
            flushesUnderWay--;
            // Somebody else's flush, or the close, still wants every batch to go at once.
            accumulator.flushing(flushesUnderWay > 0 || closed);
            lock.unlock();
        }
    }

    /** As {@link #close(Duration)}, with the delivery timeout. */
    @Override
    public void close() {
        close(config.times().delivery());
    }

    /**
     * Takes no more records, waits for answers at most {@code timeout}, and fails what is left. Idempotent. An interrupted
     * thread does not wait, nor does a callback: there what is left fails after the callback has returned.
     */
    public void close(Duration timeout) {
        boolean mayWait = !cluster.loop().inLoop();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            changed.signalAll();
            accumulator.flushing(true);
            cluster.loop().execute(sender::pump);
            long deadlineNs = cluster.clock().monotonicNs() + timeout.toNanos();
            boolean inTime = mayWait;
            while (!unanswered.isEmpty() && inTime) {
                inTime = changed.awaitNanos(deadlineNs - cluster.clock().monotonicNs()) > 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        cluster.loop().execute(() -> {
            sender.close("the producer was closed");
            cluster.close();
            done.complete(null);
            if (!mayWait) {
                releaseRuntime.run();
            }
        });
        if (mayWait) {
            done.join();
            releaseRuntime.run();
        }
    }

    private int partitionCount(String topic, long deadlineNs) {
        Metadata.Topic known = cluster.metadata().topics().get(topic);
        if (known != null && !known.partitions().isEmpty()) {
            return known.partitions().size();
        }
        cluster.loop().execute(() -> cluster.track(topic));
        lock.lock();
        try {
            while (true) {
                requireOpen();
                Metadata.Topic found = cluster.metadata().topics().get(topic);
                if (found != null && !found.partitions().isEmpty()) {
                    return found.partitions().size();
                }
                if (found != null) {
                    cluster.loop().execute(cluster::refresh);
                }
                await(deadlineNs, "topic " + topic + " is not known; " + cluster.lastProblem());
            }
        } finally {
            lock.unlock();
        }
    }

    private int choose(ProducerRecord record, int partitions) {
        Integer wanted = record.partition();
        if (wanted != null) {
            if (wanted < 0 || wanted >= partitions) {
                throw new TidemarkException(
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        "topic " + record.topic() + " has partitions 0 to " + (partitions - 1) + ", not " + wanted);
            }
            return wanted;
        }
        if (record.key() != null) {
            return Murmur2.partition(record.key(), partitions);
        }
        return sticky.computeIfAbsent(
                        record.topic(), topic -> cluster.randomness().nextInt(partitions))
                % partitions;
    }

    /** A new batch was opened: the next records without a key fill it, and those after it another partition's. */
    private void moveOn(String topic, int partitions) {
        int opened = openedBatches.merge(topic, 1, Integer::sum);
        if (opened > 1) {
            sticky.merge(topic, 1, (current, one) -> (current + one) % partitions);
            openedBatches.put(topic, 0);
        }
    }

    /** An application's callback, which is counted from the moment that its record is in a batch. */
    private final class Counted implements SendCallback {
        private final SendCallback callback;
        private long flushesBefore;

        Counted(SendCallback callback) {
            this.callback = callback;
        }

        @Override
        public void done(TopicPartition partition, long offset, @Nullable TidemarkException failure) {
            try {
                callback.done(partition, offset, failure);
            } finally {
                answered(flushesBefore);
            }
        }
    }

    private void count(Counted record) {
        record.flushesBefore = flushesBegun;
        unanswered.merge(flushesBegun, 1, Integer::sum);
    }

    private boolean hasUnanswered(long flushesBefore) {
        return !unanswered.isEmpty() && unanswered.firstKey() <= flushesBefore;
    }

    private void answered(long flushesBefore) {
        lock.lock();
        try {
            if (unanswered.merge(flushesBefore, -1, Producer::sumOrNone) == null) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Null, which takes the entry out of its map, for none. */
    private static @Nullable Integer sumOrNone(int count, int change) {
        return count + change == 0 ? null : count + change;
    }

    private void signalChange() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new TidemarkException(ErrorCode.INVALID_REQUEST, ErrorCode.Outcome.FAILED, "the producer is closed");
        }
    }

    private void requireOtherThread(String why) {
        if (cluster.loop().inLoop()) {
            throw new TidemarkException(
                    ErrorCode.INVALID_REQUEST, ErrorCode.Outcome.FAILED, "on the producer's own thread " + why);
        }
    }

    private void await(long deadlineNs, String why) {
        requireOtherThread("nothing may wait: " + why);
        long leftNs = deadlineNs - cluster.clock().monotonicNs();
        if (leftNs <= 0 || !awaitChange(leftNs)) {
            throw new TidemarkException(
                    ErrorCode.REQUEST_TIMED_OUT,
                    ErrorCode.Outcome.FAILED,
                    "not taken within " + config.times().maxBlock().toMillis() + " ms: " + why);
        }
    }

    @SuppressWarnings("WaitNotInLoop") // Each caller loops over its own condition.
    private boolean awaitChange(long timeoutNs) {
        try {
            return changed.await(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TidemarkException(ErrorCode.REQUEST_TIMED_OUT, ErrorCode.Outcome.FAILED, "interrupted");
        }
    }

    /** The accumulator under the producer's lock. */
    private final class SharedBuffer implements Sender.Buffer {
        @Override
        public List<TopicPartition> partitions() {
            return locked(accumulator::partitions);
        }

        @Override
        public @Nullable PendingBatch takeReady(TopicPartition partition, long nowNs) {
            lock.lock();
            try {
                return accumulator.takeReady(partition, nowNs);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public List<PendingBatch> takeExpired(long createdBeforeNs) {
            return locked(() -> accumulator.takeExpired(createdBeforeNs));
        }

        @Override
        public List<PendingBatch> takeAll() {
            return locked(accumulator::takeAll);
        }

        @Override
        public long nextReadyInNs(long nowNs) {
            return locked(() -> accumulator.nextReadyInNs(nowNs));
        }

        @Override
        public void release(PendingBatch batch) {
            lock.lock();
            try {
                accumulator.release(batch);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        private <T> T locked(java.util.function.Supplier<T> action) {
            lock.lock();
            try {
                return action.get();
            } finally {
                lock.unlock();
            }
        }
    }
}
