package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.runtime.KafkaStorageException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class SegmentFilesTest {
    private static final Path DIRECTORY = Path.of("/log");

    private final SimDisk disk = new SimDisk();
    private final SegmentFiles files = new SegmentFiles(DIRECTORY, 42);

    @Test
    void shouldNameFilesByBaseOffsetInTwentyDigits() {
        assertThat(files.log()).isEqualTo(DIRECTORY.resolve("00000000000000000042.log"));
        assertThat(files.index()).isEqualTo(DIRECTORY.resolve("00000000000000000042.index"));
        assertThat(SegmentFiles.name(Long.MAX_VALUE, ".log")).isEqualTo("09223372036854775807.log");
    }

    @Test
    void shouldReadOffsetsOnlyFromNamesOfItsKind() {
        assertThat(SegmentFiles.offsetIn("00000000000000000042.log", ".log")).hasValue(42);
        assertThat(SegmentFiles.offsetIn("00000000000000000042.log.deleted", ".log"))
                .isEmpty();
        assertThat(SegmentFiles.offsetIn("42.log", ".log")).isEmpty();
        assertThat(SegmentFiles.offsetIn("0000000000000000004x.log", ".log")).isEmpty();
        assertThat(SegmentFiles.offsetIn("-0000000000000000042.log", ".log")).isEmpty();
        assertThat(SegmentFiles.offsetIn("99999999999999999999.log", ".log")).isEmpty();
    }

    @Test
    void shouldTolerateAMissingFileWhenMarkingDeleted() throws IOException {
        // given: S50
        // Fails if: SegmentFiles takes a missing file for a failure
        disk.createDirectory(DIRECTORY);
        disk.openForAppend(files.log()).close();

        // when / then
        assertThat(files.markDeleted(disk)).containsExactly(DIRECTORY.resolve("00000000000000000042.log.deleted"));
        assertThat(disk.list(DIRECTORY)).containsExactly("00000000000000000042.log.deleted");
    }

    @Test
    void shouldTryAllFilesAndThenNameTheOneThatCouldNotBeRenamed() throws IOException {
        // given: S13
        // Fails if: SegmentFiles forgets the failure of a rename
        disk.createDirectory(DIRECTORY);
        disk.openForAppend(files.log()).close();
        disk.openForAppend(files.index()).close();
        FaultPlan plan = new FaultPlan();
        FaultFiles faulty = new FaultFiles(disk, plan, delay -> {});
        plan.add(FaultRule.failing(FileOperation.RENAME, "*.log"));

        // when / then
        assertThatThrownBy(() -> files.markDeleted(faulty))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("00000000000000000042.log");
        assertThat(disk.list(DIRECTORY))
                .containsExactly("00000000000000000042.index.deleted", "00000000000000000042.log");
    }
}
