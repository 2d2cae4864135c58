package io.tidemark.replication.deletion;

import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.LogClosedException;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.LiveBrokers;
import io.tidemark.replication.LocalReplicas;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.RecordDeletion;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes records below an offset, as the partition's leader.
 *
 * <p>The leader's log start rises, no further than the high watermark (I18), and is recorded durably. Followers take it over
 * with the leader's next answers and say so in their next fetch; the request is answered once all that live have. A replica
 * that is away learns of it when it comes back. Segments below the start are given back by the passes of retention.
 *
 * <p>Thread-safe; never blocks the caller. Bounded: only so many requests are under way, the rest is THROTTLED at once.
 */
public final class DeleteRecordsHandler {
    /** Each that waits holds a few numbers. */
    static final int MAX_REQUESTS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(DeleteRecordsHandler.class);
    private static final Cancellable NOTHING_WAITS = () -> {};

    private final LocalReplicas replicas;
    private final Function<TopicPartition, LogConfig> topics;
    private final Purgatory<TopicPartition, DelayedOperation> waiting;
    private final LiveBrokers live;
    private final Executor disk;
    private final AtomicInteger underWay = new AtomicInteger();

    /**
     * @param topics the present settings of the partition's topic
     * @param waiting where requests wait for replicas, by partition
     * @param live whose replicas are waited for
     * @param disk runs what has to wait for a disk, in order
     */
    public DeleteRecordsHandler(
            LocalReplicas replicas,
            Function<TopicPartition, LogConfig> topics,
            Purgatory<TopicPartition, DelayedOperation> waiting,
            LiveBrokers live,
            Executor disk) {
        this.replicas = replicas;
        this.topics = topics;
        this.waiting = waiting;
        this.live = live;
        this.disk = disk;
    }

    /**
     * Deletes and waits.
     *
     * @param answer given the result exactly once, on any thread, with no lock held
     * @return for a caller that is no longer interested: {@code answer} is then not called. What is deleted stays deleted
     */
    public Cancellable delete(DeleteRecords.Request request, Consumer<DeleteRecords.Result> answer) {
        if (underWay.incrementAndGet() > MAX_REQUESTS) {
            underWay.decrementAndGet();
            answer.accept(DeleteRecords.Result.refused(
                    ErrorCode.THROTTLED, "too many deletions of records are under way; try again"));
            return NOTHING_WAITS;
        }
        Open open = new Open(request, answer);
        disk.execute(open::run);
        return open;
    }

    /** Requests that are not answered yet, for tests and metrics. */
    int underWay() {
        return underWay.get();
    }

    /** One request on its way to its answer. */
    private final class Open implements Cancellable {
        private final DeleteRecords.Request request;
        private final Consumer<DeleteRecords.Result> answer;
        private final AtomicBoolean done = new AtomicBoolean();
        private volatile @Nullable DelayedDeleteRecords waits;

        private Open(DeleteRecords.Request request, Consumer<DeleteRecords.Result> answer) {
            this.request = request;
            this.answer = answer;
        }

        private void run() {
            if (done.get()) {
                return;
            }
            Optional<Partition> found = replicas.partition(request.partition());
            if (found.isEmpty()) {
                refuse(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "this broker has no such partition");
                return;
            }
            try {
                start(found.get());
            } catch (KafkaStorageException e) {
                replicas.storageFailures().onStorageFailure(e);
                refuse(ErrorCode.KAFKA_STORAGE_ERROR, "this broker's storage has failed");
            } catch (LogClosedException e) {
                refuse(ErrorCode.NOT_LEADER_OR_FOLLOWER, e.toString());
            } catch (RuntimeException e) {
                LOG.error("records of {} could not be deleted", request.partition(), e);
                refuse(ErrorCode.UNKNOWN_SERVER_ERROR, "the broker's log has the details");
            }
        }

        private void start(Partition partition) {
            CleanupPolicy policy =
                    topics.apply(request.partition()).compaction().policy();
            if (!policy.deletes()) {
                refuse(
                        ErrorCode.POLICY_VIOLATION,
                        "topic " + request.partition().topic()
                                + " is only compacted: its cleanup.policy does not let records be deleted");
                return;
            }
            RecordDeletion outcome = partition.deleteRecords(request.beforeOffset());
            if (outcome instanceof RecordDeletion.Refused refused) {
                finish(new DeleteRecords.Result(
                        refused.error(),
                        refused.message(),
                        refused.logStartOffset(),
                        refused.highWatermark(),
                        refused.leader(),
                        refused.leaderEpoch()));
                return;
            }
            RecordDeletion.Deleted deleted = (RecordDeletion.Deleted) outcome;
            replicas.signals().startMoved(partition.partition());
            partition.log().recordStartOffset();
            await(partition, deleted);
        }

        private void await(Partition partition, RecordDeletion.Deleted deleted) {
            DelayedDeleteRecords operation = new DelayedDeleteRecords(
                    () -> partition.lowestLogStart(deleted.leaderEpoch(), live::isLive),
                    deleted.beforeOffset(),
                    Duration.ofMillis(Math.max(0, request.timeoutMs())),
                    outcome -> finish(result(partition, outcome)));
            waits = operation;
            waiting.checkAndMaybeWatch(operation, List.of(partition.partition()));
            if (done.get()) {
                waiting.cancel(operation);
            }
        }

        private DeleteRecords.Result result(Partition partition, DelayedDeleteRecords.Outcome outcome) {
            if (replicas.storageFailures().isTripped()) {
                return DeleteRecords.Result.refused(ErrorCode.KAFKA_STORAGE_ERROR, "this broker's storage has failed");
            }
            if (outcome.error() == ErrorCode.NOT_LEADER_OR_FOLLOWER) {
                return new DeleteRecords.Result(
                        outcome.error(),
                        "leadership was lost before every live replica had deleted the records",
                        -1,
                        -1,
                        partition.view().leader(),
                        partition.view().leaderEpoch());
            }
            boolean isDone = outcome.error() == ErrorCode.NONE;
            return new DeleteRecords.Result(
                    outcome.error(),
                    isDone ? "" : "the leader has deleted the records, but not every live replica followed in time",
                    isDone ? outcome.lowestStart() : partition.log().startOffset(),
                    partition.view().highWatermark(),
                    -1,
                    -1);
        }

        private void refuse(ErrorCode error, String message) {
            finish(DeleteRecords.Result.refused(error, message));
        }

        private void finish(DeleteRecords.Result result) {
            if (done.compareAndSet(false, true)) {
                underWay.decrementAndGet();
                answer.accept(result);
            }
        }

        @Override
        public void cancel() {
            if (done.compareAndSet(false, true)) {
                underWay.decrementAndGet();
                DelayedDeleteRecords operation = waits;
                if (operation != null) {
                    waiting.cancel(operation);
                }
            }
        }
    }
}
