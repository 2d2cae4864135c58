package io.tidemark.sim.client;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What clients do beside what their plans say.
 *
 * @param topic that all of them use
 * @param partitions of the topic
 * @param keys of records; a compacted topic needs some
 * @param consumers that read all partitions meanwhile
 * @param deathOneIn a producer dies once in so many operations on average, a consumer once in so many polls times four; 0 for never
 * @param times how long producers wait
 */
public record WorkloadSettings(
        String topic, int partitions, Keys keys, int consumers, int deathOneIn, ProducerTimes times) {
    public WorkloadSettings {
        if (partitions < 1 || consumers < 0 || deathOneIn < 0) {
            throw new IllegalArgumentException(
                    partitions + " partitions, " + consumers + " consumers, a death in " + deathOneIn);
        }
    }

    /** What compaction goes by. */
    public enum Keys {
        /** Records have none. */
        NONE,
        /** Few, so that records supersede each other. */
        FEW
    }

    /**
     * @param request how long one attempt may take
     * @param delivery from a send to its final answer, retries included
     */
    public record ProducerTimes(Duration request, Duration delivery) {
        /** Longer than an election after a short session's end. */
        public static final ProducerTimes DEFAULT = new ProducerTimes(Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    /** Two consumers, no keys, and a death now and then. */
    public static WorkloadSettings of(String topic, int partitions) {
        return new WorkloadSettings(topic, partitions, Keys.NONE, 2, 40, ProducerTimes.DEFAULT);
    }

    /** The same with clients that live on. */
    public WorkloadSettings withoutDeaths() {
        return new WorkloadSettings(topic, partitions, keys, consumers, 0, times);
    }

    /** The same with other keys. */
    public WorkloadSettings withKeys(Keys other) {
        return new WorkloadSettings(topic, partitions, other, consumers, deathOneIn, times);
    }

    /** The same with so many consumers. */
    public WorkloadSettings withConsumers(int count) {
        return new WorkloadSettings(topic, partitions, keys, count, deathOneIn, times);
    }

    /** The same with producers of other patience. */
    public WorkloadSettings withTimes(ProducerTimes other) {
        return new WorkloadSettings(topic, partitions, keys, consumers, deathOneIn, other);
    }

    /** The partitions' numbers, which are the keys of the history. */
    List<Integer> partitionNumbers() {
        return IntStream.range(0, partitions).boxed().toList();
    }
}
