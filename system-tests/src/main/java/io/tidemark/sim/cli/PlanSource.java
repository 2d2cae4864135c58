package io.tidemark.sim.cli;

import io.tidemark.sim.plan.FaultMix;
import io.tidemark.sim.plan.Mix;
import io.tidemark.sim.plan.PlanText;
import io.tidemark.sim.plan.SimPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which plan a command is about: that of a seed, or the one in a file. */
final class PlanSource {
    private static final String NUMBER = "-?[0-9]{1,18}";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(paramLabel = "SEED|FILE", description = "a seed, or a file with a plan")
    private String source = "";

    /** The plan; ends the command with a word about what is wrong if there is none. */
    SimPlan plan(Mix mix) {
        return source.matches(NUMBER) ? FaultMix.draw(Long.parseLong(source), mix) : planOf(source);
    }

    private SimPlan planOf(String file) {
        PlanText.Parsed parsed = PlanText.parse(textOf(file));
        if (parsed instanceof PlanText.Parsed.Plan found) {
            return found.plan();
        }
        PlanText.Parsed.Bad wrong = (PlanText.Parsed.Bad) parsed;
        throw bad(file + ", line " + wrong.line() + ": " + wrong.problem());
    }

    private String textOf(String file) {
        try {
            return Files.readString(Path.of(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw bad("cannot read " + file + ": " + e);
        }
    }

    private ParameterException bad(String reason) {
        return new ParameterException(command.commandLine(), reason);
    }
}
