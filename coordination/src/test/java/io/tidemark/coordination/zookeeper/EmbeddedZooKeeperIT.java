package io.tidemark.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedZooKeeperIT {
    @TempDir
    Path dir;

    private Thread.UncaughtExceptionHandler handlerBefore;

    @BeforeEach
    void rememberHandler() {
        handlerBefore = Thread.getDefaultUncaughtExceptionHandler();
    }

    @AfterEach
    void restoreHandler() {
        Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
    }

    @Test
    void shouldRefuseADirectoryThatIsInUse() throws Exception {
        EmbeddedZooKeeperConfig config = EmbeddedZooKeeperConfig.onLoopback(dir, 0);
        try (EmbeddedZooKeeper first = EmbeddedZooKeeper.start(config, () -> {})) {
            assertThat(first.port()).isPositive();
            assertThatThrownBy(() -> EmbeddedZooKeeper.start(config, () -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(dir.toString());
        }
    }

    @Test
    void shouldReleaseItsDirectoryWhenThePortIsTaken() throws Exception {
        try (EmbeddedZooKeeper first =
                EmbeddedZooKeeper.start(EmbeddedZooKeeperConfig.onLoopback(dir.resolve("a"), 0), () -> {})) {
            // given
            EmbeddedZooKeeperConfig taken = EmbeddedZooKeeperConfig.onLoopback(dir.resolve("b"), first.port());
            assertThatThrownBy(() -> EmbeddedZooKeeper.start(taken, () -> {})).isInstanceOf(IOException.class);

            // then
            EmbeddedZooKeeperConfig free = EmbeddedZooKeeperConfig.onLoopback(dir.resolve("b"), 0);
            EmbeddedZooKeeper.start(free, () -> {}).close();
        }
    }

    @Test
    void shouldServeAsAProcessAndStopOnSigterm() throws Exception {
        // given
        Path portFile = dir.resolve("port");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ZooKeeperMain.class.getName(),
                        "--data-dir",
                        dir.resolve("data").toString(),
                        "--port",
                        "0",
                        "--port-file",
                        portFile.toString())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("out").toFile())
                .start();
        try {
            await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(portFile));
            int port = Integer.parseInt(Files.readString(portFile).strip());

            // then
            assertThat(fourLetters(port, "ruok")).isEqualTo("imok");
            assertThat(fourLetters(port, "srvr")).contains("Mode: standalone");
            assertThat(fourLetters(port, "dump")).contains("not in the whitelist");
            await().untilAsserted(() -> assertThat(Files.readString(dir.resolve("out")))
                    .contains("ZooKeeper listens on 127.0.0.1:" + port));

            // when
            process.destroy();

            // then
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String fourLetters(int port, String command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            OutputStream out = socket.getOutputStream();
            out.write(command.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
