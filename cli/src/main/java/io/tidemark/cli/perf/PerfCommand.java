package io.tidemark.cli.perf;

import picocli.CommandLine.Command;

/** {@code tidemark perf}. */
@Command(
        name = "perf",
        description = "Measure producers and consumers.",
        subcommands = {PerfProduce.class, PerfConsume.class})
public final class PerfCommand {}
