package io.tidemark.cli.log;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code tidemark log dump}. */
@Command(name = "dump", description = "Print the batches of a log file.")
final class LogDump implements Callable<Integer> {
    @Override
    public Integer call() {
        return 1;
    }
}
