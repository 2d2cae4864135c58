package io.tidemark.sim.cli;

import com.google.gson.JsonObject;
import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.PlanText;
import io.tidemark.sim.plan.SimPlan;
import io.tidemark.sim.run.RunResult;
import io.tidemark.sim.run.SimRun;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark-sim replay}. */
@Command(
        name = "replay",
        description = {
            "Run one plan again, and show all that happens.",
            "",
            "The same plan gives the same lines, byte for byte. Times are simulated time."
        })
final class ReplayCommand implements Callable<Integer> {
    private static final long NS_PER_MS = 1_000_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PlanSource source = new PlanSource();

    @Mixin
    private MixOptions options = new MixOptions();

    @Option(names = "--from", paramLabel = "MS", description = "leave out what happened before; default: 0")
    private long fromMs;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, or json: one object a line; default: text")
    private RunCommand.Format format = RunCommand.Format.text;

    @Override
    public Integer call() {
        SimPlan plan = source.plan(options.mix());
        PrintWriter out = spec.commandLine().getOut();
        if (format == RunCommand.Format.text) {
            PlanText.write(plan).lines().forEach(line -> out.println("# " + line));
        }
        RunResult result = new SimRun(plan, new Printer(out)).run();
        out.println(format == RunCommand.Format.json ? json(result).toString() : text(result));
        out.flush();
        return result.violated().isEmpty() ? SimMain.CLEAN : SimMain.VIOLATED;
    }

    private static String text(RunResult result) {
        if (result instanceof RunResult.Violated violated) {
            return "VIOLATED " + violated.text();
        }
        RunResult.Clean clean = (RunResult.Clean) result;
        return "clean after " + clean.counts().events() + " events, digest " + hex(clean.digest());
    }

    private static JsonObject json(RunResult result) {
        JsonObject json = new JsonObject();
        json.addProperty("events", result.counts().events());
        if (result instanceof RunResult.Violated violated) {
            json.addProperty("invariant", violated.invariant());
            json.addProperty("message", violated.message());
        } else {
            json.addProperty("digest", hex(((RunResult.Clean) result).digest()));
        }
        return json;
    }

    private static String hex(long digest) {
        return String.format(Locale.ROOT, "%016x", digest);
    }

    /** Prints each line as it is noted, and keeps none: a run may have millions. */
    private final class Printer implements Trace {
        private final PrintWriter out;

        Printer(PrintWriter out) {
            this.out = out;
        }

        @Override
        public void note(long timeNs, String text) {
            if (timeNs < fromMs * NS_PER_MS) {
                return;
            }
            if (format == RunCommand.Format.json) {
                JsonObject line = new JsonObject();
                line.addProperty("timeNs", timeNs);
                line.addProperty("text", text);
                out.println(line);
            } else {
                long micros = timeNs / 1_000;
                out.println(String.format(Locale.ROOT, "%5d.%03d ms  %s", micros / 1_000, micros % 1_000, text));
            }
        }

        @Override
        public List<String> lines() {
            return List.of();
        }
    }
}
