package io.tidemark.cli.perf;

import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.Progress;
import io.tidemark.cli.ProgressOption;
import io.tidemark.cli.ReportOption;
import io.tidemark.cli.TopicLookup;
import io.tidemark.client.Tidemark;
import io.tidemark.client.consumer.Consumer;
import io.tidemark.client.consumer.ConsumerConfig;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.model.TopicPartition;
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
        description = {
            "Measure a consumer that reads a topic from its start: records/s and MB/s.",
            "Ctrl-C tells what was measured so far."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark perf consume load --records 1000000",
            "  tidemark perf consume load --records 1000000 --warm-up 100000 -o json"
        })
final class PerfConsume implements Callable<Integer> {
    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private ReportOption output = new ReportOption();

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Parameters(paramLabel = "TOPIC", description = "topic to read")
    private String topic = "";

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "records to measure; default ${DEFAULT-VALUE}")
    private long records;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "0",
            description = "records read first and not measured; default ${DEFAULT-VALUE}")
    private long warmUp;

    @Override
    public Integer call() {
        if (records < 1 || warmUp < 0) {
            throw new CommandFailure(ExitCode.USAGE, "--records is at least 1, and --warm-up not negative");
        }
        Metadata.Topic found = new TopicLookup(cluster, "cannot read topic " + topic).find(topic);
        Output out = output.output();
        Measurement measurement = new Measurement(new SystemClock(), records, out);
        try (Progress shown = progress.start(progress.mode(out), "read", measurement::sample);
                Consumer consumer = Tidemark.consumer(ConsumerConfig.of(cluster.bootstrap()))) {
            shown.onInterrupt(measurement::tell);
            assign(consumer, found);
            boolean warm = read(consumer, measurement, warmUp);
            measurement.begin();
            boolean done = warm && read(consumer, measurement, records);
            measurement.fail(done ? 0 : records - measurement.done());
            shown.end();
            measurement.tell();
        }
        return measurement.failed() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private void assign(Consumer consumer, Metadata.Topic found) {
        SortedMap<TopicPartition, Long> offsets = new TreeMap<>();
        for (int number : found.partitions().keySet()) {
            TopicPartition partition = new TopicPartition(topic, number);
            offsets.put(partition, consumer.endOf(partition, LogPosition.EARLIEST, cluster.timeout()));
        }
        consumer.assign(offsets);
    }

    /** Reads at least {@code count} records, or until none comes within the timeout; answers which. */
    private boolean read(Consumer consumer, Measurement measurement, long count) {
        while (measurement.done() < count) {
            List<ConsumerRecord> polled = consumer.poll(cluster.timeout());
            if (polled.isEmpty()) {
                return false;
            }
            measurement.read(
                    polled.size(),
                    polled.stream().mapToLong(PerfConsume::sizeBytes).sum());
        }
        return true;
    }

    private static long sizeBytes(ConsumerRecord record) {
        ByteBuffer value = record.record().value();
        return value == null ? 0 : value.remaining();
    }
}
