package io.tidemark.cli.log;

import picocli.CommandLine.Command;

/** {@code tidemark log}. */
@Command(
        name = "log",
        description = "Look into log files, without a cluster.",
        subcommands = {LogDump.class})
public final class LogCommand {}
