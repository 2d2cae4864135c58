package io.tidemark.bench.compare;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command: options in, sessions run, reports out. Ends with 0 if every job gave a figure, met or not; 1 if one failed. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 120,
        description = "Measures Kafka 3.9.1 and Tidemark in turn on this machine, with the same workload.",
        footer = {
            "",
            "Examples:",
            "  benchmarks/compare --dir /tmp/compare --quick              does it work? (its figures mean nothing)",
            "  benchmarks/compare --dir /tmp/compare --reps 3             the table of docs/performance.md",
            "  benchmarks/compare --dir /tmp/compare --rows failover --reps 1 --kills 10 --zookeepers 3"
        })
public final class Compare implements Callable<Integer> {
    private static final DateTimeFormatter FILE_TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private static final int INTERRUPTED = 130;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--dir", required = true, description = "directory for data and results; the results stay")
    private Path directory = Path.of(".");

    @Option(names = "--rows", split = ",", description = "rows, or beginnings of their names; default: all (${ROWS})")
    private List<String> rows = Arrays.stream(Row.values()).map(Row::key).toList();

    @Option(names = "--reps", defaultValue = "3", description = "repetitions, each a session per system; default 3")
    private int repetitions;

    @Option(names = "--systems", split = ",", description = "which to run; default: kafka,tidemark")
    private List<String> systems = List.of("kafka", "tidemark");

    @Option(names = "--quick", description = "tiny sizes and one repetition: does it work?")
    private boolean quick;

    @Option(names = "--keep", description = "keep the clusters' data and logs")
    private boolean keep;

    @Option(names = "--broker-heap", defaultValue = "1g", description = "heap of each broker; default 1g")
    private String brokerHeap = "";

    @Option(names = "--client-heap", defaultValue = "512m", description = "heap of each client; default 512m")
    private String clientHeap = "";

    @Option(
            names = "--quiet-percent",
            defaultValue = "12",
            description = "begin a run when others use at most so much of all cores; default 12")
    private double quietPercent;

    @Option(
            names = "--quiet-wait",
            defaultValue = "40",
            description = "begin it all the same after so many seconds; default 40")
    private int quietWaitSeconds;

    @Option(
            names = "--zookeepers",
            defaultValue = "1",
            description = "ZooKeeper servers that Tidemark's brokers use; default 1, an ensemble has 3")
    private int zooKeepers;

    @Option(names = "--kills", defaultValue = "1", description = "failovers of each kind in a session; default 1")
    private int kills;

    @Option(names = "--distribution", hidden = true, required = true)
    private Path distribution = Path.of(".");

    @Option(names = "--benchmarks-jar", hidden = true, required = true)
    private Path benchmarksJar = Path.of(".");

    @Option(names = "--peer-classpath", hidden = true, required = true)
    private Path peerClassPath = Path.of(".");

    @Option(names = "--peer-logging", hidden = true, required = true)
    private Path peerLogging = Path.of(".");

    @Option(names = "--ticks", hidden = true, defaultValue = "100")
    private long ticksPerSecond;

    private final Clock clock = new SystemClock();

    /** Runs the command. */
    public static void main(String[] words) {
        System.setProperty(
                "ROWS",
                String.join(" ", Arrays.stream(Row.values()).map(Row::key).toList()));
        System.exit(new CommandLine(new Compare()).execute(words));
    }

    @Override
    public Integer call() throws IOException {
        try {
            return compare();
        } catch (InterruptedException e) {
            System.err.println("compare: " + e.getMessage());
            return INTERRUPTED;
        }
    }

    private int compare() throws IOException, InterruptedException {
        Settings settings = settings();
        Path results = Files.createDirectories(settings.directory().resolve("results"));
        CpuMeter.Machine machine = new CpuMeter.Machine(Runtime.getRuntime().availableProcessors(), ticksPerSecond);
        Instruments instruments = new Instruments(clock, new ProcFs(Path.of("/proc")), machine, settings.quiet());
        Instant began = Instant.ofEpochMilli(clock.wallMs());
        List<Sample> samples = new Comparison(settings, instruments).run();
        List<Summary> summaries = Summary.of(settings.rows(), samples);
        Table table = new Table(summaries);
        String name = "compare-" + FILE_TIME.format(began);
        Files.writeString(results.resolve(name + ".txt"), table.text());
        Files.writeString(results.resolve(name + ".md"), table.markdown());
        Files.writeString(
                results.resolve(name + ".json"), JsonReport.of(describe(settings, began), summaries, samples));
        System.out.print(table.text());
        if (quick) {
            System.out.println("--quick: these figures mean nothing");
        }
        System.err.println("compare: results in " + results.resolve(name) + ".{txt,md,json}");
        return samples.stream().anyMatch(sample -> sample.failure() != null) ? 1 : 0;
    }

    private Settings settings() throws IOException {
        List<Row> selected;
        try {
            selected = Row.select(rows);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--rows: " + e.getMessage());
        }
        if (repetitions < 1
                || zooKeepers < 1
                || kills < 1
                || !Settings.SYSTEMS.containsAll(systems)
                || systems.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--reps, --zookeepers and --kills are at least 1, and --systems are of kafka,tidemark");
        }
        Path absolute = Files.createDirectories(directory).toRealPath();
        requireFresh(absolute);
        return new Settings(
                absolute,
                new Settings.Installation(
                        distribution.toRealPath(),
                        benchmarksJar.toRealPath(),
                        Files.readString(peerClassPath).strip(),
                        peerLogging.toRealPath()),
                new Settings.Heaps(brokerHeap, clientHeap),
                quick ? Workload.quick() : Workload.full(),
                selected,
                quick ? 1 : repetitions,
                systems,
                new Settings.Quiet(quietPercent, quick ? 0 : quietWaitSeconds),
                keep ? Settings.Leftovers.KEEP : Settings.Leftovers.REMOVE,
                zooKeepers,
                kills);
    }

    /** Data of an earlier run is not touched, and not measured. */
    private void requireFresh(Path absolute) {
        for (String system : Settings.SYSTEMS) {
            if (Files.exists(absolute.resolve(system + "-1"))) {
                throw new ParameterException(
                        spec.commandLine(),
                        absolute + " holds clusters of an earlier run (" + system
                                + "-1): see that none of their processes runs, and remove them");
            }
        }
    }

    private JsonObject describe(Settings settings, Instant began) {
        JsonObject json = new JsonObject();
        json.addProperty("began", began.toString());
        json.addProperty("cores", Runtime.getRuntime().availableProcessors());
        json.addProperty("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        json.addProperty("java", System.getProperty("java.vm.version"));
        json.addProperty("brokerHeap", settings.heaps().broker());
        json.addProperty("clientHeap", settings.heaps().client());
        json.addProperty("sizes", quick ? "quick" : "full");
        json.addProperty("repetitions", settings.repetitions());
        json.addProperty("zookeepers", settings.zooKeepers());
        JsonArray order = new JsonArray();
        settings.systems().forEach(order::add);
        json.add("systems", order);
        return json;
    }
}
