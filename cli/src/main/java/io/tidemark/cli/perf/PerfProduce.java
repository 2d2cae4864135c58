package io.tidemark.cli.perf;

import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.OutputOption;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark perf produce}: latency is counted from when a record was due, so that a stall is not hidden. */
@Command(
        name = "produce",
        description = "Measure a producer: records/s, MB/s, latency from due time to acknowledgement.",
        footer = {"", "Example: tidemark perf produce load --records 1000000 --record-size 100 --batch-size 262144"})
final class PerfProduce implements Callable<Integer> {
    private static final int SIGNIFICANT_DIGITS = 3;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Parameters(paramLabel = "TOPIC", description = "topic to write to")
    private String topic = "";

    @Option(names = "--records", defaultValue = "1000000", description = "records to measure; default ${DEFAULT-VALUE}")
    private long records;

    @Option(
            names = "--record-size",
            defaultValue = "100",
            description = "bytes of each value; default ${DEFAULT-VALUE}")
    private int recordSize;

    @Option(
            names = "--payload-file",
            description = "file whose lines are the values, in turn; default: made up, of --record-size bytes")
    private @Nullable Path payloadFile;

    @Option(names = "--throughput", defaultValue = "0", description = "records per second; default: as fast as can be")
    private double throughput;

    @Option(names = "--acks", defaultValue = "all", description = "0, 1 or all; default ${DEFAULT-VALUE}")
    private String acks = "all";

    @Option(names = "--batch-size", defaultValue = "16384", description = "bytes of a batch; default ${DEFAULT-VALUE}")
    private int batchSize;

    @Option(
            names = "--linger",
            defaultValue = "5",
            description = "milliseconds a batch waits; default ${DEFAULT-VALUE}")
    private int lingerMs;

    @Option(names = "--warm-up", defaultValue = "0", description = "records sent first and not measured; default 0")
    private long warmUp;

    private final Clock clock = new SystemClock();
    private final Histogram latencyNs = new ConcurrentHistogram(1, TimeUnit.MINUTES.toNanos(10), SIGNIFICANT_DIGITS);
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong ackedBytes = new AtomicLong();

    @Override
    public Integer call() {
        if (records < 1 || recordSize < 0 || warmUp < 0) {
            throw new CommandFailure(ExitCode.USAGE, "--records is at least 1, sizes and warm-up are not negative");
        }
        try (Producer producer = Tidemark.producer(config())) {
            ByteBuffer[] payloads = payloadFile == null ? Payloads.made(recordSize) : Payloads.linesOf(payloadFile);
            run(producer, payloads, warmUp);
            latencyNs.reset();
            failed.set(0);
            ackedBytes.set(0);
            long startNs = clock.monotonicNs();
            run(producer, payloads, records);
            long durationNs = clock.monotonicNs() - startNs;
            long done = records - failed.get();
            new PerfReport(done, failed.get(), ackedBytes.get(), durationNs, latencyNs).print(output.output());
        }
        return failed.get() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private void run(Producer producer, ByteBuffer[] payloads, long count) {
        Pacer pacer = new Pacer(clock, throughput);
        for (long i = 0; i < count; i++) {
            ByteBuffer value = payloads[(int) (i % payloads.length)];
            int sizeBytes = value.remaining();
            long dueNs = pacer.awaitNext();
            producer.send(ProducerRecord.of(topic, null, value), (partition, offset, failure) -> {
                if (failure == null) {
                    ackedBytes.addAndGet(sizeBytes);
                    latencyNs.recordValue(Math.max(1, clock.monotonicNs() - dueNs));
                } else {
                    failed.incrementAndGet();
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
