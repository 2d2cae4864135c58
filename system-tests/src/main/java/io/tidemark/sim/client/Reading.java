package io.tidemark.sim.client;

import io.tidemark.client.consumer.Consumer;
import io.tidemark.client.consumer.ConsumerConfig;
import io.tidemark.client.consumer.ConsumerConfig.OnOutOfRange;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.ReadRecords;
import io.tidemark.history.RecordedClient;
import io.tidemark.history.Step.Asked;
import io.tidemark.history.Step.Poll;
import io.tidemark.model.TopicPartition;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** What all readers of a run share: how they are configured, and how what they are given is written down. */
final class Reading {
    /** A poll as it begins. */
    static final Transfer ASKED = Transfer.of(Function.POLL, List.of(new Asked()));

    private static final int ANSWER_MAX_BYTES = 64 << 10;
    private static final int PARTITION_MAX_BYTES = 16 << 10;
    private static final Duration MAX_WAIT = Duration.ofMillis(250);
    private static final Duration REQUEST = Duration.ofSeconds(1);

    private Reading() {}

    /** A consumer of that process, which is told of a position that is out of range. */
    static Consumer consumer(ClientSite site, ClientLife life) {
        ConsumerConfig config = new ConsumerConfig(
                site.bootstrap(), OnOutOfRange.FAIL, ANSWER_MAX_BYTES, PARTITION_MAX_BYTES, MAX_WAIT, REQUEST);
        return new Consumer(config, life.runtime(), life.transport(), () -> {});
    }

    /** The beginning of each partition. */
    static SortedMap<TopicPartition, Long> beginnings(WorkloadSettings settings) {
        SortedMap<TopicPartition, Long> beginnings = new TreeMap<>();
        settings.partitionNumbers().forEach(number -> beginnings.put(new TopicPartition(settings.topic(), number), 0L));
        return beginnings;
    }

    /** Writes down a poll that returned these records; one that returned nothing says nothing, and is left out. */
    static void record(RecordedClient recorded, List<ConsumerRecord> records) {
        if (records.isEmpty()) {
            return;
        }
        SortedMap<Integer, List<ConsumerRecord>> byPartition = new TreeMap<>();
        for (ConsumerRecord record : records) {
            byPartition
                    .computeIfAbsent(record.partition().partition(), number -> new ArrayList<>())
                    .add(record);
        }
        List<ReadRecords> read = new ArrayList<>();
        byPartition.forEach((number, given) -> read.add(ReadRecords.of(
                number,
                given.stream().mapToLong(ConsumerRecord::offset).toArray(),
                given.stream().mapToLong(Reading::valueOf).toArray())));
        recorded.invoke(ASKED);
        recorded.ok(Transfer.of(Function.POLL, List.of(new Poll(read))));
    }

    static long valueOf(ConsumerRecord record) {
        ByteBuffer value = Objects.requireNonNull(record.record().value(), "a workload sends no tombstones");
        return RecordValues.read(value);
    }
}
