package io.tidemark.bench.pauses;

import io.tidemark.bench.disk.DiskLogs;
import io.tidemark.bench.disk.Workspace;
import io.tidemark.bench.logs.Batches;
import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.LogConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command. Ends with 0 if everything was measured, whatever came out of it. */
@Command(
        name = "log-pauses",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 120,
        description = {
            "Appends to a log at a fixed rate: while nothing else happens to it, while segments of it are deleted,",
            "and while it is compacted; in turn, round after round."
        },
        footer = {
            "",
            "Examples:",
            "  benchmarks/log-pauses --dir /tmp/pauses --quick          does it work? (its figures mean nothing)",
            "  benchmarks/log-pauses --dir /tmp/pauses                  the table of docs/performance.md"
        })
public final class LogPauses implements Callable<Integer> {
    private static final int MEBIBYTE = 1 << 20;
    private static final int BATCH_BYTES = 16 << 10;
    private static final int KEYS = 1 << 20;
    private static final int QUICK_MEBIBYTES = 64;
    private static final int QUICK_SEGMENT_MEBIBYTES = 16;

    /** How often a batch comes again in what the cleaner goes through. */
    private static final int REPEATED = 16;

    private static final Duration QUICK_IDLE = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Option(names = "--dir", required = true, description = "directory whose disk is used; what is written there goes")
    private Path directory = Path.of(".");

    @Option(names = "--rounds", defaultValue = "5", description = "how often each is measured; default 5")
    private int rounds;

    @Option(names = "--rate", defaultValue = "2000", description = "appends of 16 KiB per second; default 2000")
    private int perSecond;

    @Option(names = "--delete-mib", defaultValue = "2048", description = "what is deleted in a round; default 2048")
    private int deleteMebibytes;

    @Option(names = "--clean-mib", defaultValue = "1024", description = "what is cleaned in a round; default 1024")
    private int cleanMebibytes;

    @Option(names = "--segment-mib", defaultValue = "256", description = "size of a segment; default 256")
    private int segmentMebibytes;

    @Option(names = "--idle-seconds", defaultValue = "8", description = "of each round without anything; default 8")
    private int idleSeconds;

    @Option(names = "--quick", description = "one round with small logs: does it work?")
    private boolean quick;

    /** Runs the command. */
    public static void main(String[] words) {
        System.exit(new CommandLine(new LogPauses()).execute(words));
    }

    @Override
    public Integer call() throws IOException {
        ExecutorService others = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "disturbance");
            thread.setDaemon(true);
            return thread;
        });
        try (Workspace workspace = Workspace.below(directory, "log-pauses");
                DiskLogs disk = new DiskLogs(workspace.path(), config(), Runnable::run)) {
            PausesTable table = new PausesTable(measure(disk, others));
            disk.requireSound();
            System.out.print(table.columns().text());
            System.out.println();
            System.out.print(table.columns().markdown());
        } finally {
            others.shutdown();
        }
        if (quick) {
            System.out.println("--quick: these figures mean nothing");
        }
        return 0;
    }

    private List<PausesTable.Line> measure(DiskLogs disk, ExecutorService others) {
        AppendLoad load = new AppendLoad(disk.clock(), perSecond, LIMIT);
        List<PausesTable.Line> lines = new ArrayList<>();
        List<Disturbance> disturbances = disturbances(disk);
        for (Disturbance disturbance : disturbances) {
            lines.add(new PausesTable.Line(disturbance.what(), new Latencies(), new Latencies()));
        }
        // The first round is the compiler's.
        for (int round = 0; round <= (quick ? 1 : rounds); round++) {
            for (int i = 0; i < disturbances.size(); i++) {
                Disturbance disturbance = disturbances.get(i);
                disturbance.prepare();
                Latencies idle = load.idle(disturbance.log(), idleTime());
                Latencies beside = load.beside(disturbance, others);
                if (round > 0) {
                    lines.get(i).idle().add(idle);
                    lines.get(i).beside().add(beside);
                }
                System.err.printf(
                        "log-pauses: round %d, %s: p99.9 idle %.3f ms, beside %.3f ms%n",
                        round, disturbance.what(), idle.fromDueMs(99.9), beside.fromDueMs(99.9));
            }
        }
        return lines;
    }

    private List<Disturbance> disturbances(DiskLogs disk) {
        List<ByteBuffer> batches = batches();
        LogConfig compacted = config().with(config().compaction().withPolicy(CleanupPolicy.COMPACT));
        AppendedLog shortened = new AppendedLog(disk.logs(), 1, config(), batches);
        AppendedLog cleaned = new AppendedLog(disk.logs(), 2, compacted, batches);
        return List.of(
                new Deletion(shortened, config(), mebibytes(deleteMebibytes), disk.clock()),
                new Cleaning(cleaned, disk, mebibytes(cleanMebibytes)));
    }

    /** Different ones, so that most of what the cleaner reads stays the last of its key for a while. */
    private List<ByteBuffer> batches() {
        Batches source = new Batches(BATCH_BYTES);
        int count = (int) (mebibytes(cleanMebibytes) / BATCH_BYTES / REPEATED);
        return IntStream.range(0, Math.max(1, count))
                .mapToObj(each -> source.keyed(KEYS))
                .toList();
    }

    private LogConfig config() {
        int bytes = Math.multiplyExact(quick ? QUICK_SEGMENT_MEBIBYTES : segmentMebibytes, MEBIBYTE);
        return LogConfig.DEFAULTS.withSegmentBytes(bytes).withDeleteDelay(Duration.ZERO);
    }

    private long mebibytes(int count) {
        return (long) (quick ? Math.min(count, QUICK_MEBIBYTES) : count) * MEBIBYTE;
    }

    private Duration idleTime() {
        return quick ? QUICK_IDLE : Duration.ofSeconds(idleSeconds);
    }
}
