package io.tidemark.sim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A seed is the same run on any JVM. */
final class ReplayIT {
    private static final int ENOUGH_BYTES = 10_000;

    @TempDir
    private Path directory;

    // Issue 5 (must show 3). Fails if: a run depends on hash codes of objects, or on the default locale
    @Test
    void shouldReplayTheSameBytesOnTwoJvms() throws IOException, InterruptedException, URISyntaxException {
        // when
        Path one = replay("one", "-XX:+UseSerialGC", "-Duser.language=en");
        Path other = replay("other", "-XX:hashCode=2", "-Duser.language=ar", "-Xint");

        // then
        assertThat(Files.readAllBytes(other)).isEqualTo(Files.readAllBytes(one)).hasSizeGreaterThan(ENOUGH_BYTES);
    }

    private Path replay(String name, String... flags) throws IOException, InterruptedException, URISyntaxException {
        Path out = directory.resolve(name);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UnlockExperimentalVMOptions");
        command.addAll(List.of(flags));
        command.addAll(List.of(
                "-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                classPath(),
                SimMain.class.getName(),
                "replay",
                "7"));
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(directory.resolve(name + ".err").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(directory.resolve(name + ".err")))
                .isEqualTo(SimMain.CLEAN);
        return out;
    }

    /** What {@code ./tidemark-sim} runs on. */
    private static String classPath() throws URISyntaxException {
        Path classes = Path.of(SimMain.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return classes + File.pathSeparator + Path.of(System.getProperty("tidemark.home"), "lib", "*");
    }
}
