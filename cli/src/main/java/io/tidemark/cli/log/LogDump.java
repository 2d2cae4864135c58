package io.tidemark.cli.log;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.ReportOption;
import io.tidemark.core.log.offline.IndexEntry;
import io.tidemark.core.log.offline.LogFileReader;
import io.tidemark.core.log.offline.LogFiles;
import io.tidemark.core.log.offline.StoredBatch;
import io.tidemark.record.LogRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark log dump}: needs no cluster, reads a copied file as well. */
@Command(
        name = "dump",
        description = {
            "Print the batches of a .log file, or the entries of an .index file; exit code 2 if the file is damaged.",
            "Two replicas are equal where base, last, epoch and crc of each batch are."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark log dump /var/lib/tidemark/orders-0/00000000000000000000.log",
            "  tidemark log dump 00000000000000000000.log --records",
            "  tidemark log dump 00000000000000000000.index -o json"
        })
final class LogDump implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "a .log or .index file")
    private Path file = Path.of(".");

    @Option(names = "--records", description = "print the records of each batch too; default: batches only")
    private boolean records;

    @Mixin
    private ReportOption output = new ReportOption();

    @Override
    public Integer call() throws IOException {
        String name = String.valueOf(file.getFileName());
        Output out = output.output();
        if (name.endsWith(".log")) {
            return dumpLog(out);
        }
        if (name.endsWith(".index")) {
            return dumpIndex(out);
        }
        throw new CommandFailure(
                ExitCode.USAGE,
                "expected a .log or .index file, not " + file,
                "they are in the directories that log.dirs names, one directory per partition");
    }

    private int dumpLog(Output out) throws IOException {
        boolean damaged = false;
        try (LogFileReader reader = LogFiles.log(file)) {
            Optional<StoredBatch> next = reader.next();
            while (next.isPresent()) {
                StoredBatch batch = next.get();
                damaged |= !batch.isCrcValid();
                out.entry(() -> LogText.json(batch), () -> LogText.line(batch));
                if (records && batch.isCrcValid()) {
                    for (LogRecord record : reader.records(batch)) {
                        out.entry(() -> LogText.json(record), () -> LogText.line(record));
                    }
                }
                next = reader.next();
            }
            Optional<String> fault = reader.fault();
            fault.ifPresent(what -> out.note(file + ": " + what));
            damaged |= fault.isPresent();
        }
        return damaged ? ExitCode.ANSWER_IS_NO : ExitCode.OK;
    }

    private int dumpIndex(Output out) throws IOException {
        for (IndexEntry entry : LogFiles.index(file)) {
            out.entry(() -> LogText.json(entry), () -> "last " + entry.lastOffset() + " position " + entry.position());
        }
        return ExitCode.OK;
    }
}
