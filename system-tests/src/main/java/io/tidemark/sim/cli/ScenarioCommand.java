package io.tidemark.sim.cli;

import io.tidemark.sim.Trace;
import io.tidemark.sim.script.ScenarioFiles;
import io.tidemark.sim.script.ScriptResult;
import io.tidemark.sim.script.ScriptRunner;
import io.tidemark.sim.script.SimScript;
import io.tidemark.sim.script.Waiver;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark-sim scenario}. */
@Command(
        name = "scenario",
        description = {
            "Play a scenario: one order of events in which a safety rule matters.",
            "",
            "One is shown with all that happens. All are played twice, under all rules and without the rule that each is about,",
            "and told in a line; it ends with 1 if one is not safe, or does not lose what it says it does."
        })
final class ScenarioCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "the scenario, such as I7")
    private @Nullable String name;

    @Option(names = "--all", description = "all scenarios")
    private boolean all;

    @Option(
            names = "--without",
            paramLabel = "RULE",
            description = "brokers do not keep this rule (a safety rule, or replica.truncation); may be repeated")
    private List<String> waived = List.of();

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "where the scenarios are; default: those of this repository",
            defaultValue = "${sys:tidemark.sim.scenarios:-system-tests/src/test/resources/scenarios}")
    private Path directory = Path.of(".");

    @Override
    public Integer call() {
        String only = name;
        if ((only == null) != all) {
            throw bad("takes a NAME, or --all");
        }
        if (all && !waived.isEmpty()) {
            throw bad("--all waives the rule of each scenario: --without needs a NAME");
        }
        Waiver waiver = Waiver.of(waived).orElseThrow(() -> bad("--without knows no such rule: " + waived));
        return only == null ? playAll() : play(read(only), waiver);
    }

    private int play(SimScript script, Waiver waiver) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("# " + script.title());
        ScriptResult result = new ScriptRunner(script, waiver, Trace.streaming(out::println, 0)).run();
        out.println(result.text());
        out.flush();
        if (result instanceof ScriptResult.Safe) {
            return SimMain.CLEAN;
        }
        return result instanceof ScriptResult.Violated ? SimMain.VIOLATED : SimMain.SHOWED_TOO_LITTLE;
    }

    private int playAll() {
        PrintWriter out = spec.commandLine().getOut();
        boolean asClaimed = true;
        for (String each : names()) {
            SimScript script = read(each);
            SimScript.Claim claim = script.claim();
            ScriptResult safe = new ScriptRunner(script, Waiver.NOTHING, Trace.OFF).run();
            ScriptResult without = new ScriptRunner(script, claim.waiver(), Trace.OFF).run();
            boolean lost = without instanceof ScriptResult.Violated violated
                    && violated.invariant().equals(claim.invariant());
            asClaimed &= safe instanceof ScriptResult.Safe && lost;
            out.println(each + ": " + safe.text() + "; without "
                    + String.join(", ", claim.waiver().names()) + ": " + without.text());
        }
        out.flush();
        return asClaimed ? SimMain.CLEAN : SimMain.VIOLATED;
    }

    private List<String> names() {
        try {
            return new ScenarioFiles(directory).names();
        } catch (UncheckedIOException e) {
            throw bad("no scenarios: " + e.getMessage());
        }
    }

    private SimScript read(String scenario) {
        try {
            SimScript.Parsed parsed = new ScenarioFiles(directory).read(scenario);
            if (parsed instanceof SimScript.Parsed.Script found) {
                return found.script();
            }
            SimScript.Parsed.Bad wrong = (SimScript.Parsed.Bad) parsed;
            throw bad(scenario + ", line " + wrong.line() + ": " + wrong.problem());
        } catch (UncheckedIOException e) {
            throw bad("cannot read " + scenario + ": " + e.getMessage());
        }
    }

    private ParameterException bad(String reason) {
        return new ParameterException(spec.commandLine(), reason);
    }
}
