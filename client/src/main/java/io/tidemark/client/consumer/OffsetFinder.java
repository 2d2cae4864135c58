package io.tidemark.client.consumer;

import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.RetryRules;
import io.tidemark.client.net.Wire;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Asks leaders where logs begin and end, again while there is none. Lives on the cluster's loop.
 *
 * <p>What is asked in one turn of the loop shares its calls, {@link #MAX_SHARED} questions each: brokers let in only so many
 * searches by time, and count calls. What was not answered in its call's time is asked alone the next time, so that one slow
 * search does not hold up others for ever.
 */
final class OffsetFinder implements AutoCloseable {
    /** Of one call, whose time is the same for many as for one. */
    static final int MAX_SHARED = 32;

    private final ClusterClient cluster;
    private final Set<Question> open = new LinkedHashSet<>();
    private final List<Question> due = new ArrayList<>();
    private boolean closed;

    OffsetFinder(ClusterClient cluster) {
        this.cluster = cluster;
    }

    private static final class Question {
        private final TopicPartition partition;
        private final Wire.LogPosition position;
        private final long deadlineNs;
        private final Consumer<Reply<Long>> answer;
        private int attempts;
        private boolean alone;
        /** Calls off what is under way for it: its call, or its pause. */
        private Cancellable underWay = () -> {};

        Question(TopicPartition partition, Wire.LogPosition position, long deadlineNs, Consumer<Reply<Long>> answer) {
            this.partition = partition;
            this.position = position;
            this.deadlineNs = deadlineNs;
            this.answer = answer;
        }
    }

    /** Answers exactly once, on the loop, unless this is closed before; with a failure when {@code patience} is over. */
    void find(TopicPartition partition, Wire.LogPosition position, Duration patience, Consumer<Reply<Long>> answer) {
        if (closed) {
            return;
        }
        cluster.track(partition.topic());
        long deadlineNs = cluster.clock().monotonicNs() + patience.toNanos();
        Question question = new Question(partition, position, deadlineNs, answer);
        open.add(question);
        ask(question);
    }

    /** Asks and answers nothing any more, and calls off what is under way. Idempotent. */
    @Override
    public void close() {
        closed = true;
        due.clear();
        List<Question> left = List.copyOf(open);
        open.clear();
        left.forEach(question -> question.underWay.cancel());
    }

    private void ask(Question question) {
        if (due.isEmpty()) {
            cluster.loop().execute(this::askDue);
        }
        due.add(question);
    }

    private void askDue() {
        List<Question> now = List.copyOf(due);
        due.clear();
        SortedMap<Integer, List<Question>> byLeader = new TreeMap<>();
        for (Question question : now) {
            if (!open.contains(question)) {
                continue;
            }
            // Somebody else may have made it be forgotten, while nobody knew it.
            cluster.track(question.partition.topic());
            Metadata.Partition known = cluster.metadata().partition(question.partition);
            if (known == null || cluster.broker(known.leader()) == null) {
                withoutLeader(question);
            } else if (question.alone) {
                call(known.leader(), List.of(question));
            } else {
                byLeader.computeIfAbsent(known.leader(), id -> new ArrayList<>())
                        .add(question);
            }
        }
        byLeader.forEach((leader, questions) -> {
            for (int from = 0; from < questions.size(); from += MAX_SHARED) {
                call(leader, List.copyOf(questions.subList(from, Math.min(questions.size(), from + MAX_SHARED))));
            }
        });
    }

    private void call(int leader, List<Question> questions) {
        BrokerConnection connection = cluster.broker(leader);
        if (closed || connection == null) {
            questions.forEach(this::withoutLeader);
            return;
        }
        List<Wire.OffsetQuery> queries = questions.stream()
                .map(question -> new Wire.OffsetQuery(question.partition, -1, question.position))
                .toList();
        Cancellable underWay =
                connection.listOffsets(queries, reply -> cluster.loop().execute(() -> onReply(questions, reply)));
        questions.forEach(question -> question.underWay = underWay);
    }

    private void withoutLeader(Question question) {
        boolean missing = cluster.topicError(question.partition.topic()) != null;
        again(
                question,
                missing ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.LEADER_NOT_AVAILABLE,
                missing ? "there is no topic " + question.partition.topic() : "no leader of it is known");
    }

    private void onReply(List<Question> questions, Reply<List<Wire.OffsetResult>> reply) {
        if (reply instanceof Reply.Failure<List<Wire.OffsetResult>> failure) {
            questions.forEach(question -> judge(question, failure.error(), failure.message(), -1));
            return;
        }
        List<Wire.OffsetResult> results = reply.orNull();
        for (int i = 0; i < questions.size(); i++) {
            Question question = questions.get(i);
            Wire.OffsetResult result = results == null || i >= results.size() ? null : results.get(i);
            if (result == null || !result.partition().equals(question.partition)) {
                again(question, ErrorCode.UNKNOWN_SERVER_ERROR, "the leader left it out of its answer");
            } else {
                judge(question, result.error(), result.message(), result.offset());
            }
        }
    }

    private void judge(Question question, ErrorCode error, String why, long offset) {
        if (error == ErrorCode.NONE) {
            answered(question, Reply.of(offset));
        } else if (error.isRetriable() || RetryRules.wantsMetadata(error)) {
            question.alone |= error == ErrorCode.REQUEST_TIMED_OUT;
            again(question, error, why);
        } else {
            answered(question, Reply.failed(error, why));
        }
    }

    private void answered(Question question, Reply<Long> reply) {
        if (open.remove(question)) {
            question.answer.accept(reply);
        }
    }

    private void again(Question question, ErrorCode error, String why) {
        if (!open.contains(question)) {
            return;
        }
        if (question.deadlineNs - cluster.clock().monotonicNs() <= 0) {
            answered(question, Reply.failed(error, "no offset of " + question.partition + ": " + why));
            return;
        }
        question.attempts++;
        cluster.refresh();
        question.underWay = cluster.loop()
                .schedule(cluster.retries().pause(question.attempts, cluster.randomness()), () -> {
                    if (open.contains(question)) {
                        ask(question);
                    }
                });
    }
}
