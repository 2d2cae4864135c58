package io.tidemark.sim.cli;

import io.tidemark.runtime.SystemClock;
import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.FaultMix;
import io.tidemark.sim.run.RunReport;
import io.tidemark.sim.run.SeedPool;
import io.tidemark.sim.run.SeedResult;
import io.tidemark.sim.run.Seeds;
import io.tidemark.sim.run.SimRun;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code tidemark-sim faults}. */
@Command(
        name = "faults",
        description = {
            "Show that planted faults are found: each by three seeds of the ordinary mix.",
            "",
            "It ends with 2 if one is not found within the runs and the time for it."
        })
final class FaultsCommand implements Callable<Integer> {
    private static final int SEEDS_NEEDED = 3;
    private static final double MS_PER_S = 1_000;

    /** How the table is written. */
    enum Format {
        text,
        markdown
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--only", paramLabel = "NAME", description = "one planted fault; default: all")
    private String only = "";

    @Option(names = "--first-seed", paramLabel = "N", description = "where to begin; default: 1")
    private long firstSeed = 1;

    @Option(names = "--runs", paramLabel = "N", description = "most runs for each; default: 10000")
    private int runs = 10_000;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "most time for each, such as 30s or 5m; default: 5m")
    private Duration budget = Duration.ofMinutes(5);

    @Option(names = "--threads", paramLabel = "N", description = "threads that run seeds; default: 2")
    private int threads = 2;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or markdown; default: text")
    private Format format = Format.text;

    /**
     * What became of one planted fault.
     *
     * @param seeds that showed it
     * @param invariants that caught it
     */
    private record Row(PlantedFault fault, List<Long> seeds, long runs, List<String> invariants, double seconds) {
        boolean isFound() {
            return seeds.size() >= SEEDS_NEEDED;
        }
    }

    @Override
    public Integer call() {
        if (threads < 1 || runs < 1) {
            throw new ParameterException(spec.commandLine(), "--threads and --runs are at least 1");
        }
        List<PlantedFault> asked = PlantedFault.all().stream()
                .filter(fault -> only.isEmpty() || fault.name().equalsIgnoreCase(only))
                .toList();
        if (asked.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no planted fault has the name \"" + only + "\": "
                            + PlantedFault.all().stream()
                                    .map(PlantedFault::name)
                                    .collect(Collectors.joining(", ")));
        }
        PrintWriter out = spec.commandLine().getOut();
        header(out);
        boolean allFound = true;
        for (PlantedFault fault : asked) {
            Row row = search(fault);
            allFound &= row.isFound();
            print(row, out);
        }
        return allFound ? SimMain.CLEAN : SimMain.SHOWED_TOO_LITTLE;
    }

    private Row search(PlantedFault fault) {
        SeedPool pool = new SeedPool(new SystemClock(), new SeedPool.Limits(threads, SEEDS_NEEDED, budget));
        RunReport report = pool.run(
                Seeds.from(firstSeed, runs),
                seed -> new SimRun(FaultMix.draw(seed, fault.mix()), Trace.OFF).run(),
                told -> {});
        List<SeedResult> found = report.violations();
        return new Row(
                fault,
                found.stream().map(SeedResult::seed).toList(),
                report.runs(),
                found.stream()
                        .flatMap(result -> result.result().violated().stream())
                        .distinct()
                        .toList(),
                report.elapsed().toMillis() / MS_PER_S);
    }

    private void header(PrintWriter out) {
        if (format == Format.markdown) {
            out.println("| planted fault | rule | switched off with | seeds | runs | caught by |");
            out.println("|---|---|---|---|---|---|");
        }
    }

    private void print(Row row, PrintWriter out) {
        String seeds = row.seeds().stream().map(String::valueOf).collect(Collectors.joining(", "));
        String shown = seeds.isEmpty() ? "none" : seeds;
        String invariants = String.join(", ", row.invariants());
        PlantedFault fault = row.fault();
        if (format == Format.markdown) {
            out.println(String.format(
                    Locale.ROOT,
                    "| %s | %s | `%s` | %s | %d | %s |",
                    fault.text(),
                    fault.rule(),
                    fault.waived(),
                    shown,
                    row.runs(),
                    invariants));
        } else {
            out.println(String.format(
                    Locale.ROOT,
                    "%-28s %-5s seeds: %s; %d runs, %.1f s; caught by: %s",
                    fault.name(),
                    row.isFound() ? "found" : "MISSED",
                    shown,
                    row.runs(),
                    row.seconds(),
                    invariants.isEmpty() ? "nothing" : invariants));
        }
        out.flush();
    }

    /** Reads {@code 30s}, {@code 5m}, {@code 1h}. */
    static final class TimeConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            if (!text.matches("[1-9][0-9]{0,5}[smh]")) {
                throw new TypeConversionException("expected a time such as 30s or 5m, not \"" + text + "\"");
            }
            return Duration.parse("PT" + text);
        }
    }
}
