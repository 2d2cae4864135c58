package io.tidemark.cli.perf;

import picocli.CommandLine.Command;

/** {@code tidemark perf}. */
@Command(
        name = "perf",
        description = "Measure producers and consumers.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark perf produce load --records 1000000 --record-size 100",
            "  tidemark perf consume load --records 1000000"
        },
        subcommands = {PerfProduce.class, PerfConsume.class})
public final class PerfCommand {}
