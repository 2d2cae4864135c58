package io.tidemark.cli.perf;

import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.Progress;
import io.tidemark.cli.ProgressOption;
import io.tidemark.cli.ReportOption;
import io.tidemark.cli.TopicLookup;
import io.tidemark.cli.records.Pacer;
import io.tidemark.client.Tidemark;
import io.tidemark.client.producer.Producer;
import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.client.producer.ProducerRecord;
import io.tidemark.model.Acks;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark perf produce}: latency is counted from when a record was due, so that a stall is not hidden. */
@Command(
        name = "produce",
        description = {
            "Measure a producer: records/s, MB/s, latency from due time to acknowledgement.",
            "Ctrl-C tells what was measured so far."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark perf produce load --record-size 100 --batch-size 262144",
            "  tidemark perf produce load --records 100000 --throughput 10000 --acks 1",
            "  tidemark perf produce load --warm-up 100000 -o json"
        })
final class PerfProduce implements Callable<Integer> {

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private ReportOption output = new ReportOption();

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Parameters(paramLabel = "TOPIC", description = "topic to write to")
    private String topic = "";

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "records to measure; default ${DEFAULT-VALUE}")
    private long records;

    @Option(
            names = "--record-size",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "bytes of each value; default ${DEFAULT-VALUE}")
    private int recordSize;

    @Option(
            names = "--payload-file",
            paramLabel = "FILE",
            description = "file whose lines are the values, in turn; default: made up, of --record-size bytes")
    private @Nullable Path payloadFile;

    @Option(
            names = "--throughput",
            paramLabel = "R",
            defaultValue = "0",
            description = "records per second; default: as fast as can be")
    private double throughput;

    @Option(
            names = "--acks",
            paramLabel = "ACKS",
            defaultValue = "all",
            description = "0, 1 or all; default ${DEFAULT-VALUE}")
    private String acks = "all";

    @Option(
            names = "--batch-size",
            paramLabel = "BYTES",
            defaultValue = "16384",
            description = "bytes of a batch; default ${DEFAULT-VALUE}")
    private int batchSize;

    @Option(
            names = "--linger",
            paramLabel = "MS",
            defaultValue = "5",
            description = "milliseconds a batch waits; default ${DEFAULT-VALUE}")
    private int lingerMs;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "0",
            description = "records sent first and not measured; default ${DEFAULT-VALUE}")
    private long warmUp;

    private final Clock clock = new SystemClock();

    @Override
    public Integer call() {
        if (records < 1 || batchSize < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--records and --batch-size are at least 1");
        }
        if (recordSize < 0 || warmUp < 0 || lingerMs < 0 || throughput < 0) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--record-size, --warm-up, --linger and --throughput are not negative");
        }
        ProducerConfig config = config();
        new TopicLookup(cluster, "cannot write to topic " + topic).find(topic);
        Output out = output.output();
        Measurement measurement = new Measurement(clock, records, out);
        try (Progress shown = progress.start(progress.mode(out), "acknowledged", measurement::sample);
                Producer producer = Tidemark.producer(config)) {
            shown.onInterrupt(measurement::tell);
            ByteBuffer[] payloads = payloadFile == null ? Payloads.made(recordSize) : Payloads.linesOf(payloadFile);
            run(producer, measurement, payloads, warmUp);
            measurement.begin();
            run(producer, measurement, payloads, records);
            shown.end();
            measurement.tell();
        }
        return measurement.failed() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private void run(Producer producer, Measurement measurement, ByteBuffer[] payloads, long count) {
        Pacer pacer = new Pacer(clock, throughput);
        for (long i = 0; i < count; i++) {
            ByteBuffer value = payloads[(int) (i % payloads.length)];
            int sizeBytes = value.remaining();
            long dueNs = pacer.awaitNext();
            producer.send(ProducerRecord.of(topic, null, value), (partition, offset, failure) -> {
                if (failure == null) {
                    measurement.acknowledged(dueNs, sizeBytes);
                } else {
                    measurement.fail(1);
                }
            });
        }
        producer.flush();
    }

    private ProducerConfig config() {
        Acks wanted = switch (acks) {
            case "0" -> Acks.NONE;
            case "1" -> Acks.LEADER;
            case "all" -> Acks.ALL;
            default -> throw new CommandFailure(ExitCode.USAGE, "--acks is 0, 1 or all, not " + acks);
        };
        ProducerConfig base = ProducerConfig.of(cluster.bootstrap()).withAcks(wanted);
        ProducerConfig.Limits limits = base.limits();
        ProducerConfig.Times times = base.times();
        return base.withLimits(new ProducerConfig.Limits(
                        batchSize,
                        Math.max(batchSize, limits.maxBatchBytes()),
                        Math.max(limits.bufferBytes(), 8L * batchSize),
                        limits.inFlight()))
                .withTimes(new ProducerConfig.Times(
                        Duration.ofMillis(lingerMs), times.request(), times.delivery(), times.maxBlock()));
    }
}
