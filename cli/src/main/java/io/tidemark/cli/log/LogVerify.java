package io.tidemark.cli.log;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Listing;
import io.tidemark.cli.Output;
import io.tidemark.cli.Progress;
import io.tidemark.cli.ProgressOption;
import io.tidemark.cli.ReportOption;
import io.tidemark.cli.Units;
import io.tidemark.core.log.offline.Finding;
import io.tidemark.core.log.offline.LogFiles;
import io.tidemark.core.log.offline.LogVerifier;
import io.tidemark.core.log.offline.OfflineTarget;
import io.tidemark.core.log.offline.Verification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark log verify}: needs no cluster and no lock, and writes nothing. */
@Command(
        name = "verify",
        description = {
            "Check a log directory, a partition's directory, or one file of it; exit code 2 if anything is wrong.",
            "Checked are frame, CRC, offsets and epochs of each batch, indexes and epoch file against the batches,",
            "segments against each other, checkpoints against the logs. What the files cannot tell is said too.",
            "It writes nothing and takes no lock; of a running broker the end of a log may seem unfinished."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark log verify /var/lib/tidemark",
            "  tidemark log verify /var/lib/tidemark/orders-0 --deep",
            "  tidemark log verify 00000000000000000000.log -o json"
        })
final class LogVerify implements Callable<Integer> {
    private static final int PERCENT = 100;
    private static final Listing<Numbered> LISTING = Listing.<Numbered>of(
                    row -> json(row.finding()), row -> row.finding().file().toString())
            .number("NO", Numbered::number)
            .text("FILE", row -> row.finding().file().toString())
            .amount("POSITION", row -> text(row.finding().position()))
            .amount("OFFSET", row -> text(row.finding().offset()))
            .text("FINDING", row -> row.finding().what());

    private record Numbered(int number, Finding finding) {}

    @Parameters(paramLabel = "PATH", description = "a log directory, a partition's directory, or a file of one")
    private Path path = Path.of(".");

    @Option(names = "--deep", description = "decode every record too; default: batches with their CRC")
    private boolean deep;

    @Mixin
    private ReportOption output = new ReportOption();

    @Mixin
    private ProgressOption progress = new ProgressOption();

    private final Heard heard = new Heard();

    @Override
    public Integer call() throws IOException {
        OfflinePath.require(
                path,
                EnumSet.complementOf(EnumSet.of(OfflineTarget.Kind.OTHER)),
                "a log directory, a partition's directory or a file of one");
        Output out = output.output();
        LogVerifier verifier = LogFiles.verifier(deep ? LogVerifier.Depth.RECORDS : LogVerifier.Depth.BATCHES, heard);
        Verification result = verify(verifier, out);
        List<Numbered> shown = numbered();
        out.tree(json(result), List.of(), LISTING, shown);
        remark(result, shown, out);
        return result.findings() == 0 ? ExitCode.OK : ExitCode.ANSWER_IS_NO;
    }

    private Verification verify(LogVerifier verifier, Output out) throws IOException {
        long totalBytes = verifier.sizeBytes(path);
        try (Progress line = progress.start(progress.mode(out), () -> progressLine(heard.bytes(), totalBytes))) {
            Verification result = verifier.verify(path);
            line.end();
            return result;
        }
    }

    private static String progressLine(long doneBytes, long totalBytes) {
        long percent = totalBytes == 0 ? PERCENT : Math.min(PERCENT, PERCENT * doneBytes / totalBytes);
        return "verified " + Units.bytes(doneBytes) + " of " + Units.bytes(totalBytes) + ", " + percent + " %";
    }

    private List<Numbered> numbered() {
        List<Numbered> rows = new ArrayList<>();
        for (Finding finding : heard.findings()) {
            rows.add(new Numbered(rows.size() + 1, finding));
        }
        return rows;
    }

    private void remark(Verification result, List<Numbered> shown, Output out) {
        Map<String, List<String>> nexts = new LinkedHashMap<>();
        for (Numbered row : shown) {
            nexts.computeIfAbsent(row.finding().next(), next -> new ArrayList<>())
                    .add(Integer.toString(row.number()));
        }
        nexts.forEach((next, numbers) -> out.remark("next for " + String.join(", ", numbers) + ": " + next));
        if (heard.notKept() > 0) {
            out.remark(heard.notKept() + " more findings are not shown");
        }
        result.unknown().forEach(what -> out.remark("not known: " + what));
        out.remark(Units.count(result.files()) + " files, " + Units.count(result.batches()) + " batches"
                + (deep ? ", " + Units.count(result.records()) + " records" : "") + ", " + Units.bytes(result.bytes())
                + ": " + (result.findings() == 0 ? "clean" : Units.count(result.findings()) + " findings"));
    }

    private JsonObject json(Verification result) {
        JsonObject json = new JsonObject();
        json.addProperty("path", path.toString());
        json.addProperty("clean", result.findings() == 0);
        json.addProperty("files", result.files());
        json.addProperty("batches", result.batches());
        json.addProperty("records", deep ? result.records() : null);
        json.addProperty("bytes", result.bytes());
        json.addProperty("findingCount", result.findings());
        JsonArray findings = new JsonArray();
        heard.findings().forEach(finding -> findings.add(json(finding)));
        json.add("findings", findings);
        JsonArray unknown = new JsonArray();
        result.unknown().forEach(unknown::add);
        json.add("unknown", unknown);
        return json;
    }

    private static JsonObject json(Finding finding) {
        JsonObject json = new JsonObject();
        json.addProperty("file", finding.file().toString());
        json.addProperty("position", finding.position() == Finding.UNKNOWN ? null : finding.position());
        json.addProperty("offset", finding.offset() == Finding.UNKNOWN ? null : finding.offset());
        json.addProperty("what", finding.what());
        json.addProperty("next", finding.next());
        return json;
    }

    private static String text(long number) {
        return number == Finding.UNKNOWN ? "-" : Long.toString(number);
    }
}
