package io.tidemark.cli.records;

import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.Progress;
import io.tidemark.cli.ProgressOption;
import io.tidemark.cli.ReportOption.Choice;
import io.tidemark.cli.Terminals;
import io.tidemark.cli.TopicLookup;
import io.tidemark.client.Tidemark;
import io.tidemark.client.consumer.Consumer;
import io.tidemark.client.consumer.ConsumerConfig;
import io.tidemark.client.consumer.OffsetOutOfRangeException;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.SystemClock;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark consume}. */
@Command(
        name = "consume",
        description = {
            "Read committed records of a topic.",
            "They come in order per partition. Ctrl-C ends it and says how many there were.",
            "-o is where to begin; the form of the output is --output."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark consume orders -o start -e",
            "  tidemark consume orders -n 10 -f '%%o %%k %%v\\n'",
            "  tidemark consume orders -o @2026-03-01 -e --output json > orders.jsonl"
        })
public final class ConsumeCommand implements Callable<Integer> {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long FINISH_PATIENCE_MS = 2_000;
    private static final int BUFFER_BYTES = 256 << 10;
    private static final String READER_IS_GONE = "Broken pipe";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Parameters(paramLabel = "TOPIC", description = "topic to read")
    private String topic = "";

    @Option(
            names = {"-o", "--offset"},
            paramLabel = "OFFSET",
            defaultValue = "end",
            description = StartOffset.USAGE + "; default ${DEFAULT-VALUE}")
    private String offset = "end";

    @Option(
            names = {"-n", "--num"},
            paramLabel = "N",
            defaultValue = "0",
            description = "stop after so many records; default: go on")
    private long limit;

    @Option(
            names = {"-e", "--exit"},
            description = "stop at the end of the topic as it is now; default: wait for more")
    private boolean exitAtEnd;

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "P",
            description = "read only this partition; default: all")
    private @Nullable Integer partition;

    @Option(
            names = {"-f", "--format"},
            paramLabel = "FORMAT",
            defaultValue = "%v\\n",
            description = {
                "%%t topic, %%p partition, %%o offset, %%k key, %%v value, %%h headers, %%d date, %%T milliseconds,",
                "\\n \\t \\r \\\\; default: the value and a line feed"
            })
    private String format = "%v\\n";

    @Option(
            names = "--output",
            paramLabel = "FORM",
            defaultValue = "table",
            description = "table: as --format says; json or jsonl: an object per record; default ${DEFAULT-VALUE}")
    private Choice choice = Choice.table;

    private volatile boolean stopping;

    @Override
    public Integer call() throws IOException {
        StartOffset start = StartOffset.parse(offset, new SystemClock());
        RecordFormat printer = printer();
        if (limit < 0) {
            throw new CommandFailure(ExitCode.USAGE, "-n is a number of records, not " + limit);
        }
        List<TopicPartition> partitions = partitions();
        try (Consumer consumer = Tidemark.consumer(ConsumerConfig.of(cluster.bootstrap()));
                OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES)) {
            ConsumeRun.Printer line = choice == Choice.table ? printer::write : RecordJson::write;
            ConsumeRun run = new ConsumeRun(limit, begin(consumer, start, partitions), line);
            consume(consumer, run, out);
        } catch (IOException e) {
            if (!READER_IS_GONE.equals(e.getMessage())) {
                throw e;
            }
            // Like head, it has read what it wanted.
        }
        return ExitCode.OK;
    }

    private SortedMap<TopicPartition, ConsumeRun.Range> begin(
            Consumer consumer, StartOffset start, List<TopicPartition> partitions) {
        SortedMap<TopicPartition, Long> offsets = new TreeMap<>();
        SortedMap<TopicPartition, ConsumeRun.Range> ranges = new TreeMap<>();
        for (TopicPartition each : partitions) {
            LogPosition asked = start.position();
            long first = asked == null ? start.offset() : consumer.endOf(each, asked, cluster.timeout());
            long last = exitAtEnd ? consumer.endOf(each, LogPosition.LATEST, cluster.timeout()) : Long.MAX_VALUE;
            ConsumeRun.Range range = new ConsumeRun.Range(first, last);
            if (asked == null && range.isBeyondTheEnd()) {
                // Nothing would be asked for, and nobody say that there is no such offset.
                throw new OffsetOutOfRangeException(
                        each, first, consumer.endOf(each, LogPosition.EARLIEST, cluster.timeout()), last);
            }
            offsets.put(each, first);
            ranges.put(each, range);
        }
        consumer.assign(offsets);
        return ranges;
    }

    private void consume(Consumer consumer, ConsumeRun run, OutputStream out) throws IOException {
        CountDownLatch finished = new CountDownLatch(1);
        try (Progress shown = progress.start(mode(), "consumed", run::sample)) {
            shown.onInterrupt(() -> stop(run, finished, shown));
            while (!stopping && !run.isDone()) {
                run.print(consumer.poll(POLL), out);
                run.reached(consumer::position);
                out.flush();
            }
        } finally {
            finished.countDown();
        }
    }

    /** Lets the record that is being written come to its end. */
    private void stop(ConsumeRun run, CountDownLatch finished, Progress shown) {
        stopping = true;
        try {
            boolean unused = finished.await(FINISH_PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        shown.note("interrupted: consumed " + run.sample().records() + " records");
    }

    /** Records on a terminal are progress enough. */
    private Progress.Mode mode() {
        Output.Format form = choice == Choice.table ? Output.Format.table : Output.Format.jsonl;
        Progress.Mode mode = progress.mode(new Output(
                form,
                Output.Headers.SHOWN,
                spec.commandLine().getOut(),
                spec.commandLine().getErr()));
        return Terminals.current().output() ? Progress.Mode.NONE : mode;
    }

    private List<TopicPartition> partitions() {
        String what = "cannot read topic " + topic;
        Metadata.Topic found = new TopicLookup(cluster, what).find(topic);
        Integer wanted = partition;
        if (wanted != null && !found.partitions().containsKey(wanted)) {
            throw TopicLookup.noPartition(what, found, wanted);
        }
        return found.partitions().keySet().stream()
                .filter(number -> wanted == null || wanted.equals(number))
                .map(number -> new TopicPartition(topic, number))
                .toList();
    }

    private RecordFormat printer() {
        try {
            return new RecordFormat(format);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--format: " + e.getMessage(), "tidemark consume --help lists what is known");
        }
    }
}
