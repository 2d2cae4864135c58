package io.tidemark.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code -o} of commands that show things which have names. */
public final class OutputOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description =
                    "table for people; json (one line for all), jsonl (one line each) or name for programs; default"
                            + " ${DEFAULT-VALUE}")
    private Output.Format format = Output.Format.table;

    @Option(names = "--no-headers", description = "tables without their first line; default: with it")
    private boolean headless;

    /** Where and how the command prints. */
    public Output output() {
        return new Output(
                format,
                headless ? Output.Headers.HIDDEN : Output.Headers.SHOWN,
                command.commandLine().getOut(),
                command.commandLine().getErr());
    }
}
