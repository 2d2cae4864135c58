package io.tidemark.client.consumer;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.RetryRules;
import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads committed records of assigned partitions, in offset order per partition. One thread polls at a time; the next
 * fetch is under way while the last one is read. Memory is bounded by one answer per leader.
 */
public final class Consumer implements AutoCloseable {
    private static final Duration METADATA_MAX_AGE = Duration.ofSeconds(30);
    private static final int MAX_POLL_RECORDS = 1_000;

    private final ConsumerConfig config;
    private final ClusterClient cluster;
    private final Fetcher fetcher;
    private final OffsetFinder offsets;
    private final Runnable releaseRuntime;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final FetchBuffer buffer = new FetchBuffer();
    private @Nullable RuntimeException failure;
    private boolean closed;

    /**
     * A consumer on the given runtime.
     *
     * @param runtime its loop must be the consumer's alone
     * @param releaseRuntime called once at the end of {@link #close}
     */
    public Consumer(ConsumerConfig config, ClientRuntime runtime, ClientTransport transport, Runnable releaseRuntime) {
        this.config = config;
        this.releaseRuntime = releaseRuntime;
        this.cluster = new ClusterClient(
                new ClusterClient.Settings(config.bootstrap(), METADATA_MAX_AGE, RetryRules.DEFAULT),
                runtime,
                transport);
        this.fetcher = new Fetcher(
                new Fetcher.Settings(
                        config.onOutOfRange(), config.fetchMaxWait(), config.request(), Fetcher.Patience.ENDLESS),
                cluster,
                new SharedState());
        this.offsets = new OffsetFinder(cluster);
        runtime.loop().execute(fetcher::start);
    }

    /** Reads these partitions, and no others, from these offsets on. */
    public void assign(SortedMap<TopicPartition, Long> offsets) {
        lock.lock();
        try {
            buffer.retain(List.copyOf(offsets.keySet()));
            offsets.forEach(buffer::seek);
            failure = null;
        } finally {
            lock.unlock();
        }
        cluster.loop().execute(fetcher::pump);
    }

    /** Reads an assigned partition from {@code offset} on; clears a failure of the last poll. */
    public void seek(TopicPartition partition, long offset) {
        lock.lock();
        try {
            buffer.seek(partition, offset);
            failure = null;
        } finally {
            lock.unlock();
        }
        cluster.loop().execute(fetcher::pump);
    }

    /**
     * Records that have arrived, in the order of each partition; empty when none came within {@code timeout}.
     *
     * @throws LogTruncatedException if records that were read are gone
     * @throws TidemarkException if a position cannot be read and the configuration says to fail
     */
    public List<ConsumerRecord> poll(Duration timeout) {
        long deadlineNs = cluster.clock().monotonicNs() + timeout.toNanos();
        List<ConsumerRecord> records;
        lock.lock();
        try {
            while (buffer.isEmpty() && failure == null && !closed) {
                long leftNs = deadlineNs - cluster.clock().monotonicNs();
                if (leftNs <= 0 || arrived.awaitNanos(leftNs) <= 0) {
                    break;
                }
            }
            RuntimeException broken = failure;
            if (broken != null && buffer.isEmpty()) {
                throw broken;
            }
            records = buffer.poll(MAX_POLL_RECORDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            lock.unlock();
        }
        cluster.loop().execute(fetcher::pump);
        return records;
    }

    /**
     * Where the next {@link #poll} goes on in a partition, behind what the last one gave and behind offsets that have no
     * record; -1 if the partition is not assigned.
     */
    public long position(TopicPartition partition) {
        lock.lock();
        try {
            return buffer.position(partition);
        } finally {
            lock.unlock();
        }
    }

    /** The offset of a place in a partition's log: LATEST is the high watermark. */
    public long endOf(TopicPartition partition, LogPosition position, Duration timeout) {
        CompletableFuture<Long> future = new CompletableFuture<>();
        cluster.loop()
                .execute(() -> offsets.find(partition, position, timeout, reply -> {
                    if (reply instanceof Reply.Failure<Long> told) {
                        future.completeExceptionally(told.exception());
                    } else {
                        future.complete(reply.orNull());
                    }
                }));
        try {
            return future.get(timeout.toMillis() + config.request().toMillis(), TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            throw e.getCause() instanceof TidemarkException known ? known : new IllegalStateException(e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TidemarkException(ErrorCode.REQUEST_TIMED_OUT, "no broker told the end of " + partition);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TidemarkException(ErrorCode.REQUEST_TIMED_OUT, "interrupted");
        }
    }

    /** Stops fetching and releases connections. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        cluster.loop().execute(() -> {
            fetcher.close();
            offsets.close();
            cluster.close();
            done.complete(null);
        });
        done.join();
        releaseRuntime.run();
    }

    /** The buffer under the consumer's lock. */
    private final class SharedState implements Fetcher.Sink {
        @Override
        public SortedMap<TopicPartition, FetchBuffer.Position> wanted() {
            lock.lock();
            try {
                return buffer.wanted();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public Fetcher.Limits limits(int leaders, long underWayBytes) {
            return new Fetcher.Limits(config.fetchMaxBytes(), config.partitionMaxBytes());
        }

        @Override
        public void fetched(TopicPartition partition, long version, FetchBuffer.Fetched fetched) {
            guarded(() -> buffer.fetched(partition, version, fetched));
        }

        @Override
        public void reset(TopicPartition partition, long version, long offset) {
            guarded(() -> {
                if (buffer.isCurrent(partition, version)) {
                    buffer.seek(partition, offset);
                }
            });
            fetcher.pump();
        }

        @Override
        public void failed(TopicPartition partition, long version, RuntimeException why) {
            guarded(() -> {
                if (buffer.isCurrent(partition, version)) {
                    failure = why;
                }
            });
        }

        private void guarded(Runnable action) {
            lock.lock();
            try {
                action.run();
                arrived.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
