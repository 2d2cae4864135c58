package io.tidemark.cli.records;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.client.Tidemark;
import io.tidemark.client.consumer.Consumer;
import io.tidemark.client.consumer.ConsumerConfig;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.SystemClock;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark consume}. */
@Command(
        name = "consume",
        description = "Read committed records of a topic.",
        footer = {
            "",
            "Examples: tidemark consume orders -o start -e",
            "          tidemark consume orders -n 10 -f '%o %k %v\\n'",
            "          tidemark consume orders -o @2026-03-01T12:00:00Z -e"
        })
public final class ConsumeCommand implements Callable<Integer> {
    private static final Gson GSON =
            new GsonBuilder().disableHtmlEscaping().serializeNulls().create();
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int BUFFER_BYTES = 256 << 10;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Parameters(paramLabel = "TOPIC", description = "topic to read")
    private String topic = "";

    @Option(
            names = {"-o", "--offset"},
            defaultValue = "end",
            description = StartOffset.USAGE + "; default ${DEFAULT-VALUE}")
    private String offset = "end";

    @Option(
            names = {"-n", "--num"},
            defaultValue = "0",
            description = "stop after so many records; default: go on")
    private long limit;

    @Option(
            names = {"-e", "--exit"},
            description = "stop at the end of the topic as it is now")
    private boolean exitAtEnd;

    @Option(
            names = {"-p", "--partition"},
            description = "read only this partition")
    private @Nullable Integer partition;

    @Option(
            names = {"-f", "--format"},
            defaultValue = "%v\\n",
            description = "%%t %%p %%o %%k %%v %%h %%d %%T and \\n \\t; default the value and a line feed")
    private String format = "%v\\n";

    @Option(names = "--output", defaultValue = "table", description = "json: one object per record")
    private Output.Format output = Output.Format.table;

    private long printed;

    @Override
    public Integer call() throws IOException {
        RecordFormat printer = printer();
        StartOffset from = startOffset();
        SortedMap<TopicPartition, Long> offsets = new TreeMap<>();
        SortedMap<TopicPartition, Long> ends = new TreeMap<>();
        try (Consumer consumer = Tidemark.consumer(ConsumerConfig.of(cluster.bootstrap()));
                OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES)) {
            for (TopicPartition each : partitions()) {
                offsets.put(each, first(consumer, from, each));
                if (exitAtEnd) {
                    ends.put(each, consumer.endOf(each, LogPosition.LATEST, cluster.timeout()));
                }
            }
            consumer.assign(offsets);
            ends.entrySet().removeIf(end -> offsets.getOrDefault(end.getKey(), 0L) >= end.getValue());
            while (!isDone(ends)) {
                List<ConsumerRecord> records = consumer.poll(POLL);
                print(records, ends, printer, out);
                out.flush();
            }
        }
        return ExitCode.OK;
    }

    private boolean isDone(SortedMap<TopicPartition, Long> ends) {
        return (limit > 0 && printed >= limit) || (exitAtEnd && ends.isEmpty());
    }

    private void print(
            List<ConsumerRecord> records, SortedMap<TopicPartition, Long> ends, RecordFormat printer, OutputStream out)
            throws IOException {
        for (ConsumerRecord record : records) {
            Long end = ends.get(record.partition());
            boolean wanted = !exitAtEnd || (end != null && record.offset() < end);
            if (wanted && (limit == 0 || printed < limit)) {
                write(record, printer, out);
                printed++;
            }
            if (end != null && record.offset() + 1 >= end) {
                ends.remove(record.partition());
            }
        }
    }

    private void write(ConsumerRecord record, RecordFormat printer, OutputStream out) throws IOException {
        if (output != Output.Format.json) {
            printer.write(record, out);
            return;
        }
        JsonObject json = new JsonObject();
        json.addProperty("topic", record.partition().topic());
        json.addProperty("partition", record.partition().partition());
        json.addProperty("offset", record.offset());
        json.addProperty("leaderEpoch", record.leaderEpoch());
        json.addProperty("timestampMs", record.record().timestampMs());
        json.addProperty("key", text(record.record().key()));
        json.addProperty("value", text(record.record().value()));
        out.write((GSON.toJson(json) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String text(@Nullable ByteBuffer bytes) {
        return bytes == null
                ? null
                : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    private List<TopicPartition> partitions() {
        Metadata metadata = cluster.ask("cannot read topic " + topic, admin -> admin.describeTopic(topic));
        Metadata.Topic found = metadata.topics().get(topic);
        if (found == null || found.error() != ErrorCode.NONE) {
            throw new CommandFailure(
                    ExitCode.FAILED, "there is no topic " + topic + "; tidemark topic list shows those there are");
        }
        Integer wanted = partition;
        if (wanted != null && !found.partitions().containsKey(wanted)) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "topic " + topic + " has partitions 0 to "
                            + (found.partitions().size() - 1) + ", not " + wanted);
        }
        return found.partitions().keySet().stream()
                .filter(number -> wanted == null || wanted.equals(number))
                .map(number -> new TopicPartition(topic, number))
                .toList();
    }

    private long first(Consumer consumer, StartOffset from, TopicPartition each) {
        LogPosition position = from.position();
        return position == null ? from.offset() : consumer.endOf(each, position, cluster.timeout());
    }

    private StartOffset startOffset() {
        try {
            return StartOffset.parse(offset, new SystemClock());
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private RecordFormat printer() {
        try {
            return new RecordFormat(format);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--format: " + e.getMessage());
        }
    }
}
