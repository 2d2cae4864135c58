package io.tidemark.sim.cli;

import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.PlanText;
import io.tidemark.sim.plan.SimPlan;
import io.tidemark.sim.run.RunResult;
import io.tidemark.sim.run.Shrinker;
import io.tidemark.sim.run.SimRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark-sim shrink}. */
@Command(
        name = "shrink",
        description = {
            "Find a smaller plan that goes wrong in the same way.",
            "",
            "The plan is text, which keeps its meaning when seeds come to mean something else."
        })
final class ShrinkCommand implements Callable<Integer> {
    private static final int MOST_PROBES = 2_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PlanSource source = new PlanSource();

    @Mixin
    private MixOptions options = new MixOptions();

    @Option(names = "-f", paramLabel = "FILE", description = "where to write the plan; default: standard output")
    private @Nullable Path file;

    @Override
    public Integer call() {
        SimPlan plan = source.plan(options.mix());
        PrintWriter err = spec.commandLine().getErr();
        Optional<String> violated = run(plan).violated();
        if (violated.isEmpty()) {
            err.println("nothing is violated: there is nothing to shrink");
            err.flush();
            return SimMain.CLEAN;
        }
        SimPlan small = Shrinker.shrink(plan, other -> run(other).violated().equals(violated), MOST_PROBES);
        RunResult.Violated shown = Violations.traced(small);
        write("# violates " + shown.text() + "\n" + PlanText.write(small));
        err.println(String.format(
                Locale.ROOT,
                "%s: %d faults of %d are left, %d clients of %d, %d ms of %d",
                shown.invariant(),
                small.faults().size(),
                plan.faults().size(),
                small.clients().size(),
                plan.clients().size(),
                small.lengthMs(),
                plan.lengthMs()));
        err.flush();
        return SimMain.VIOLATED;
    }

    private static RunResult run(SimPlan plan) {
        return new SimRun(plan, Trace.OFF).run();
    }

    private void write(String text) {
        Path target = file;
        if (target == null) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(text);
            out.flush();
            return;
        }
        try {
            Files.writeString(target, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
