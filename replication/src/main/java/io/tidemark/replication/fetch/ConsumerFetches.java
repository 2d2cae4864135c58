package io.tidemark.replication.fetch;

import io.tidemark.core.log.ReadRequest.Minimum;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.LocalReplicas;
import io.tidemark.replication.partition.ConsumerRead;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Randomness;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Consumers' fetches: below the high watermark only (I15). See {@link FetchHandler#fetch}. */
final class ConsumerFetches {
    private static final Cancellable NOTHING_WAITS = () -> {};

    private final LocalReplicas replicas;
    private final Purgatory<TopicPartition, DelayedOperation> waiting;
    private final Randomness randomness;
    private final ColdReads coldReads;
    private final int responseMaxBytes;

    ConsumerFetches(
            LocalReplicas replicas,
            Purgatory<TopicPartition, DelayedOperation> waiting,
            Randomness randomness,
            ColdReads coldReads,
            int responseMaxBytes) {
        this.replicas = replicas;
        this.waiting = waiting;
        this.randomness = randomness;
        this.coldReads = coldReads;
        this.responseMaxBytes = responseMaxBytes;
    }

    /** One pass over all entries of a request. */
    private static final class Pass {
        private final Reach reach;
        private final ConsumerFetch.Result[] results;
        private final List<DelayedFetch.Wait> waits = new ArrayList<>();
        private long leftBytes;
        private long availableBytes;
        private boolean foundData;
        private boolean mustTell;

        private Pass(Reach reach, int entries, long limitBytes) {
            this.reach = reach;
            this.results = new ConsumerFetch.Result[entries];
            this.leftBytes = limitBytes;
        }
    }

    Cancellable fetch(ConsumerFetch.Request request, Consumer<List<ConsumerFetch.Result>> answer) {
        if (!isCold(request)) {
            return firstPass(request, Reach.ALL, answer);
        }
        HandedOver handed = new HandedOver(() -> {});
        Consumer<List<ConsumerFetch.Result>> wanted = handed.unlessCancelled(answer);
        boolean taken = coldReads.tryRun(() -> handed.run(() -> firstPass(request, Reach.ALL, wanted)));
        return taken ? handed : firstPass(request, Reach.HOT_ONLY, answer);
    }

    private boolean isCold(ConsumerFetch.Request request) {
        for (ConsumerFetch.Entry entry : request.entries()) {
            Optional<Partition> partition = replicas.partition(entry.partition());
            if (partition.isPresent() && ColdReads.isCold(partition.get().log(), entry.fetchOffset())) {
                return true;
            }
        }
        return false;
    }

    private Cancellable firstPass(
            ConsumerFetch.Request request, Reach reach, Consumer<List<ConsumerFetch.Result>> answer) {
        Pass pass = read(request, reach);
        boolean enough = pass.mustTell || pass.availableBytes >= request.minBytes();
        if (enough || request.maxWaitMs() <= 0 || request.entries().isEmpty()) {
            answer.accept(Arrays.asList(pass.results));
            return NOTHING_WAITS;
        }
        Set<TopicPartition> keys = new TreeSet<>();
        request.entries().forEach(entry -> keys.add(entry.partition()));
        DelayedFetch operation = new DelayedFetch(
                pass.waits,
                request.minBytes(),
                Duration.ofMillis(request.maxWaitMs()),
                () -> lastPass(request, answer));
        waiting.checkAndMaybeWatch(operation, keys);
        return () -> waiting.cancel(operation);
    }

    /** On the thread of whoever ended the wait, which is a network's or a fetcher's. */
    private void lastPass(ConsumerFetch.Request request, Consumer<List<ConsumerFetch.Result>> answer) {
        coldReads.run(isCold(request), reach -> answer.accept(Arrays.asList(read(request, reach).results)));
    }

