package io.tidemark.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcFsTest {
    @TempDir
    private Path root;

    private ProcFs proc;

    @BeforeEach
    void setUp() throws IOException {
        proc = new ProcFs(root);
        busy(0);
        process("self", 0, 0);
    }

    private void busy(long userTicks) throws IOException {
        Files.writeString(root.resolve("stat"), "cpu  " + userTicks + " 0 0 77 88 0 0 99 0 0\ncpu0 1 2 3\n");
    }

    private void process(String pid, long ticks, long childrenTicks) throws IOException {
        Path directory = Files.createDirectories(root.resolve(pid));
        String stat = "1 (a (b) c) S 1 1 1 0 -1 0 0 0 0 0 " + ticks + " 0 " + childrenTicks + " 0 20 0 9\n";
        Files.writeString(directory.resolve("stat"), stat);
    }

    @Test
    void shouldReadTicksBehindANameWithParentheses() throws IOException {
        // given
        process("4711", 42, 7);

        // then
        assertThat(proc.ticks(4711)).hasValue(42);
        assertThat(proc.ticks(4712)).isEmpty();
    }

    @Test
    void shouldCountNeitherIdleNorWaitingNorStolenTimeAsBusy() throws IOException {
        // given
        Files.writeString(root.resolve("stat"), "cpu  1 20 300 7 7 4000 50000 7 7 7\n");

        // then
        assertThat(proc.busyTicks()).isEqualTo(54_321);
    }

    @Test
    void shouldReadThePeakOfMemory() throws IOException {
        // given
        Path directory = Files.createDirectories(root.resolve("4711"));
        Files.writeString(directory.resolve("status"), "Name:\tjava\nVmHWM:\t 1153434 kB\nVmRSS:\t 1000 kB\n");

        // then
        assertThat(proc.peakRssMib(4711)).hasValue(1153434 / 1024.0);
        assertThat(proc.peakRssMib(4712)).isEmpty();
    }

    @Test
    void shouldTellClusterClientAndOthersApartAlsoWhenABrokerDies() throws IOException {
        // given a broker that has worked before, on two cores that count hundredths
        process("4711", 1_000, 0);
        ManualClock clock = new ManualClock();
        CpuMeter meter = new CpuMeter(proc, clock, new CpuMeter.Machine(2, 100), () -> List.of(4711L, 4712L));

        // when it works on and dies, another is started, a client comes and goes, and somebody else works
        process("4711", 1_100, 0);
        meter.sample();
        Files.delete(root.resolve("4711").resolve("stat"));
        process("4712", 50, 0);
        process("self", 10, 200);
        busy(100 + 50 + 10 + 200 + 40);
        clock.advance(Duration.ofSeconds(2));
        CpuMeter.Usage usage = meter.usage();

        // then
        assertThat(usage).isEqualTo(new CpuMeter.Usage(2, 1.5, 2, 10));
    }
}
