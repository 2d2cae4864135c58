package io.tidemark.cli.records;

import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.Progress;
import io.tidemark.cli.ProgressOption;
import io.tidemark.cli.ReportOption;
import io.tidemark.cli.Terminals;
import io.tidemark.cli.TopicLookup;
import io.tidemark.cli.errors.Explanation;
import io.tidemark.client.Tidemark;
import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.producer.Producer;
import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.client.producer.ProducerRecord;
import io.tidemark.model.Acks;
import io.tidemark.record.Codec;
import io.tidemark.runtime.SystemClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark produce}: each line becomes a record. */
@Command(
        name = "produce",
        description = {
            "Write each line of a file as a record.",
            "The bytes between line feeds are its value, whatever they are; without --from-file they come from standard input.",
            "Exit code 1 if any record was not acknowledged, also after Ctrl-C."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark produce orders --from-file orders.txt",
            "  echo hello | tidemark produce orders -k greeting",
            "  tidemark produce orders --from-file orders.txt -z lz4 -o json"
        })
public final class ProduceCommand implements Callable<Integer> {
    private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(5);

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private ReportOption output = new ReportOption();

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Parameters(paramLabel = "TOPIC", description = "topic to write to")
    private String topic = "";

    @Option(names = "--from-file", paramLabel = "FILE", description = "file to read; default: standard input")
    private @Nullable Path file;

    @Option(
            names = "--acks",
            paramLabel = "ACKS",
            defaultValue = "all",
            description = "0, 1 or all; default ${DEFAULT-VALUE}")
    private String acks = "all";

    @Option(
            names = {"-k", "--key"},
            paramLabel = "KEY",
            description = "key of every record; default: none")
    private @Nullable String key;

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "P",
            description = "partition to write to; default: by key, or spread")
    private @Nullable Integer partition;

    @Option(
            names = {"-z", "--compression"},
            paramLabel = "CODEC",
            defaultValue = "none",
            description = "none, gzip, snappy, lz4 or zstd; default ${DEFAULT-VALUE}")
    private String compression = "none";

    @Option(
            names = "--rate",
            paramLabel = "R",
            defaultValue = "0",
            description = "records per second at most; default: no limit")
    private double rate;

    private volatile boolean stopping;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong acknowledgedBytes = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<@Nullable TidemarkException> lastFailure = new AtomicReference<>();

    @Override
    public Integer call() throws IOException {
        if (rate < 0) {
            throw new CommandFailure(ExitCode.USAGE, "--rate is not negative");
        }
        ProducerConfig config =
                ProducerConfig.of(cluster.bootstrap()).withAcks(acks()).withCodec(codec());
        // Opened first: what cannot be read needs no producer.
        try (LineReader lines = new LineReader(open())) {
            checkTopic();
            produce(Tidemark.producer(config), lines);
        }
        if (!stopping) {
            report();
        }
        return failed.get() == 0 && acknowledged.get() == sent.get() ? ExitCode.OK : ExitCode.FAILED;
    }

    /** A typing error is told at once. A broker that does not answer in time is the producer's concern: it tries others. */
    private void checkTopic() {
        String what = "cannot write to topic " + topic;
        try {
            Metadata.Topic found = new TopicLookup(cluster, what).find(topic);
            Integer wanted = partition;
            if (wanted != null && !found.partitions().containsKey(wanted)) {
                throw TopicLookup.noPartition(what, found, wanted);
            }
        } catch (CommandFailure e) {
            if (e.exitCode() != ExitCode.TIMED_OUT) {
                throw e;
            }
        }
    }

    private void produce(Producer producer, LineReader lines) throws IOException {
        long sizeBytes = file == null ? 0 : Files.size(file);
        try (Progress shown = progress.start(mode(), "acknowledged", () -> sample(sizeBytes));
                producer) {
            shown.onInterrupt(() -> stop(producer));
            sendAll(producer, lines);
        } catch (TidemarkException e) {
            if (!stopping) {
                lastFailure.set(e);
                failed.incrementAndGet();
            }
        }
    }

    /** Who types the records sees how it goes. */
    private Progress.Mode mode() {
        boolean typed = file == null && Terminals.current().input();
        return typed ? Progress.Mode.NONE : progress.mode(output.output());
    }

    private Progress.Sample sample(long sizeBytes) {
        return new Progress.Sample(acknowledged.get(), acknowledgedBytes.get(), sizeBytes);
    }

    /** What is under way may still be acknowledged; then this tells what was done, instead of the sending thread. */
    private void stop(Producer producer) {
        stopping = true;
        producer.close(INTERRUPT_PATIENCE);
        report();
        Runtime.getRuntime().halt(ExitCode.FAILED);
    }

    private void sendAll(Producer producer, LineReader lines) throws IOException {
        Pacer pacer = new Pacer(new SystemClock(), rate);
        ByteBuffer keyBytes = key == null ? null : ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8));
        byte[] line = lines.next();
        while (line != null) {
            pacer.awaitNext();
            int sizeBytes = line.length + 1;
            producer.send(
                    new ProducerRecord(topic, partition, null, keyBytes, ByteBuffer.wrap(line), List.of()),
                    (where, offset, failure) -> answered(sizeBytes, failure));
            sent.incrementAndGet();
            line = lines.next();
        }
    }

    private void answered(int sizeBytes, @Nullable TidemarkException failure) {
        if (failure == null) {
            acknowledgedBytes.addAndGet(sizeBytes);
            acknowledged.incrementAndGet();
        } else {
            failed.incrementAndGet();
            lastFailure.set(failure);
        }
    }

    private void report() {
        Output out = output.output();
        TidemarkException failure = lastFailure.get();
        JsonObject json = new JsonObject();
        json.addProperty("sent", sent.get());
        json.addProperty("acknowledged", acknowledged.get());
        json.addProperty("failed", failed.get());
        json.addProperty("lastFailure", failure == null ? null : failure.getMessage());
        out.sentence(json, topic, "sent " + sent.get() + ", acknowledged " + acknowledged.get());
        if (failure != null) {
            out.note("tidemark produce: " + failed.get() + " records failed, the last with " + failure.getMessage());
            out.note("  next: " + Explanation.next(failure.error()));
        }
    }

    private InputStream open() throws IOException {
        Path from = file;
        if (from == null) {
            return System.in;
        }
        try {
            return Files.newInputStream(from);
        } catch (NoSuchFileException e) {
            throw new CommandFailure(ExitCode.FAILED, "there is no file " + from);
        }
    }

    private Acks acks() {
        return switch (acks.toLowerCase(Locale.ROOT)) {
            case "0", "none" -> Acks.NONE;
            case "1", "leader" -> Acks.LEADER;
            case "all", "-1" -> Acks.ALL;
            default -> throw new CommandFailure(ExitCode.USAGE, "--acks is 0, 1 or all, not " + acks);
        };
    }

    private Codec codec() {
        try {
            return Codec.parse(compression);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--compression: " + e.getMessage());
        }
    }
}
