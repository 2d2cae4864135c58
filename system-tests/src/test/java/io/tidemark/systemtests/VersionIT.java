package io.tidemark.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is installed knows what it is. */
final class VersionIT {
    // Issue 3 (the command line); fails if: the build writes no version into the jars.
    @Test
    void shouldTellTheVersionThatIsInstalled(@TempDir Path scratch) {
        assertThat(new CommandLine(scratch).run("--version")).matches("tidemark \\d+\\.\\d+\\.\\d+(-\\w+)?\\R");
    }
}
