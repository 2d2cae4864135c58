package io.tidemark.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.coordination.zookeeper.ZooKeeperArguments.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ZooKeeperArgumentsTest {
    @TempDir
    Path dir;

    @Test
    void shouldListenOnLoopbackWithShortTicksByDefault() throws Exception {
        ZooKeeperArguments read = ZooKeeperArguments.parse("--data-dir", "/d");

        assertThat(read.config())
                .isEqualTo(new EmbeddedZooKeeperConfig(Path.of("/d"), "127.0.0.1", 2181, 500, 1_000, 60_000));
        assertThat(read.portFile()).isEmpty();
    }

    @Test
    void shouldLetFlagsWinOverTheFile() throws Exception {
        // given
        Path file = dir.resolve("zoo.cfg");
        Files.writeString(file, "dataDir=/from/file\nclientPort=1\ntickTime = 200 \nclientPortAddress=0.0.0.0\n");

        // when
        ZooKeeperArguments read =
                ZooKeeperArguments.parse("--port", "0", "--config", file.toString(), "--port-file", "p");

        // then
        assertThat(read.config())
                .isEqualTo(new EmbeddedZooKeeperConfig(Path.of("/from/file"), "0.0.0.0", 0, 200, 1_000, 60_000));
        assertThat(read.portFile()).contains(Path.of("p"));
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        Path file = dir.resolve("bad.cfg");
        Files.writeString(file, "dataDirr=/d\n");
        assertRefused("unknown argument: --prot", "--prot", "1");
        assertRefused("--port needs a value", "--port");
        assertRefused("--port is given twice", "--port", "1", "--port", "2");
        assertRefused("no data directory");
        assertRefused("clientPort is a number, not \"x\"", "--data-dir", "d", "--port", "x");
        assertRefused("[0, 65535]", "--data-dir", "d", "--port", "70000");
        assertRefused("dataDirr", "--config", file.toString());
        assertRefused("cannot read", "--config", dir.resolve("none").toString());
    }

    @Test
    void shouldEndWith64AndTheUsageWhenTheCommandLineIsBad() {
        // given
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8);

        // when
        int status = ZooKeeperMain.run(errStream, errStream, "--prot", "1");

        // then
        assertThat(status).isEqualTo(64);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("unknown argument: --prot", "usage: ");
    }

    private static void assertRefused(String message, String... arguments) {
        assertThatThrownBy(() -> ZooKeeperArguments.parse(arguments))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }
}
