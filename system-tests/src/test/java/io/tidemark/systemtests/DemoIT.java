package io.tidemark.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The installed command line starts real processes, kills the leader, and nothing acknowledged is lost. */
final class DemoIT {
    private static final int RECORDS = 10_000;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldLoseNothingWhenTheLeaderIsKilled() throws IOException, InterruptedException {
        // given
        Path command = Path.of(System.getProperty("tidemark.home"), "bin", "tidemark");
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");

        // when
        Process demo = new ProcessBuilder(List.of(
                        command.toString(),
                        "demo",
                        "--records",
                        Integer.toString(RECORDS),
                        "--dir",
                        directory.resolve("cluster").toString(),
                        "--progress",
                        "-o",
                        "json"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        int status = demo.waitFor();

        // then
        String told = Files.readString(err, StandardCharsets.UTF_8);
        assertThat(status).as(told).isZero();
        JsonObject report = JsonParser.parseString(Files.readString(out, StandardCharsets.UTF_8))
                .getAsJsonObject();
        assertThat(report.get("acked").getAsInt()).as(told).isEqualTo(RECORDS);
        assertThat(report.get("consumed").getAsInt()).isEqualTo(RECORDS);
        assertThat(report.get("lost").getAsInt()).isZero();
        assertThat(report.get("duplicated").getAsInt()).isZero();
        assertThat(report.get("outOfOrder").getAsInt()).isZero();
        assertThat(report.get("killedAtAcked").getAsInt()).isBetween(RECORDS * 4 / 10, RECORDS * 6 / 10);
    }
}
