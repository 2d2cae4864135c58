package io.tidemark.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.cli.Tidemark;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The offline commands on the files of a broker that was stopped. */
final class OfflineCommandsTest {
    private static final long TIME_MS = 1_772_359_200_000L;

    @TempDir
    private Path data;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path partition;
    private Path log;

    @BeforeEach
    void writeLog() {
        partition = data.resolve("orders-0");
        log = partition.resolve("00000000000000000000.log");
        LogConfig config = LogConfig.DEFAULTS.withIndex(0, 1 << 20);
        LogDirectories directories = LogDirectories.load(
                new DiskFiles(),
                new ManualScheduler(new ManualClock()),
                LogDirectories.Settings.of(List.of(data), config),
                Runnable::run,
                LoadProgress.SILENT);
        Log written = directories.open(new TopicPartition("orders", 0), new TopicId(1, 2), config);
        written.becomeLeader(3);
        for (int i = 0; i < 3; i++) {
            written.appendAsLeader(batch("k" + i, TIME_MS + i), 3);
        }
        directories.closeCleanly();
    }

    private static ByteBuffer batch(String key, long timestampMs) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1_000, 1_000);
        ByteBuffer value = ByteBuffer.wrap("value".getBytes(StandardCharsets.UTF_8));
        builder.tryAppend(timestampMs, ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8)), value, List.of());
        return builder.build(ProducerStamp.NONE);
    }

    private int run(Object... arguments) {
        CommandLine line = Tidemark.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        String[] words = new String[arguments.length + 1];
        words[0] = "log";
        for (int i = 0; i < arguments.length; i++) {
            words[i + 1] = arguments[i].toString();
        }
        return line.execute(words);
    }

    private JsonObject json() {
        return JsonParser.parseString(out.toString()).getAsJsonObject();
    }

    private void flip(Path file, int position) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[position] = (byte) ~bytes[position];
        Files.write(file, bytes);
    }

    @Test
    void shouldSayThatASoundDirectoryIsClean() {
        // when
        int code = run("verify", data, "--deep");

        // then
        assertThat(code).isZero();
        assertThat(out.toString()).contains("3 batches, 3 records").endsWith(": clean\n");
    }

    @Test
    void shouldShowFindingsToPeopleWithWhatToDo() throws IOException {
        // given
        flip(log, 70);

        // when
        int code = run("verify", partition);

        // then
        assertThat(code).isEqualTo(2);
        assertThat(out.toString())
                .startsWith("NO  FILE")
                .contains("POSITION  OFFSET  FINDING")
                .contains("do not match its CRC")
                .contains("next for 1: verify the same partition on another replica")
                .endsWith(": 1 findings\n");
    }

    @Test
    void shouldGiveFindingsToPrograms() throws IOException {
        // given
        Files.write(log, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);

        // when
        int code = run("verify", log, "-o", "json");

        // then
        assertThat(code).isEqualTo(2);
        assertThat(json().get("clean").getAsBoolean()).isFalse();
        JsonObject finding = json().getAsJsonArray("findings").get(0).getAsJsonObject();
        assertThat(finding.get("file").getAsString()).isEqualTo(log.toString());
        assertThat(finding.get("position").getAsLong()).isEqualTo(Files.size(log) - 3);
        assertThat(finding.get("offset").getAsLong()).isEqualTo(3);
        assertThat(finding.get("next").getAsString()).isNotBlank();
        assertThat(json().getAsJsonArray("unknown")).isNotEmpty();
    }

    @Test
    void shouldWriteNothing() throws IOException {
        // given
        flip(log, 70);
        Files.write(data.resolve("recovery-point-offset-checkpoint"), new byte[] {1});
        List<String> before = listing();

        // when
        run("verify", data, "--deep");
        run("find", partition, "--key", "k1");
        run("epochs", partition);
        run("checkpoints", data);

        // then
        assertThat(listing()).isEqualTo(before);
    }

    private List<String> listing() throws IOException {
        try (var paths = Files.walk(data)) {
            return paths.map(path -> path + " " + path.toFile().length() + " "
                            + path.toFile().lastModified())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void shouldFindByOffsetTimeAndKey() {
        // when / then
        assertThat(run("find", log, "--offset", 1, "-o", "json")).isZero();
        assertThat(json().getAsJsonObject("record").get("key").getAsString()).isEqualTo("k1");
        assertThat(json().getAsJsonObject("batch").get("position").getAsLong()).isPositive();
        out.getBuffer().setLength(0);
        assertThat(run("find", partition, "--time", TIME_MS + 2)).isZero();
        assertThat(out.toString()).startsWith(log + "\nbase 2 last 2 epoch 3").contains("offset 2 key k2");
        out.getBuffer().setLength(0);
        assertThat(run("find", partition, "--time", "2026-03-01T10:00", "-o", "json"))
                .isZero();
        assertThat(json().getAsJsonObject("record").get("offset").getAsLong()).isZero();
        out.getBuffer().setLength(0);
        assertThat(run("find", partition, "--key", "k2", "-o", "json")).isZero();
        assertThat(json().getAsJsonObject("batch").get("base").getAsLong()).isEqualTo(2);
    }

    @Test
    void shouldAnswerNoWhenNothingFits() {
        assertThat(run("find", partition, "--key", "nobody")).isEqualTo(2);
        assertThat(out).hasToString("there is none\n");
    }

    @Test
    void shouldPrintIndexes() throws IOException {
        // given
        Path times = partition.resolve("00000000000000000000.timeindex");
        Files.write(times, ByteBuffer.allocate(12).putLong(TIME_MS).putInt(1).array());

        // when / then
        assertThat(run("index", partition.resolve("00000000000000000000.index")))
                .isZero();
        assertThat(out.toString().lines().findFirst()).contains("LAST OFFSET  POSITION");
        assertThat(out.toString().lines()).hasSize(3);
        out.getBuffer().setLength(0);
        assertThat(run("index", times, "-o", "json")).isZero();
        JsonArray entries = JsonParser.parseString(out.toString()).getAsJsonArray();
        assertThat(entries).hasSize(1);
        assertThat(entries.get(0).getAsJsonObject().get("lastOffset").getAsLong())
                .isEqualTo(1);
    }

    @Test
    void shouldPrintEpochs() {
        // when
        int code = run("epochs", partition);

        // then
        assertThat(code).isZero();
        assertThat(out).hasToString("EPOCH  START  FIRST BATCH\n    3      0            0\n");
    }

    @Test
    void shouldPrintCheckpoints() throws IOException {
        // when / then
        assertThat(run("checkpoints", data, "-o", "json")).isZero();
        assertThat(json().get("cleanShutdown").getAsBoolean()).isTrue();
        JsonObject row = json().getAsJsonArray("partitions").get(0).getAsJsonObject();
        assertThat(row.get("topic").getAsString()).isEqualTo("orders");
        assertThat(row.get("recoveryPoint").getAsLong()).isEqualTo(3);
        assertThat(row.get("cleanedTo").isJsonNull()).isTrue();

        // when / then
        Files.write(data.resolve("replication-offset-checkpoint"), new byte[] {7});
        assertThat(run("checkpoints", data)).isEqualTo(2);
        assertThat(err.toString()).contains("replication-offset-checkpoint is damaged");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "verify",
                "find .",
                "find . --offset 1 --key k",
                "find . --offset -1",
                "find . --time soon",
                "find . --key k",
                "index .",
                "epochs .",
                "checkpoints"
            })
    void shouldSayThatTheCommandLineIsWrong(String arguments) {
        // when
        int code = run((Object[]) arguments.split(" ", -1));

        // then: the working directory holds no log
        assertThat(code).isEqualTo(64);
        assertThat(err.toString()).startsWith("tidemark log").containsPattern("  next: |Missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify", "find --key k", "index", "epochs", "checkpoints"})
    void shouldSayThatThereIsNoSuchFile(String arguments) {
        // when
        int code = run((Object[]) (arguments + " " + data.resolve("00000000000000000007.log")).split(" ", -1));

        // then
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("there is no file");
    }
}
