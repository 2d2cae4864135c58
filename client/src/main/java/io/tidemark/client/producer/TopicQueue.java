package io.tidemark.client.producer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records whose topic is being looked for, in the order of their sends. While a topic has some here, later ones queue behind
 * them. Pure; whoever shares it guards it.
 */
final class TopicQueue {
    private final Map<String, Deque<Waiting>> byTopic = new LinkedHashMap<>();

    /**
     * @param sizeBytes that it holds of the buffer
     */
    record Waiting(ProducerRecord record, BatchAccumulator.Entry entry, Delivery delivery, long sizeBytes) {}

    boolean has(String topic) {
        return byTopic.containsKey(topic);
    }

    /** Whether it is the topic's first, so that the topic has to be looked for. */
    boolean add(Waiting waiting) {
        boolean first = !has(waiting.record().topic());
        byTopic.computeIfAbsent(waiting.record().topic(), topic -> new ArrayDeque<>())
                .add(waiting);
        return first;
    }

    /** Takes out a record whose caller is gone. The topic stays known as one that is looked for. */
    boolean remove(Waiting waiting) {
        Deque<Waiting> queue = byTopic.get(waiting.record().topic());
        return queue != null && queue.remove(waiting);
    }

    /** Everything of a topic that is not looked for any more. */
    List<Waiting> take(String topic) {
        Deque<Waiting> queue = byTopic.remove(topic);
        return queue == null ? List.of() : new ArrayList<>(queue);
    }

    List<Waiting> takeAll() {
        List<Waiting> all = new ArrayList<>();
        byTopic.values().forEach(all::addAll);
        byTopic.clear();
        return all;
    }
}
