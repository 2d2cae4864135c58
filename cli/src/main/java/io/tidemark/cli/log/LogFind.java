package io.tidemark.cli.log;

import com.google.gson.JsonObject;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.PointInTime;
import io.tidemark.cli.Progress;
import io.tidemark.cli.ProgressOption;
import io.tidemark.cli.ReportOption;
import io.tidemark.cli.Units;
import io.tidemark.core.log.offline.FoundRecord;
import io.tidemark.core.log.offline.LogFiles;
import io.tidemark.core.log.offline.OfflineTarget;
import io.tidemark.core.log.offline.Sought;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark log find}: needs no cluster, trusts no index. */
@Command(
        name = "find",
        description = {
            "Find the first record at an offset, at or after a time, or with a key, and where it lies;",
            "exit code 2 if there is none. Batches are read in order, without an index: a large log takes its time."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark log find /var/lib/tidemark/orders-0 --offset 4711",
            "  tidemark log find /var/lib/tidemark/orders-0 --time 2026-03-01T10:00",
            "  tidemark log find 00000000000000000000.log --key customer-7 -o json"
        })
final class LogFind implements Callable<Integer> {
    @Parameters(paramLabel = "PATH", description = "a partition's directory or a .log file")
    private Path path = Path.of(".");

    @Option(
            names = "--offset",
            paramLabel = "N",
            description = "the record at this offset, or the next; default: not asked for")
    private @Nullable Long offset;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            description =
                    "the first record not older than this, ISO-8601 (UTC unless it names a zone) or epoch milliseconds;"
                            + " default: not asked for")
    private @Nullable String time;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "the first record with this key, in UTF-8; default: not asked for")
    private @Nullable String key;

    @Mixin
    private ReportOption output = new ReportOption();

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Override
    public Integer call() throws IOException {
        Sought sought = sought();
        OfflinePath.require(
                path,
                EnumSet.of(OfflineTarget.Kind.LOG, OfflineTarget.Kind.PARTITION),
                "a partition's directory or a .log file");
        Output out = output.output();
        Heard heard = new Heard();
        Optional<FoundRecord> found = find(sought, heard, out);
        heard.findings()
                .forEach(damage -> out.note(damage.file() + " position " + damage.position() + ": " + damage.what()
                        + "; " + damage.next()));
        if (heard.notKept() > 0) {
            out.note(heard.notKept() + " more damages are not shown");
        }
        if (found.isEmpty()) {
            JsonObject json = new JsonObject();
            json.addProperty("found", false);
            out.sentence(json, "", "there is none");
            return ExitCode.ANSWER_IS_NO;
        }
        FoundRecord where = found.get();
        out.sentence(json(where), where.file().toString(), sentence(where));
        return ExitCode.OK;
    }

    private Optional<FoundRecord> find(Sought sought, Heard heard, Output out) throws IOException {
        try (Progress line =
                progress.start(progress.mode(out), () -> "read " + Units.bytes(heard.bytes()) + " of batches")) {
            Optional<FoundRecord> found = LogFiles.finder(heard).find(path, sought);
            line.end();
            return found;
        }
    }

    private Sought sought() {
        List<Sought> asked = new ArrayList<>();
        if (offset != null) {
            asked.add(new Sought.AtOffset(offset));
        }
        if (time != null) {
            asked.add(new Sought.AtTime(timestampMs(time)));
        }
        if (key != null) {
            asked.add(new Sought.OfKey(ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8))));
        }
        if (asked.size() != 1 || (offset != null && offset < 0)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "one of --offset (not negative), --time and --key is needed",
                    "tidemark log find --help");
        }
        return asked.get(0);
    }

    private static long timestampMs(String text) {
        try {
            return text.matches("\\d{1,18}") ? Long.parseLong(text) : PointInTime.parseIso(text);
        } catch (DateTimeException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--time is ISO-8601 or epoch milliseconds, not \"" + text + "\"",
                    "2026-03-01, 2026-03-01T10:00:00Z and 1772359200000 are times");
        }
    }

    private static JsonObject json(FoundRecord found) {
        JsonObject json = new JsonObject();
        json.addProperty("found", true);
        json.addProperty("file", found.file().toString());
        json.add("batch", LogText.json(found.batch()));
        json.add("record", found.record().map(LogText::json).orElse(null));
        return json;
    }

    private static String sentence(FoundRecord found) {
        return found.file() + "\n" + LogText.line(found.batch()) + "\n"
                + found.record()
                        .map(LogText::line)
                        .orElse("  no record to show: the batch is damaged, or it was compacted");
    }
}
