package io.tidemark.cli.log;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Listing;
import io.tidemark.cli.Output;
import io.tidemark.cli.ReportOption;
import io.tidemark.core.checkpoint.BrokerEpochStamp;
import io.tidemark.core.checkpoint.MetaProperties;
import io.tidemark.core.checkpoint.OffsetCheckpointFile.Kind;
import io.tidemark.core.checkpoint.StoredValue;
import io.tidemark.core.log.offline.LogDirectoryReport;
import io.tidemark.core.log.offline.LogFiles;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark log checkpoints}. */
@Command(
        name = "checkpoints",
        description = {
            "Print the small files of a log directory: the four offset checkpoints, whose directory it is,",
            "under which registration it was last used, and whether it was cleanly stopped; exit code 2 if one is",
            "damaged. Nothing is moved or repaired."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  tidemark log checkpoints /var/lib/tidemark", "  tidemark log checkpoints /var/lib/tidemark -o json"
        })
final class LogCheckpoints implements Callable<Integer> {
    private static final Listing<Row> LISTING = Listing.<Row>of(
                    LogCheckpoints::json, row -> row.partition().toString())
            .text("PARTITION", row -> row.partition().toString())
            .amount("HIGH WATERMARK", row -> text(row, Kind.HIGH_WATERMARK))
            .amount("RECOVERY POINT", row -> text(row, Kind.RECOVERY_POINT))
            .amount("LOG START", row -> text(row, Kind.LOG_START))
            .amount("CLEANED TO", row -> text(row, Kind.CLEANER));

    private record Row(TopicPartition partition, Map<Kind, Long> offsets) {}

    @Parameters(paramLabel = "LOGDIR", description = "a log directory, one of those that log.dirs names")
    private Path directory = Path.of(".");

    @Mixin
    private ReportOption output = new ReportOption();

    @Override
    public Integer call() throws IOException {
        LogDirectoryReport report = LogFiles.directory(directory);
        List<StoredValue<?>> files = new ArrayList<>(report.checkpoints().values());
        files.add(report.meta());
        files.add(report.brokerEpoch());
        if (!report.isCleanlyStopped() && files.stream().allMatch(file -> file instanceof StoredValue.Absent<?>)) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "no file of a log directory is in " + directory,
                    "name a directory that log.dirs names, not one of a partition");
        }
        Output out = output.output();
        List<Row> rows = rows(report);
        out.tree(json(report, rows), head(report), LISTING, rows);
        boolean damaged = false;
        for (StoredValue<?> file : files) {
            if (file instanceof StoredValue.Damaged<?> what) {
                out.note(what.file() + " is damaged: " + what.reason());
                damaged = true;
            }
        }
        return damaged ? ExitCode.ANSWER_IS_NO : ExitCode.OK;
    }

    private static List<Row> rows(LogDirectoryReport report) {
        SortedMap<TopicPartition, Map<Kind, Long>> rows = new TreeMap<>();
        report.checkpoints()
                .forEach((kind, stored) -> stored.value()
                        .ifPresent(offsets -> offsets.forEach((partition, offset) -> rows.computeIfAbsent(
                                        partition, unused -> new EnumMap<>(Kind.class))
                                .put(kind, offset))));
        return rows.entrySet().stream()
                .map(entry -> new Row(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static List<String> head(LogDirectoryReport report) {
        String owner = report.meta()
                .value()
                .map(meta -> "cluster " + meta.clusterId() + ", broker " + meta.brokerId() + ", directory "
                        + meta.directoryId())
                .orElse("not known whose directory it is: meta.properties is missing or damaged");
        String stamp = report.brokerEpoch()
                .value()
                .map(epoch -> "last registered with broker epoch " + epoch.brokerEpoch() + ", kernel boot "
                        + epoch.bootId().orElse("not known"))
                .orElse("last registration not known: broker-epoch is missing (never registered, or the disk failed) or"
                        + " damaged");
        String stop = report.isCleanlyStopped()
                ? "cleanly stopped"
                : "no clean-shutdown marker: a broker runs on it, or was not stopped cleanly";
        return List.of(owner, stamp, stop, "");
    }

    private static JsonObject json(LogDirectoryReport report, List<Row> rows) {
        JsonObject json = new JsonObject();
        MetaProperties meta = report.meta().value().orElse(null);
        json.addProperty("clusterId", meta == null ? null : meta.clusterId());
        json.addProperty("brokerId", meta == null ? null : meta.brokerId());
        json.addProperty("directoryId", meta == null ? null : meta.directoryId());
        BrokerEpochStamp stamp = report.brokerEpoch().value().orElse(null);
        json.addProperty("brokerEpoch", stamp == null ? null : stamp.brokerEpoch());
        json.addProperty("bootId", stamp == null ? null : stamp.bootId().orElse(null));
        json.addProperty("cleanShutdown", report.isCleanlyStopped());
        JsonObject files = new JsonObject();
        report.checkpoints().forEach((kind, stored) -> files.addProperty(kind.fileName(), state(stored)));
        files.addProperty("meta.properties", state(report.meta()));
        files.addProperty("broker-epoch", state(report.brokerEpoch()));
        json.add("files", files);
        JsonArray partitions = new JsonArray();
        rows.forEach(row -> partitions.add(json(row)));
        json.add("partitions", partitions);
        return json;
    }

    private static String state(StoredValue<?> stored) {
        if (stored instanceof StoredValue.Damaged<?>) {
            return "damaged";
        }
        return stored instanceof StoredValue.Absent<?> ? "absent" : "present";
    }

    private static JsonObject json(Row row) {
        JsonObject json = new JsonObject();
        json.addProperty("topic", row.partition().topic());
        json.addProperty("partition", row.partition().partition());
        json.addProperty("highWatermark", row.offsets().get(Kind.HIGH_WATERMARK));
        json.addProperty("recoveryPoint", row.offsets().get(Kind.RECOVERY_POINT));
        json.addProperty("logStart", row.offsets().get(Kind.LOG_START));
        json.addProperty("cleanedTo", row.offsets().get(Kind.CLEANER));
        return json;
    }

    private static String text(Row row, Kind kind) {
        @Nullable Long offset = row.offsets().get(kind);
        return offset == null ? "-" : offset.toString();
    }
}
