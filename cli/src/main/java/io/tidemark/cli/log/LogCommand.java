package io.tidemark.cli.log;

import picocli.CommandLine.Command;

/** {@code tidemark log}. */
@Command(
        name = "log",
        description = "Look into log files, without a cluster.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark log dump /var/lib/tidemark/orders-0/00000000000000000000.log",
            "  tidemark log dump 00000000000000000000.index"
        },
        subcommands = {LogDump.class})
public final class LogCommand {}
