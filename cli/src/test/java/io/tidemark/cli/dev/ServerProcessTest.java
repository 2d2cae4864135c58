package io.tidemark.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerProcessTest {
    private static final String MARK = "mark-of-the-test";

    /** Programs that become others; each time there is no command line for a moment. */
    private static final List<String> BECOMES_ANOTHER_TWICE =
            List.of("/bin/sh", "-c", "exec /bin/sh -c 'exec /bin/sh -c \"sleep 60\" " + MARK + "' " + MARK, MARK);

    @TempDir
    private Path directory;

    @Test
    void shouldBeAliveWhileItBecomesAnotherProgram() {
        for (int round = 0; round < 20; round++) {
            ServerProcess process =
                    ServerProcess.start(BECOMES_ANOTHER_TWICE, directory, directory.resolve("out.log"), "", MARK);
            try {
                for (int look = 0; look < 1_000; look++) {
                    assertThat(process.isAlive())
                            .as("round %s, look %s", round, look)
                            .isTrue();
                }
            } finally {
                process.kill();
            }
            assertThat(process.isAlive()).isFalse();
        }
    }

    @Test
    void shouldNotTakeAnotherProcessOfThatNumberForItsOwn() {
        assertThat(new ServerProcess(ProcessHandle.current().pid(), "no command line holds this: " + directory)
                        .isAlive())
                .isFalse();
    }
}
