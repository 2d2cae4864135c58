package io.tidemark.sim.cli;

import io.tidemark.runtime.SystemClock;
import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.FaultMix;
import io.tidemark.sim.plan.Mix;
import io.tidemark.sim.run.RunReport;
import io.tidemark.sim.run.RunResult;
import io.tidemark.sim.run.SeedPool;
import io.tidemark.sim.run.SeedResult;
import io.tidemark.sim.run.Seeds;
import io.tidemark.sim.run.SimRun;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark-sim run}. */
@Command(
        name = "run",
        description = {
            "Run seeds, and look for violations.",
            "",
            "Without options that change the mix it fails, too, if the runs show too little on average."
        })
final class RunCommand implements Callable<Integer> {
    private static final int RUNS_BETWEEN_NOTES = 10_000;

    /** How a report is written. */
    enum Format {
        text,
        json
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--seeds", paramLabel = "A..B", required = true, description = "the seeds, both included")
    private String seeds = "";

    @Mixin
    private MixOptions options = new MixOptions();

    @Option(names = "--threads", paramLabel = "N", description = "threads that run seeds; default: 2")
    private int threads = 2;

    @Option(names = "--stop-after", paramLabel = "K", description = "violations after which it ends; default: 1")
    private int stopAfter = 1;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json; default: text")
    private Format format = Format.text;

    @Override
    public Integer call() {
        if (threads < 1 || stopAfter < 1) {
            throw new ParameterException(spec.commandLine(), "--threads and --stop-after are at least 1");
        }
        Seeds range = Seeds.parse(seeds)
                .orElseThrow(() -> new ParameterException(spec.commandLine(), "--seeds takes A..B, such as 1..1000"));
        Mix mix = options.mix();
        SeedPool pool = new SeedPool(new SystemClock(), new SeedPool.Limits(threads, stopAfter));
        RunReport report = pool.run(
                range, seed -> new SimRun(FaultMix.draw(seed, mix), Trace.OFF).run(), new Reporter(mix)::onResult);
        List<String> missed = options.isOrdinary() ? report.missed(RunReport.Floors.ORDINARY) : List.of();
        print(report, missed);
        if (!report.violations().isEmpty()) {
            return SimMain.VIOLATED;
        }
        return missed.isEmpty() ? SimMain.CLEAN : SimMain.SHOWED_TOO_LITTLE;
    }

    private void print(RunReport report, List<String> missed) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.json) {
            out.println(ReportText.json(report, missed));
        } else {
            ReportText.text(report, missed).forEach(out::println);
        }
        out.flush();
    }

    /** Tells a person what is found, and how far it is. */
    private final class Reporter {
        private final Mix mix;
        private final PrintWriter err = spec.commandLine().getErr();
        private long runs;

        Reporter(Mix mix) {
            this.mix = mix;
        }

        void onResult(SeedResult told) {
            runs++;
            if (told.result() instanceof RunResult.Violated) {
                String words = options.words();
                String source = told.seed() + (words.isEmpty() ? "" : " " + words);
                Violations.report(Violations.traced(FaultMix.draw(told.seed(), mix)), source)
                        .forEach(err::println);
            }
            if (runs % RUNS_BETWEEN_NOTES == 0) {
                err.println(runs + " runs, up to seed " + told.seed());
            }
            err.flush();
        }
    }
}
