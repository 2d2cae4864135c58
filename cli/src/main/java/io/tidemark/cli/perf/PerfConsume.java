package io.tidemark.cli.perf;

import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.OutputOption;
import io.tidemark.client.Tidemark;
import io.tidemark.client.consumer.Consumer;
import io.tidemark.client.consumer.ConsumerConfig;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark perf consume}. */
@Command(
        name = "consume",
        description = "Measure a consumer that reads a topic from its start: records/s and MB/s.",
        footer = {"", "Example: tidemark perf consume load --records 1000000"})
final class PerfConsume implements Callable<Integer> {
    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Parameters(paramLabel = "TOPIC", description = "topic to read")
    private String topic = "";

    @Option(names = "--records", defaultValue = "1000000", description = "records to measure; default ${DEFAULT-VALUE}")
    private long records;

    @Option(names = "--warm-up", defaultValue = "0", description = "records read first and not measured; default 0")
    private long warmUp;

    private final Clock clock = new SystemClock();
    private long bytes;

    @Override
    public Integer call() {
        Metadata metadata = cluster.ask("cannot read topic " + topic, admin -> admin.describeTopic(topic));
        Metadata.Topic found = metadata.topics().get(topic);
        if (found == null || found.partitions().isEmpty()) {
            throw new CommandFailure(ExitCode.FAILED, "there is no topic " + topic);
        }
        try (Consumer consumer = Tidemark.consumer(ConsumerConfig.of(cluster.bootstrap()))) {
            SortedMap<TopicPartition, Long> offsets = new TreeMap<>();
            for (int number : found.partitions().keySet()) {
                TopicPartition partition = new TopicPartition(topic, number);
                offsets.put(partition, consumer.endOf(partition, LogPosition.EARLIEST, cluster.timeout()));
            }
            consumer.assign(offsets);
            long warm = read(consumer, warmUp);
            bytes = 0;
            long startNs = clock.monotonicNs();
            long done = warm < warmUp ? 0 : read(consumer, records);
            long durationNs = clock.monotonicNs() - startNs;
            new PerfReport(done, records - done, bytes, durationNs, null).print(output.output());
            return done >= records ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    /** Reads at least {@code count} records, or until none comes within the timeout. */
    private long read(Consumer consumer, long count) {
        long read = 0;
        while (read < count) {
            List<ConsumerRecord> polled = consumer.poll(cluster.timeout());
            if (polled.isEmpty()) {
                return read;
            }
            for (ConsumerRecord record : polled) {
                ByteBuffer value = record.record().value();
                bytes += value == null ? 0 : value.remaining();
            }
            read += polled.size();
        }
        return read;
    }
}
