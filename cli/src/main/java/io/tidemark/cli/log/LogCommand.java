package io.tidemark.cli.log;

import picocli.CommandLine.Command;

/** {@code tidemark log}. */
@Command(
        name = "log",
        description = "Look into log files, without a cluster.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark log dump /var/lib/tidemark/orders-0/00000000000000000000.log",
            "  tidemark log verify /var/lib/tidemark --deep",
            "  tidemark log find /var/lib/tidemark/orders-0 --offset 4711"
        },
        subcommands = {
            LogDump.class,
            LogVerify.class,
            LogFind.class,
            LogIndex.class,
            LogEpochs.class,
            LogCheckpoints.class
        })
public final class LogCommand {}
