package io.tidemark.cli.log;

import com.google.gson.JsonObject;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Listing;
import io.tidemark.cli.Output;
import io.tidemark.cli.ReportOption;
import io.tidemark.core.log.offline.EpochReport;
import io.tidemark.core.log.offline.LogFiles;
import io.tidemark.core.log.offline.OfflineTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark log epochs}. */
@Command(
        name = "epochs",
        description = {
            "Print the leader epochs of a partition: where the epoch file says that each starts, and its first batch.",
            "An epoch without a batch is one whose leader wrote nothing, or whose batches are gone."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark log epochs /var/lib/tidemark/orders-0",
            "  tidemark log epochs leader-epoch-checkpoint -o json",
            "  tidemark log epochs 00000000000000000000.log"
        })
final class LogEpochs implements Callable<Integer> {
    private static final Listing<EpochReport.Row> LISTING = Listing.<EpochReport.Row>of(
                    LogEpochs::json, row -> Integer.toString(row.epoch()))
            .number("EPOCH", EpochReport.Row::epoch)
            .amount("START", row -> text(row.startOffset()))
            .amount("FIRST BATCH", row -> text(row.firstBatchOffset()));

    @Parameters(
            paramLabel = "PATH",
            description = "a partition's directory, its leader-epoch-checkpoint, or a .log file")
    private Path path = Path.of(".");

    @Mixin
    private ReportOption output = new ReportOption();

    @Override
    public Integer call() throws IOException {
        OfflinePath.require(
                path,
                EnumSet.of(OfflineTarget.Kind.PARTITION, OfflineTarget.Kind.EPOCHS, OfflineTarget.Kind.LOG),
                "a partition's directory, its leader-epoch-checkpoint or a .log file");
        boolean isFileWanted = LogFiles.kindOf(path) != OfflineTarget.Kind.LOG;
        EpochReport report = LogFiles.epochs(path);
        Output out = output.output();
        out.list(LISTING, report.rows());
        if (isFileWanted && !report.hasFile()) {
            out.note("the leader-epoch-checkpoint is missing or damaged: START is not known; a start rebuilds it");
            return ExitCode.ANSWER_IS_NO;
        }
        if (!report.hasBatches()) {
            out.remark("not known: whether the batches agree; name the partition's directory for that");
        }
        return ExitCode.OK;
    }

    private static JsonObject json(EpochReport.Row row) {
        JsonObject json = new JsonObject();
        json.addProperty("epoch", row.epoch());
        add(json, "startOffset", row.startOffset());
        add(json, "firstBatchOffset", row.firstBatchOffset());
        return json;
    }

    private static void add(JsonObject json, String name, OptionalLong value) {
        json.addProperty(name, value.isPresent() ? value.getAsLong() : null);
    }

    private static String text(OptionalLong offset) {
        return offset.isPresent() ? Long.toString(offset.getAsLong()) : "-";
    }
}
