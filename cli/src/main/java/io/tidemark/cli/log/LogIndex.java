package io.tidemark.cli.log;

import com.google.gson.JsonObject;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Listing;
import io.tidemark.cli.Output;
import io.tidemark.cli.ReportOption;
import io.tidemark.core.log.offline.IndexEntry;
import io.tidemark.core.log.offline.LogFiles;
import io.tidemark.core.log.offline.OfflineTarget;
import io.tidemark.core.log.offline.TimeIndexEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark log index}. */
@Command(
        name = "index",
        description = {
            "Print the entries of an .index or .timeindex file.",
            "Whether they point to the batches that they claim is checked by tidemark log verify."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark log index /var/lib/tidemark/orders-0/00000000000000000000.index",
            "  tidemark log index 00000000000000000000.timeindex -o json"
        })
final class LogIndex implements Callable<Integer> {
    private static final Listing<IndexEntry> OFFSETS = Listing.<IndexEntry>of(
                    LogText::json, entry -> Long.toString(entry.lastOffset()))
            .number("LAST OFFSET", IndexEntry::lastOffset)
            .number("POSITION", IndexEntry::position);
    private static final Listing<TimeIndexEntry> TIMES = Listing.<TimeIndexEntry>of(
                    LogIndex::json, entry -> Long.toString(entry.lastOffset()))
            .number("TIMESTAMP", TimeIndexEntry::timestampMs)
            .text("TIME", entry -> Instant.ofEpochMilli(entry.timestampMs()).toString())
            .number("LAST OFFSET", TimeIndexEntry::lastOffset);

    @Parameters(paramLabel = "FILE", description = "an .index or .timeindex file")
    private Path file = Path.of(".");

    @Mixin
    private ReportOption output = new ReportOption();

    @Override
    public Integer call() throws IOException {
        OfflinePath.require(
                file,
                EnumSet.of(OfflineTarget.Kind.INDEX, OfflineTarget.Kind.TIME_INDEX),
                "an .index or .timeindex file");
        if (OfflineTarget.baseOf(file).isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "the entries are relative to the base in the file's name, and " + file + " has none",
                    "name the copy as the original: 20 digits and the suffix");
        }
        Output out = output.output();
        if (LogFiles.kindOf(file) == OfflineTarget.Kind.INDEX) {
            out.list(OFFSETS, LogFiles.index(file));
        } else {
            out.list(TIMES, LogFiles.timeIndex(file));
        }
        return ExitCode.OK;
    }

    private static JsonObject json(TimeIndexEntry entry) {
        JsonObject json = new JsonObject();
        json.addProperty("timestampMs", entry.timestampMs());
        json.addProperty("lastOffset", entry.lastOffset());
        return json;
    }
}
