package io.tidemark.client.admin;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.RetryRules;
import io.tidemark.client.net.Wire;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Describes and changes a cluster. Thread-safe. Futures fail with a {@link TidemarkException}; what no broker could be
 * asked is tried again at others until the timeout.
 */
public final class Admin implements AutoCloseable {
    /** Of {@link #deleteRecords}: everything that is committed when the leader takes the call. */
    public static final long TO_HIGH_WATERMARK = -1;

    private static final Duration METADATA_MAX_AGE = Duration.ofMinutes(5);

    private final ClusterClient cluster;
    private final Duration timeout;
    private final Runnable releaseRuntime;

    /**
     * @param bootstrap addresses to begin with
     * @param timeout of each request, retries included
     */
    public record Settings(List<Endpoint> bootstrap, Duration timeout) {}

    /** An admin on the given runtime; {@code releaseRuntime} is called once at the end of {@link #close}. */
    public Admin(Settings settings, ClientRuntime runtime, ClientTransport transport, Runnable releaseRuntime) {
        this.timeout = settings.timeout();
        this.releaseRuntime = releaseRuntime;
        this.cluster = new ClusterClient(
                new ClusterClient.Settings(settings.bootstrap(), METADATA_MAX_AGE, RetryRules.DEFAULT),
                runtime,
                transport);
    }

    /** The cluster with all its topics. */
    public CompletableFuture<Metadata> describeCluster() {
        return metadata(new Wire.MetadataCall(List.of(), Wire.MetadataCall.Scope.ALL));
    }

    /** The cluster as the broker at one address sees it: asked once, and nobody else is in its place. */
    public CompletableFuture<Metadata> describeClusterAt(Endpoint broker) {
        CompletableFuture<Metadata> future = new CompletableFuture<>();
        cluster.loop()
                .execute(() -> cluster.at(broker)
                        .metadata(
                                new Wire.MetadataCall(List.of(), Wire.MetadataCall.Scope.ALL),
                                reply -> complete(future, reply)));
        return future;
    }

    /** The cluster with one topic, whose error says whether it exists. */
    public CompletableFuture<Metadata> describeTopic(String topic) {
        return metadata(new Wire.MetadataCall(List.of(topic), Wire.MetadataCall.Scope.NAMED));
    }

    /** Creates a topic; answers its id when it is durable. */
    public CompletableFuture<String> createTopic(Wire.TopicCreation topic) {
        return attempt(Kind.CHANGE, (broker, answer) -> broker.createTopic(topic, answer));
    }

    /** Deletes a topic and its data; answers when its name is free. */
    public CompletableFuture<String> deleteTopic(String topic) {
        return attempt(Kind.CHANGE, (broker, answer) -> broker.deleteTopic(topic, answer));
    }

    /** Changes a topic's overrides; answers all that it has afterwards, when that is durable. */
    public CompletableFuture<SortedMap<String, String>> alterTopic(Wire.TopicAlteration topic) {
        return attempt(Kind.CHANGE, (broker, answer) -> broker.alterTopic(topic, answer));
    }

    /** Moves a partition's leadership to an in-sync replica; answers the new leader epoch. */
    public CompletableFuture<Integer> transferLeader(TopicPartition partition, int toBroker) {
        return attempt(Kind.CHANGE, (broker, answer) -> broker.transferLeader(partition, toBroker, answer));
    }

    /**
     * Deletes the records of a partition below an offset; answers the first offset that is left, once every live replica has
     * deleted them.
     *
     * @param beforeOffset first offset to keep, at most the high watermark, or {@link #TO_HIGH_WATERMARK}
     */
    public CompletableFuture<Long> deleteRecords(TopicPartition partition, long beforeOffset) {
        return attempt(Kind.CHANGE, (broker, answer) -> broker.deleteRecords(partition, beforeOffset, answer));
    }

    /** Releases connections; what is open fails. */
    @Override
    public void close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        cluster.loop().execute(() -> {
            cluster.close();
            done.complete(null);
        });
        done.join();
        releaseRuntime.run();
    }

    private CompletableFuture<Metadata> metadata(Wire.MetadataCall call) {
        return attempt(
                Kind.QUESTION,
                (broker, answer) -> broker.metadata(
                        call,
                        reply -> answer.accept(
                                reply instanceof Reply.Value<Metadata> told
                                                && told.value().brokers().isEmpty()
                                        ? Reply.failed(
                                                ErrorCode.BROKER_NOT_AVAILABLE,
                                                "the broker does not know the cluster yet")
                                        : reply)));
    }

    private static <T> void complete(CompletableFuture<T> future, Reply<T> reply) {
        if (reply instanceof Reply.Value<T> answered) {
            future.complete(answered.value());
        } else if (reply instanceof Reply.Failure<T> failure) {
            future.completeExceptionally(failure.exception());
        }
    }

    /** What may be tried again. */
    private enum Kind {
        /** Whatever a further attempt may mend: to ask twice does no harm. */
        QUESTION,
        /** Only what was certainly not carried out: these calls are not idempotent. */
        CHANGE;

        boolean mayRepeatAfter(ErrorCode error) {
            boolean harmless = this == QUESTION && error.isRetriable() && error != ErrorCode.UNKNOWN_SERVER_ERROR;
            return harmless || error.outcome() == ErrorCode.Outcome.FAILED_RETRY;
        }
    }

    private <T> CompletableFuture<T> attempt(Kind kind, BiConsumer<BrokerConnection, Consumer<Reply<T>>> call) {
        CompletableFuture<T> future = new CompletableFuture<>();
        long deadlineNs = cluster.clock().monotonicNs() + timeout.toNanos();
        cluster.loop().execute(() -> attempt(new Attempt<>(kind, call, future, deadlineNs), 1));
        return future;
    }

    private record Attempt<T>(
            Kind kind,
            BiConsumer<BrokerConnection, Consumer<Reply<T>>> call,
            CompletableFuture<T> future,
            long deadlineNs) {}

    private <T> void attempt(Attempt<T> each, int number) {
        each.call()
                .accept(
                        cluster.any(),
                        reply -> cluster.loop().execute(() -> {
                            if (reply instanceof Reply.Value<T> answered) {
                                each.future().complete(answered.value());
                                return;
                            }
                            Reply.Failure<T> failure = (Reply.Failure<T>) reply;
                            boolean again = each.kind().mayRepeatAfter(failure.error())
                                    && each.deadlineNs() - cluster.clock().monotonicNs() > 0;
                            if (again) {
                                Duration pause = cluster.retries().pause(number, cluster.randomness());
                                cluster.loop().schedule(pause, () -> attempt(each, number + 1));
                            } else {
                                each.future().completeExceptionally(failure.exception());
                            }
                        }));
    }
}
