package io.tidemark.system.threebrokers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.Tidemark;
import io.tidemark.client.consumer.Consumer;
import io.tidemark.client.consumer.ConsumerConfig;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.client.net.Wire;
import io.tidemark.model.Endpoint;
import io.tidemark.model.TopicPartition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a consumer finds in a topic, from the beginning to the end, by partition and offset. */
final class Reading {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int POLLS = 100;

    private final SortedMap<Integer, SortedMap<Long, String>> found = new TreeMap<>();

    private Reading() {}

    /** @param atLeastTo offsets by partition that are in it at the least: a new leader's high watermark may lag at first */
    static Reading of(List<Endpoint> bootstrap, String topic, SortedMap<Integer, Long> atLeastTo) {
        Reading reading = new Reading();
        try (Consumer consumer = Tidemark.consumer(ConsumerConfig.of(bootstrap))) {
            SortedMap<TopicPartition, Long> begin = new TreeMap<>();
            SortedMap<TopicPartition, Long> ends = new TreeMap<>();
            atLeastTo.forEach((partition, offset) -> {
                TopicPartition each = new TopicPartition(topic, partition);
                reading.found.put(partition, new TreeMap<>());
                begin.put(each, 0L);
                ends.put(each, Math.max(offset + 1, consumer.endOf(each, Wire.LogPosition.LATEST, PATIENCE)));
            });
            consumer.assign(begin);
            int idle = 0;
            while (!ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
                List<ConsumerRecord> records = consumer.poll(Duration.ofMillis(200));
                records.forEach(reading::take);
                idle = records.isEmpty() ? idle + 1 : 0;
                assertThat(idle).as("polls that brought nothing").isLessThan(POLLS);
            }
        }
        return reading;
    }

    private void take(ConsumerRecord record) {
        String value = StandardCharsets.UTF_8
                .decode(record.record().value().duplicate())
                .toString();
        found.get(record.partition().partition()).put(record.offset(), value);
    }

    SortedMap<Long, String> partition(int partition) {
        return found.get(partition);
    }

    /** Nothing acknowledged is missing or elsewhere, nothing is there twice, and each producer's records are in order. */
    void requireWhole(Load load) {
        found.forEach((partition, records) -> {
            assertThat(records).as("partition " + partition).containsAllEntriesOf(load.acknowledged(partition));
            requireOnceAndInOrder(partition, records);
        });
    }

    private static void requireOnceAndInOrder(int partition, SortedMap<Long, String> records) {
        Set<String> seen = new HashSet<>();
        SortedMap<String, Long> last = new TreeMap<>();
        records.forEach((offset, value) -> {
            String[] parts = value.split("/", -1);
            String where = value + " at offset " + offset + " of partition " + partition;
            assertThat(seen.add(value)).as(where + " is there once").isTrue();
            assertThat(parts).as(where).hasSize(3);
            assertThat(parts[1]).as(where).isEqualTo(Integer.toString(partition));
            long number = Long.parseLong(parts[2]);
            Long before = last.put(parts[0], number);
            assertThat(before == null || before < number)
                    .as(where + " comes after " + before)
                    .isTrue();
        });
    }
}
