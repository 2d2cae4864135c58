package io.tidemark.client.net;

import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a topic exists, for callers that must not block. Lives on the cluster's loop: methods are called there,
 * answers are given there, at once if the topic is known.
 *
 * <p>One broker's word that there is no such topic is not enough, since it may not have heard of it yet: it must be told for
 * {@link #MISSING_FOR}, by at least {@link #MISSING_ANSWERS} answers, each from the next broker. A topic that was created a
 * moment ago is found, and a wrong name is told well within a second.
 */
public final class TopicLookup {
    private static final Duration MISSING_FOR = Duration.ofMillis(300);
    private static final int MISSING_ANSWERS = 3;
    /** How long a cluster may be silent. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ClusterClient cluster;
    private final Map<String, List<Waiting>> waiting = new LinkedHashMap<>();
    private final Cancellable refreshes;

    /** What became of a look-up. */
    public sealed interface Found {
        /** @param partitions how many, numbered from 0 */
        record Known(int partitions) implements Found {}

        /** @param error UNKNOWN_TOPIC_OR_PARTITION, or BROKER_NOT_AVAILABLE if nobody answers */
        record Missing(ErrorCode error, String message) implements Found {}
    }

    private static final class Waiting {
        private final Consumer<Found> answer;
        private final long sinceNs;
        private int missingAnswers;

        Waiting(Consumer<Found> answer, long sinceNs) {
            this.answer = answer;
            this.sinceNs = sinceNs;
        }
    }

    public TopicLookup(ClusterClient cluster) {
        this.cluster = cluster;
        this.refreshes = cluster.onRefresh(this::onRefresh);
    }

    /** Looks for the topic; the answer comes exactly once, unless this is closed before. */
    public void find(String topic, Consumer<Found> answer) {
        Metadata.Topic known = cluster.metadata().topics().get(topic);
        if (known != null && !known.partitions().isEmpty()) {
            answer.accept(new Found.Known(known.partitions().size()));
            return;
        }
        waiting.computeIfAbsent(topic, name -> new ArrayList<>())
                .add(new Waiting(answer, cluster.clock().monotonicNs()));
        cluster.track(topic);
        cluster.refresh();
    }

    /** Answers nothing any more. Names that were looked for and are no topic's, as far as is known, are forgotten. */
    public void close() {
        refreshes.cancel();
        List<String> names = List.copyOf(waiting.keySet());
        waiting.clear();
        names.forEach(cluster::forgetUnlessKnown);
    }

    private void onRefresh() {
        List<Runnable> answers = new ArrayList<>();
        for (String topic : List.copyOf(waiting.keySet())) {
            List<Waiting> left = waiting.getOrDefault(topic, new ArrayList<>());
            for (Waiting each : List.copyOf(left)) {
                Found found = judge(topic, each);
                if (found != null) {
                    left.remove(each);
                    answers.add(() -> each.answer.accept(found));
                }
            }
            if (left.isEmpty()) {
                waiting.remove(topic);
                cluster.forgetUnlessKnown(topic);
            }
        }
        if (!waiting.isEmpty()) {
            // Another look-up over the same cluster may have settled that there is no such topic, and made it be
            // forgotten.
            waiting.keySet().forEach(cluster::track);
            cluster.refresh();
        }
        answers.forEach(Runnable::run);
    }

    /** Null while it is not certain. */
    private @Nullable Found judge(String topic, Waiting asker) {
        Metadata.Topic told = cluster.metadata().topics().get(topic);
        if (told != null && !told.partitions().isEmpty()) {
            return new Found.Known(told.partitions().size());
        }
        long waitedNs = cluster.clock().monotonicNs() - asker.sinceNs;
        String problem = cluster.lastProblem();
        if (told != null && told.error() != ErrorCode.NONE && problem.isEmpty()) {
            asker.missingAnswers++;
            boolean certain = asker.missingAnswers >= MISSING_ANSWERS && waitedNs >= MISSING_FOR.toNanos();
            return certain ? new Found.Missing(told.error(), "there is no topic " + topic) : null;
        }
        return waitedNs < PATIENCE.toNanos()
                ? null
                : new Found.Missing(
                        ErrorCode.BROKER_NOT_AVAILABLE, "nobody tells about topic " + topic + "; " + problem);
    }
}
