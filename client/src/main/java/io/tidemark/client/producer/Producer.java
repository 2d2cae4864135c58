package io.tidemark.client.producer;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.RetryRules;
import io.tidemark.client.net.TopicLookup;
import io.tidemark.client.producer.BatchAccumulator.Appended;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to topics. Thread-safe: one producer for all threads of an application.
 *
 * <p>With idempotence (the default) the records of one partition are written in the order of their sends, also through retries
 * and a leader's death, and each at most once. Without it the order needs a limit of one batch in flight: else a batch that is
 * tried again may come behind later ones. Nothing is lost silently: every send is answered, also by {@link #close}.
 *
 * <p>A record that a leader refuses fails alone: the others of its batch are sent again without it, unless an earlier attempt
 * may have been written.
 */
public final class Producer implements AutoCloseable {
    private static final Duration METADATA_MAX_AGE = Duration.ofSeconds(30);

    private final ProducerConfig config;
    private final ClusterClient cluster;
    private final Sender sender;
    private final Runnable releaseRuntime;
    private final BatchAccumulator accumulator;
    private final Partitioner partitioner;
    private final TopicLookup topics;
    private final TopicQueue waiting = new TopicQueue();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Unanswered unanswered = new Unanswered();
    private int flushesUnderWay;
    /** The partition of the last record that was offered. */
    private int lastChosen;

    private boolean closed;

    /**
     * A producer on the given runtime.
     *
     * @param runtime its loop may be shared; then no callback, of any of those that share it, may block
     * @param releaseRuntime called once at the end of {@link #close}
     */
    public Producer(ProducerConfig config, ClientRuntime runtime, ClientTransport transport, Runnable releaseRuntime) {
        this.config = config;
        this.releaseRuntime = releaseRuntime;
        this.cluster = new ClusterClient(
                new ClusterClient.Settings(config.bootstrap(), METADATA_MAX_AGE, RetryRules.DEFAULT),
                runtime,
                transport);
        this.accumulator = new BatchAccumulator(
                config.codec(), config.limits(), config.times().linger().toNanos(), this::topicMaxBytes);
        this.sender = new Sender(config, cluster, new LockedBuffer(accumulator, lock, changed));
        this.topics = new TopicLookup(cluster);
        this.partitioner = new Partitioner(runtime.randomness());
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
        Delivery delivery = new Delivery(callback, this::answered);
        Appended appended = append(record, partitions, delivery, deadlineNs);
        if (appended == Appended.WAKE_SENDER) {
            cluster.loop().execute(sender::pump);
        }
    }

    /**
     * Sends a record without ever blocking: for callers that must not, as a transport's threads. The buffers of a record whose
     * topic is not known yet are read later, and must not change until the callback. A topic that does not exist is told to
     * the callback as UNKNOWN_TOPIC_OR_PARTITION, well within a second, with partition 0 if the record names none. Records
     * keep their order in a partition also with those of {@link #send}.
     *
     * @return calls the record off: its callback is not called any more. The record is dropped if it is in no batch that was
     *     sent, and everybody else's in that batch were called off too; otherwise it is written with the others
     * @throws TidemarkException if the record was not taken: THROTTLED, that is no room in the buffer now; too large; no such
     *     partition; closed. The callback is then not called. It may be told THROTTLED too, as any refusal: if the batches of
     *     what waited for a topic need more room than there is, or a leader had none until the delivery's time was over
     */
    public Cancellable trySend(ProducerRecord record, SendCallback callback) {
        Delivery delivery = new Delivery(callback, this::answered);
        BatchAccumulator.Entry entry = entry(record, delivery);
        TopicQueue.Waiting parked = null;
        Appended appended = Appended.WAITING;
        boolean lookUp = false;
        lock.lock();
        try {
            requireOpen();
            int partitions = waiting.has(record.topic()) ? 0 : knownPartitions(record.topic());
            if (partitions > 0) {
                appended = requireRoom(offer(record, partitions, entry));
                delivery.joined(accumulator.last(new TopicPartition(record.topic(), lastChosen)));
            } else {
                parked = park(record, entry, delivery);
                lookUp = waiting.add(parked);
            }
            delivery.countedIn(unanswered.add());
        } finally {
            lock.unlock();
        }
        if (appended == Appended.WAKE_SENDER) {
            cluster.loop().execute(sender::pump);
        }
        if (lookUp) {
            cluster.loop().execute(() -> topics.find(record.topic(), found -> onFound(record.topic(), found)));
        }
        TopicQueue.Waiting left = parked;
        return () -> abandon(delivery, left);
    }

    private BatchAccumulator.Entry entry(ProducerRecord record, Delivery delivery) {
        Long timestamp = record.timestampMs();
        return new BatchAccumulator.Entry(
                timestamp == null ? cluster.clock().wallMs() : timestamp,
                record.key(),
                record.value(),
                record.headers(),
                delivery);
    }

    private TopicQueue.Waiting park(ProducerRecord record, BatchAccumulator.Entry entry, Delivery delivery) {
        long sizeBytes = RecordBatchBuilder.sizeBytesUpperBound(record.key(), record.value(), record.headers());
        if (!accumulator.tryReserve(sizeBytes)) {
            throw noRoom();
        }
        return new TopicQueue.Waiting(record, entry, delivery, sizeBytes);
    }

    /** What waited for the topic goes on, in its order, or fails. Its room is the batches' now: all of it, before the first. */
    private void onFound(String topic, TopicLookup.Found found) {
        List<Runnable> failures = new ArrayList<>();
        lock.lock();
        try {
            boolean full = false;
            List<TopicQueue.Waiting> all = waiting.take(topic);
            all.forEach(each -> accumulator.unreserve(each.sizeBytes()));
            for (TopicQueue.Waiting each : all) {
                TidemarkException failure = full ? noRoom() : goOn(each, found);
                if (failure != null) {
                    full |= failure.error() == ErrorCode.THROTTLED;
                    failures.add(() -> each.delivery().done(placeOf(each.record()), -1, failure));
                }
            }
        } finally {
            lock.unlock();
        }
        failures.forEach(Runnable::run);
        signalChange();
        sender.pump();
    }

    private @Nullable TidemarkException goOn(TopicQueue.Waiting parked, TopicLookup.Found found) {
        if (found instanceof TopicLookup.Found.Missing missing) {
            return new TidemarkException(missing.error(), missing.message());
        }
        try {
            int partitions = ((TopicLookup.Found.Known) found).partitions();
            requireRoom(offer(parked.record(), partitions, parked.entry()));
            parked.delivery()
                    .joined(accumulator.last(new TopicPartition(parked.record().topic(), lastChosen)));
            return null;
        } catch (TidemarkException e) {
            return e;
        }
    }

    private static TopicPartition placeOf(ProducerRecord record) {
        Integer wanted = record.partition();
        return new TopicPartition(record.topic(), wanted == null || wanted < 0 ? 0 : wanted);
    }

    private void abandon(Delivery delivery, TopicQueue.@Nullable Waiting parked) {
        if (!delivery.abandon()) {
            return;
        }
        TidemarkException why = new TidemarkException(
                ErrorCode.REQUEST_TIMED_OUT, ErrorCode.Outcome.FAILED, "its caller has called it off");
        boolean unparked = false;
        PendingBatch dropped = null;
        lock.lock();
        try {
            if (parked != null && waiting.remove(parked)) {
                accumulator.unreserve(parked.sizeBytes());
                unparked = true;
            }
            PendingBatch batch = delivery.batch();
            if (batch != null && batch.abandonOne() && accumulator.drop(batch)) {
                dropped = batch;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (unparked && parked != null) {
            delivery.done(placeOf(parked.record()), -1, why);
        }
        if (dropped != null) {
            dropped.fail(why);
        }
    }

    /** The broker that leads the partition, as far as is known here; -1 if none is. */
    public int leaderOf(TopicPartition partition) {
        Metadata.Partition known = cluster.metadata().partition(partition);
        return known == null ? -1 : known.leader();
    }

    /** Bytes of the buffer that are taken; the bound is the configuration's. */
    public long bufferedBytes() {
        lock.lock();
        try {
            return accumulator.usedBytes();
        } finally {
            lock.unlock();
        }
    }

    private Appended append(ProducerRecord record, int partitions, Delivery delivery, long deadlineNs) {
        BatchAccumulator.Entry entry = entry(record, delivery);
        lock.lock();
        try {
            while (true) {
                requireOpen();
                Appended appended = offer(record, partitions, entry);
                if (appended != Appended.NO_ROOM) {
                    delivery.countedIn(unanswered.add());
                    return appended;
                }
                await(deadlineNs, "no room in the buffer of " + config.limits().bufferBytes() + " bytes");
            }
        } finally {
            lock.unlock();
        }
    }

    /** One try to put a record into a batch. */
    private Appended offer(ProducerRecord record, int partitions, BatchAccumulator.Entry entry) {
        int chosen = partitioner.choose(record, partitions);
        lastChosen = chosen;
        Appended appended = accumulator.append(
                new TopicPartition(record.topic(), chosen),
                entry,
                cluster.clock().monotonicNs());
        if (appended == Appended.TOO_LARGE) {
            throw new TidemarkException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "the record does not fit a batch of " + accumulator.maxBatchBytes(record.topic()) + " bytes");
        }
        if (appended == Appended.WAKE_SENDER && record.key() == null) {
            partitioner.batchOpened(record.topic(), partitions);
        }
        return appended;
    }

    private int topicMaxBytes(String name) {
        Metadata.Topic topic = cluster.metadata().topics().get(name);
        return topic == null ? Integer.MAX_VALUE : topic.maxBatchBytes();
    }

    private Appended requireRoom(Appended appended) {
        if (appended == Appended.NO_ROOM) {
            throw noRoom();
        }
        return appended;
    }

    private TidemarkException noRoom() {
        return new TidemarkException(
                ErrorCode.THROTTLED,
                "no room in the buffer of " + config.limits().bufferBytes() + " bytes");
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
            long before = unanswered.beginFlush();
            flushesUnderWay++;
            accumulator.flushing(true);
            cluster.loop().execute(sender::pump);
            while (unanswered.anyFromBefore(before)) {
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
            while (unanswered.any() && inTime) {
                inTime = changed.awaitNanos(deadlineNs - cluster.clock().monotonicNs()) > 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        cluster.loop().execute(() -> {
            topics.close();
            failWaiting();
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

    private void failWaiting() {
        List<TopicQueue.Waiting> left;
        lock.lock();
        try {
            left = waiting.takeAll();
            left.forEach(each -> accumulator.unreserve(each.sizeBytes()));
        } finally {
            lock.unlock();
        }
        TidemarkException why =
                new TidemarkException(ErrorCode.REQUEST_TIMED_OUT, ErrorCode.Outcome.FAILED, "the producer was closed");
        left.forEach(each -> each.delivery().done(placeOf(each.record()), -1, why));
    }

    /** 0 while the topic is not known. */
    private int knownPartitions(String topic) {
        Metadata.Topic known = cluster.metadata().topics().get(topic);
        return known == null ? 0 : known.partitions().size();
    }

    private int partitionCount(String topic, long deadlineNs) {
        int known = knownPartitions(topic);
        if (known > 0) {
            return known;
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

    private void answered(long flushesBefore) {
        lock.lock();
        try {
            if (unanswered.remove(flushesBefore)) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Threads that wait for room, or for a topic, look again. */
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
}
