package io.tidemark.server.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.checkpoint.MetaProperties;
import io.tidemark.core.checkpoint.MetaPropertiesFile;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.testkit.SeededRandomness;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** New log directories on a disk that forgets what was not forced. */
final class NewDirectoriesTest {
    private static final int LOSSES = 50;
    private static final Path DIRECTORY = Path.of("/data/tidemark/logs");

    // DESIGN 6: a directory whose id was registered must not be gone after a power loss, with all that is in it
    // Fails if: NewDirectories.create leaves the new names unforced
    @Test
    void shouldKeepADirectoryItMadeThroughAPowerLoss() throws Exception {
        for (long seed = 0; seed < LOSSES; seed++) {
            // given
            SimDisk disk = new SimDisk();
            NewDirectories directories = new NewDirectories(disk);
            directories.begin(List.of(DIRECTORY));
            new MetaPropertiesFile(disk, DIRECTORY).write(new MetaProperties("cluster-1", 1, "directory-1"));
            directories.claimed(DIRECTORY);

            // when
            disk.powerLoss(new SeededRandomness(seed));

            // then
            assertThat(new MetaPropertiesFile(disk, DIRECTORY).read().value())
                    .as("seed %s", seed)
                    .isPresent();
        }
    }
}
