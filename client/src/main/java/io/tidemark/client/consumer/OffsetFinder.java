package io.tidemark.client.consumer;

import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.RetryRules;
import io.tidemark.client.net.Wire;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Asks leaders where logs begin and end, again while there is none. Lives on the cluster's loop. */
final class OffsetFinder {
    private final ClusterClient cluster;

    OffsetFinder(ClusterClient cluster) {
        this.cluster = cluster;
    }

    /** Answers exactly once, on the loop; with a failure when {@code patience} is over. */
    void find(TopicPartition partition, Wire.LogPosition position, Duration patience, Consumer<Reply<Long>> answer) {
        cluster.track(partition.topic());
        long deadlineNs = cluster.clock().monotonicNs() + patience.toNanos();
        new Question(partition, position, deadlineNs, answer).ask();
    }

    private final class Question {
        private final TopicPartition partition;
        private final Wire.LogPosition position;
        private final long deadlineNs;
        private final Consumer<Reply<Long>> answer;
        private int attempts;

        Question(TopicPartition partition, Wire.LogPosition position, long deadlineNs, Consumer<Reply<Long>> answer) {
            this.partition = partition;
            this.position = position;
            this.deadlineNs = deadlineNs;
            this.answer = answer;
        }

        void ask() {
            // Somebody else may have made it be forgotten, while nobody knew it.
            cluster.track(partition.topic());
            BrokerConnection leader = cluster.leaderOf(partition);
            if (leader == null) {
                boolean missing = cluster.topicError(partition.topic()) != null;
                again(
                        missing ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.LEADER_NOT_AVAILABLE,
                        missing ? "there is no topic " + partition.topic() : "no leader of it is known");
                return;
            }
            leader.listOffsets(
                    List.of(new Wire.OffsetQuery(partition, -1, position)),
                    reply -> cluster.loop().execute(() -> onReply(reply)));
        }

        private void onReply(Reply<List<Wire.OffsetResult>> reply) {
            if (reply instanceof Reply.Failure<List<Wire.OffsetResult>> failure) {
                if (failure.error().isRetriable()) {
                    again(failure.error(), failure.message());
                } else {
                    answer.accept(Reply.failed(failure.error(), failure.message()));
                }
                return;
            }
            List<Wire.OffsetResult> found = reply.orNull();
            if (found == null || found.isEmpty()) {
                again(ErrorCode.UNKNOWN_SERVER_ERROR, "the leader left it out of its answer");
                return;
            }
            Wire.OffsetResult result = found.get(0);
            if (result.error() == ErrorCode.NONE) {
                answer.accept(Reply.of(result.offset()));
            } else if (result.error().isRetriable() || RetryRules.wantsMetadata(result.error())) {
                again(result.error(), result.message());
            } else {
                answer.accept(Reply.failed(result.error(), result.message()));
            }
        }

        private void again(ErrorCode error, String why) {
            if (deadlineNs - cluster.clock().monotonicNs() <= 0) {
                answer.accept(Reply.failed(error, "no offset of " + partition + ": " + why));
                return;
            }
            attempts++;
            cluster.refresh();
            cluster.loop().schedule(cluster.retries().pause(attempts, cluster.randomness()), this::ask);
        }
    }
}