    /** Starts at a random entry, so that none is always the one for which no room is left (KAFKA-2063). */
    private Pass read(ConsumerFetch.Request request, Reach reach) {
        int count = request.entries().size();
        Pass pass = new Pass(reach, count, Math.min(request.maxBytes(), responseMaxBytes));
        int start = count > 1 ? randomness.nextInt(count) : 0;
        for (int i = 0; i < count; i++) {
            int at = (start + i) % count;
            ConsumerFetch.Entry entry = request.entries().get(at);
            Optional<Partition> partition = replicas.partition(entry.partition());
            if (partition.isEmpty()) {
                pass.mustTell = true;
                pass.results[at] = refused(
                        entry, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "this broker has no such partition", -1, -1, -1);
            } else {
                pass.results[at] = read(pass, entry, partition.get());
            }
        }
        return pass;
    }

    private ConsumerFetch.Result read(Pass pass, ConsumerFetch.Entry entry, Partition partition) {
        if (pass.reach == Reach.HOT_ONLY && ColdReads.isCold(partition.log(), entry.fetchOffset())) {
            pass.mustTell = true;
            return refused(entry, ErrorCode.THROTTLED, "too many reads of old records are waiting", -1, -1, -1);
        }
        // Before the read: what is committed after it calls for another one, and a truncation in between ends the wait.
        PartitionView before = partition.view();
        int limitBytes = (int) Math.max(0, Math.min(entry.maxBytes(), pass.leftBytes));
        ConsumerRead outcome;
        try {
            outcome = partition.readForConsumer(entry, limitBytes, pass.foundData ? Minimum.NONE : Minimum.ONE_BATCH);
        } catch (KafkaStorageException e) {
            replicas.storageFailures().onStorageFailure(e);
            pass.mustTell = true;
            return refused(entry, ErrorCode.KAFKA_STORAGE_ERROR, "this broker's storage has failed", -1, -1, -1);
        }
        if (outcome instanceof ConsumerRead.Data data) {
            return found(pass, entry, partition, before, data);
        }
        pass.mustTell = true;
        if (outcome instanceof ConsumerRead.Diverging diverging) {
            return new ConsumerFetch.Result(
                    entry.partition(),
                    ErrorCode.NONE,
                    "",
                    before.highWatermark(),
                    partition.log().startOffset(),
                    ByteBuffer.allocate(0),
                    diverging.end(),
                    -1,
                    -1);
        }
        ConsumerRead.Refused refused = (ConsumerRead.Refused) outcome;
        return refused(
                entry,
                refused.error(),
                refused.message(),
                refused.logStartOffset(),
                refused.leader(),
                refused.leaderEpoch());
    }

    private static ConsumerFetch.Result found(
            Pass pass, ConsumerFetch.Entry entry, Partition partition, PartitionView before, ConsumerRead.Data data) {
        int sizeBytes = data.batches().remaining();
        pass.leftBytes -= sizeBytes;
        pass.foundData |= sizeBytes > 0;
        DelayedFetch.Wait wait = new DelayedFetch.Wait(
                partition::view,
                partition.log()::startOffset,
                data.leaderEpoch(),
                before.truncations(),
                entry.fetchOffset(),
                data.fetchPosition());
        pass.waits.add(wait);
        pass.availableBytes += Math.max(sizeBytes, before.highWatermarkPosition() - data.fetchPosition());
        return new ConsumerFetch.Result(
                entry.partition(),
                ErrorCode.NONE,
                "",
                data.highWatermark(),
                data.logStartOffset(),
                data.batches(),
                null,
                -1,
                -1);
    }

    private static ConsumerFetch.Result refused(
            ConsumerFetch.Entry entry,
            ErrorCode error,
            String message,
            long logStartOffset,
            int leader,
            int leaderEpoch) {
        return new ConsumerFetch.Result(
                entry.partition(),
                error,
                message,
                -1,
                logStartOffset,
                ByteBuffer.allocate(0),
                null,
                leader,
                leaderEpoch);
    }
}
