package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.checkpoint.AtomicFile;
import io.tidemark.core.io.SimDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LeaderEpochCheckpointTest {
    private static final Path DIRECTORY = Path.of("/log");

    private final SimDisk disk = new SimDisk();
    private final AtomicFile file = new AtomicFile(disk, DIRECTORY, LeaderEpochCheckpoint.FILE_NAME);
    private final LeaderEpochCheckpoint checkpoint = new LeaderEpochCheckpoint(disk, DIRECTORY);

    @BeforeEach
    void createDirectory() throws Exception {
        disk.createDirectory(DIRECTORY);
    }

    @Test
    void shouldWriteKafkasTextFormatAndReadItBack() {
        // given
        LeaderEpochHistory history = LeaderEpochHistory.EMPTY.assign(0, 0).assign(5, 4_711);

        // when
        checkpoint.write(history);

        // then
        assertThat(new String(file.read().orElseThrow(), StandardCharsets.UTF_8))
                .isEqualTo("0\n2\n0 0\n5 4711\n");
        assertThat(checkpoint.read()).contains(history.entries());
    }

    @Test
    void shouldSayThatAMissingFileIsMissing() {
        assertThat(checkpoint.read()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0\n",
                "1\n0\n",
                "0\n2\n0 0\n",
                "0\n1\n0 0\n1 1\n",
                "0\n1\nx 0\n",
                "0\n1\n0\n",
                "0\n1\n-1 5\n"
            })
    void shouldNotHalfTrustADamagedFile(String content) {
        // given
        file.write(content.getBytes(StandardCharsets.UTF_8));

        // when / then
        assertThat(checkpoint.read()).isEmpty();
    }
}
