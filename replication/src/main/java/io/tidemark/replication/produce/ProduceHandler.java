package io.tidemark.replication.produce;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.SafetyRules;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.BatchValidation;
import io.tidemark.record.BatchValidator;
import io.tidemark.record.ProducedLimits;
import io.tidemark.replication.LocalReplicas;
import io.tidemark.replication.partition.LeaderAppend;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Appends what producers send and answers when they asked to be answered (DESIGN sections 4 and 5, walk (a)).
 *
 * <p>Thread-safe; never blocks. What has reached a log is never undone, also not when the caller vanishes. After a storage
 * failure nothing is acknowledged any more (S15).
 */
public final class ProduceHandler {
    private static final Cancellable NOTHING_WAITS = () -> {};

    private final LocalReplicas replicas;
    private final Function<TopicPartition, LogConfig> topics;
    private final Purgatory<TopicPartition, DelayedOperation> waiting;
    private final Clock clock;
    private final SafetyRules rules;
    private volatile boolean storageFailed;

    /** What became of one part so far: its result, which stands if {@code pending} is null or ends well. */
    private record Written(Produce.Result result, DelayedProduce.@Nullable Wait pending) {}

    /**
     * @param topics the present settings of the partition's topic: what it takes
     * @param waiting where acks=all waits, by partition
     * @param clock its wall clock judges timestamps, and is the append time
     * @param rules that are kept
     */
    public ProduceHandler(
            LocalReplicas replicas,
            Function<TopicPartition, LogConfig> topics,
            Purgatory<TopicPartition, DelayedOperation> waiting,
            Clock clock,
            SafetyRules rules) {
        this.replicas = replicas;
        this.topics = topics;
        this.waiting = waiting;
        this.clock = clock;
        this.rules = rules;
    }

    /**
     * Appends each part to its partition; the parts succeed and fail independently. A partition that is named twice is
     * refused wherever it is named.
     *
     * @param answer given one result for each part, in order, exactly once, on this or another thread, with no lock held;
     *     for acks=all when every part is decided or after the request's timeout, else before this returns
     * @return for a caller that is no longer interested: {@code answer} is then not called, and nothing waits for it. The
     *     records stay
     */
    public Cancellable produce(Produce.Request request, Consumer<List<Produce.Result>> answer) {
        List<Written> written = append(request);
        List<DelayedProduce.Wait> waits = new ArrayList<>();
        Set<TopicPartition> keys = new TreeSet<>();
        for (Written part : written) {
            if (part.pending != null) {
                waits.add(part.pending);
                keys.add(part.result.partition());
            }
        }
        if (waits.isEmpty()) {
            answer.accept(results(written, List.of()));
            return NOTHING_WAITS;
        }
        Duration timeout = Duration.ofMillis(Math.max(0, request.timeoutMs()));
        DelayedProduce operation =
                new DelayedProduce(waits, timeout, outcomes -> answer.accept(results(written, outcomes)));
        waiting.checkAndMaybeWatch(operation, keys);
        return () -> waiting.cancel(operation);
    }

    private List<Written> append(Produce.Request request) {
        Set<TopicPartition> repeated = repeated(request.parts());
        List<Written> written = new ArrayList<>(request.parts().size());
        for (Produce.Part part : request.parts()) {
            if (storageFailed) {
                written.add(refused(part, ErrorCode.KAFKA_STORAGE_ERROR, "this broker's storage has failed"));
            } else if (repeated.contains(part.partition())) {
                written.add(refused(part, ErrorCode.INVALID_REQUEST, "the request names the partition twice"));
            } else {
                written.add(append(part, request.acks()));
            }
        }
        return written;
    }

    private static Set<TopicPartition> repeated(List<Produce.Part> parts) {
        Set<TopicPartition> seen = new TreeSet<>();
        Set<TopicPartition> repeated = new TreeSet<>();
        for (Produce.Part part : parts) {
            if (!seen.add(part.partition())) {
                repeated.add(part.partition());
            }
        }
        return repeated;
    }

