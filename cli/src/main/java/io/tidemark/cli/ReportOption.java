package io.tidemark.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code -o} of commands that report what they did: there is nothing to name. */
public final class ReportOption {
    /** The names that {@code -o} takes. */
    public enum Choice {
        table(Output.Format.table),
        json(Output.Format.json),
        jsonl(Output.Format.jsonl);

        private final Output.Format format;

        Choice(Output.Format format) {
            this.format = format;
        }
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table for people; json or jsonl (the same, one line) for programs; default ${DEFAULT-VALUE}")
    private Choice choice = Choice.table;

    @Option(names = "--no-headers", description = "tables without their first line; default: with it")
    private boolean headless;

    /** Where and how the command prints. */
    public Output output() {
        return new Output(
                choice.format,
                headless ? Output.Headers.HIDDEN : Output.Headers.SHOWN,
                command.commandLine().getOut(),
                command.commandLine().getErr());
    }
}
