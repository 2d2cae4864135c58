package io.tidemark.cli.records;

import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.OutputOption;
import io.tidemark.client.Tidemark;
import io.tidemark.client.TidemarkException;
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
            "Write each line of a file, or of standard input, as a record: the bytes between line feeds, whatever they are.",
            "Exit code 1 if any record was not acknowledged."
        },
        footer = {"", "Example: tidemark produce orders --from-file orders.txt"})
public final class ProduceCommand implements Callable<Integer> {
    private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(5);

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Parameters(paramLabel = "TOPIC", description = "topic to write to")
    private String topic = "";

    @Option(names = "--from-file", description = "file to read; default: standard input")
    private @Nullable Path file;

    @Option(names = "--acks", defaultValue = "all", description = "0, 1 or all; default ${DEFAULT-VALUE}")
    private String acks = "all";

    @Option(
            names = {"-k", "--key"},
            description = "key of every record")
    private @Nullable String key;

    @Option(
            names = {"-p", "--partition"},
            description = "partition to write to; default: by key, or spread")
    private @Nullable Integer partition;

    @Option(
            names = {"-z", "--compression"},
            defaultValue = "none",
            description = "none, gzip, snappy, lz4 or zstd; default ${DEFAULT-VALUE}")
    private String compression = "none";

    @Option(names = "--rate", defaultValue = "0", description = "records per second; default: no limit")
    private double rate;

    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<@Nullable TidemarkException> lastFailure = new AtomicReference<>();

    @Override
    public Integer call() throws IOException {
        ProducerConfig config =
                ProducerConfig.of(cluster.bootstrap()).withAcks(acks()).withCodec(codec());
        // Opened first: what cannot be read needs no producer.
        try (LineReader lines = new LineReader(open())) {
            produce(Tidemark.producer(config), lines);
        }
        report();
        return failed.get() == 0 && acknowledged.get() == sent.get() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void produce(Producer producer, LineReader lines) throws IOException {
        Thread onInterrupt = new Thread(() -> {
            producer.close(INTERRUPT_PATIENCE);
            report();
            Runtime.getRuntime().halt(ExitCode.FAILED);
        });
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try (producer) {
            sendAll(producer, lines);
        } catch (TidemarkException e) {
            lastFailure.set(e);
            failed.incrementAndGet();
        } finally {
            remove(onInterrupt);
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // Then the hook is running: it reports and ends the process.
        }
    }

    private void sendAll(Producer producer, LineReader lines) throws IOException {
        Pacer pacer = new Pacer(new SystemClock(), rate);
        ByteBuffer keyBytes = key == null ? null : ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8));
        byte[] line = lines.next();
        while (line != null) {
            pacer.awaitNext();
            producer.send(
                    new ProducerRecord(topic, partition, null, keyBytes, ByteBuffer.wrap(line), List.of()),
                    (where, offset, failure) -> answered(failure));
            sent.incrementAndGet();
            line = lines.next();
        }
    }

    private void answered(@Nullable TidemarkException failure) {
        if (failure == null) {
            acknowledged.incrementAndGet();
        } else {
            failed.incrementAndGet();
            lastFailure.set(failure);
        }
    }

    private void report() {
        Output out = output.output();
        TidemarkException failure = lastFailure.get();
        if (out.isJson()) {
            JsonObject json = new JsonObject();
            json.addProperty("sent", sent.get());
            json.addProperty("acknowledged", acknowledged.get());
            json.addProperty("failed", failed.get());
            json.addProperty("lastFailure", failure == null ? null : failure.getMessage());
            out.json(json);
        } else {
            out.line("sent " + sent.get() + ", acknowledged " + acknowledged.get());
        }
        if (failure != null) {
            out.note("tidemark produce: " + failed.get() + " records failed, the last with " + failure.getMessage());
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
