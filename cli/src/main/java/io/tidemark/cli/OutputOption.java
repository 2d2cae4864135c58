package io.tidemark.cli;

import picocli.CommandLine.Option;

/** {@code -o table|json}. */
public final class OutputOption {
    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "table for people, json for programs (one line); default ${DEFAULT-VALUE}")
    private Output.Format format = Output.Format.table;

    public Output output() {
        return new Output(format, System.out, System.err);
    }
}