    private Written append(Produce.Part part, Acks acks) {
        Optional<Partition> found = replicas.partition(part.partition());
        if (found.isEmpty()) {
            return refused(part, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "this broker has no such partition");
        }
        LogConfig topic = topics.apply(part.partition());
        TimestampRule timestamps = new TimestampRule(topic.messages(), clock.wallMs());
        BatchValidation validation = BatchValidator.validateProduced(part.batches(), timestamps.limits(keys(topic)));
        if (!validation.isValid()) {
            return refused(part, validation.error(), "topic " + part.partition().topic() + ": " + validation.message());
        }
        timestamps.stamp(part.batches());
        Partition partition = found.get();
        LeaderAppend outcome;
        try {
            outcome = partition.appendAsLeader(part.batches(), part.leaderEpoch(), acks);
        } catch (KafkaStorageException e) {
            storageFailed = true;
            replicas.storageFailures().onStorageFailure(e);
            return refused(part, ErrorCode.KAFKA_STORAGE_ERROR, "this broker's storage has failed");
        }
        if (outcome instanceof LeaderAppend.Appended appended) {
            return appended(partition, appended, acks);
        }
        LeaderAppend.Refused refused = (LeaderAppend.Refused) outcome;
        return new Written(
                new Produce.Result(
                        part.partition(),
                        refused.error(),
                        refused.message(),
                        -1,
                        -1,
                        refused.leader(),
                        refused.leaderEpoch()),
                null);
    }

    /** A compacted topic takes keyed records alone. */
    private static ProducedLimits.Keys keys(LogConfig topic) {
        return topic.compaction().policy().compacts() ? ProducedLimits.Keys.REQUIRED : ProducedLimits.Keys.OPTIONAL;
    }

    private Written appended(Partition partition, LeaderAppend.Appended appended, Acks acks) {
        TopicPartition name = partition.partition();
        DelayedProduce.Wait wait = null;
        if (acks == Acks.ALL) {
            // A truncation before this read is not missed: it comes with another role or epoch.
            PartitionView view = partition.view();
            wait = new DelayedProduce.Wait(
                    partition::view, appended.lastOffset(), appended.leaderEpoch(), view.truncations(), rules);
        }
        replicas.signals().appended(name);
        replicas.signals().advanced(name, appended.advance());
        Produce.Result result =
                new Produce.Result(name, ErrorCode.NONE, "", appended.firstOffset(), appended.logStartOffset(), -1, -1);
        return new Written(result, wait);
    }

    private static Written refused(Produce.Part part, ErrorCode error, String message) {
        return new Written(new Produce.Result(part.partition(), error, message, -1, -1, -1, -1), null);
    }

    /** The results in the order of the request; {@code outcomes} belong to the parts that waited. */
    private List<Produce.Result> results(List<Written> written, List<ErrorCode> outcomes) {
        Iterator<ErrorCode> next = outcomes.iterator();
        List<Produce.Result> results = new ArrayList<>(written.size());
        for (Written part : written) {
            ErrorCode error = part.pending == null ? part.result.error() : next.next();
            if (error == ErrorCode.NONE && storageFailed) {
                error = ErrorCode.KAFKA_STORAGE_ERROR;
            }
            results.add(error == part.result.error() ? part.result : unacknowledged(part.result, error));
        }
        return results;
    }

    private Produce.Result unacknowledged(Produce.Result result, ErrorCode error) {
        String message = switch (error) {
            case NOT_LEADER_OR_FOLLOWER -> "leadership was lost before the records were committed";
            case NOT_ENOUGH_REPLICAS_AFTER_APPEND -> "the in-sync set shrank below the minimum after the append";
            case REQUEST_TIMED_OUT -> "the records were not committed in time";
            default -> "this broker's storage has failed";
        };
        int leader = -1;
        int leaderEpoch = -1;
        Optional<Partition> partition = replicas.partition(result.partition());
        if (error == ErrorCode.NOT_LEADER_OR_FOLLOWER && partition.isPresent()) {
            PartitionView known = partition.get().view();
            leader = known.leader();
            leaderEpoch = known.leaderEpoch();
        }
        return new Produce.Result(result.partition(), error, message, -1, result.logStartOffset(), leader, leaderEpoch);
    }
}
