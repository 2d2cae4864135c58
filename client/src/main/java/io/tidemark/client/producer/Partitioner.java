package io.tidemark.client.producer;

import io.tidemark.client.TidemarkException;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Randomness;
import java.util.HashMap;
import java.util.Map;

/**
 * Chooses partitions: the one that a record names, else by its key's hash, else one that records without a key fill until a
 * batch is full. Whoever shares it guards it.
 */
final class Partitioner {
    private final Randomness randomness;
    private final Map<String, Integer> sticky = new HashMap<>();
    private final Map<String, Integer> openedBatches = new HashMap<>();

    Partitioner(Randomness randomness) {
        this.randomness = randomness;
    }

    /** @throws TidemarkException if the record names a partition that the topic does not have */
    int choose(ProducerRecord record, int partitions) {
        Integer wanted = record.partition();
        if (wanted != null) {
            if (wanted < 0 || wanted >= partitions) {
                throw new TidemarkException(
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        "topic " + record.topic() + " has partitions 0 to " + (partitions - 1) + ", not " + wanted);
            }
            return wanted;
        }
        if (record.key() != null) {
            return Murmur2.partition(record.key(), partitions);
        }
        return sticky.computeIfAbsent(record.topic(), topic -> randomness.nextInt(partitions)) % partitions;
    }

    /** A new batch was opened: the next records without a key fill it, and those after it another partition's. */
    void batchOpened(String topic, int partitions) {
        int opened = openedBatches.merge(topic, 1, Integer::sum);
        if (opened > 1) {
            sticky.merge(topic, 1, (current, one) -> (current + one) % partitions);
            openedBatches.put(topic, 0);
        }
    }
}
