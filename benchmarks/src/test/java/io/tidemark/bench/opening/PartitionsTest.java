package io.tidemark.bench.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PartitionsTest {
    private static final int COUNT = 3;
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final long BEYOND_BYTES = 48 << 10;

    @TempDir
    private Path directory;

    private long segments() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".log")).count();
        }
    }

    @Test
    void shouldOpenWhatWasCreatedAgainAndAgain() throws IOException {
        // given
        Partitions partitions = new Partitions(directory, SEGMENT_BYTES);
        partitions.create(COUNT);
        assertThat(segments()).isEqualTo(3 * COUNT);

        for (int round = 0; round < 2; round++) {
            // when / then
            assertThat(partitions.open(1, COUNT, 0)).isPositive();
            partitions.append(BEYOND_BYTES).close();
            assertThat(partitions.open(2, COUNT, BEYOND_BYTES)).isPositive();
            assertThat(segments()).isEqualTo(3 * COUNT);
        }
    }

    @Test
    void shouldNotTakeAnOpeningForGoodThatMissesRecords() throws IOException {
        // given
        Partitions partitions = new Partitions(directory, SEGMENT_BYTES);
        partitions.create(COUNT);

        // when / then
        assertThatIllegalStateException().isThrownBy(() -> partitions.open(1, COUNT, BEYOND_BYTES));
    }
}
