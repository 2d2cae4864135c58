package io.tidemark.core.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class HoldingFilesTest extends FilesContractTest {
    private static final long LIMIT_BYTES = 10_000;

    private final FaultPlan plan = new FaultPlan();
    private final Files below = new FaultFiles(new SimDisk(), plan, pause -> {});

    @Override
    Files newFiles() {
        return new HoldingFiles(below, LIMIT_BYTES);
    }

    @Test
    void shouldPassBytesOnOnlyWhenTheyAreForced() throws IOException {
        try (FileHandle handle = files.openForAppend(path("a"))) {
            // when
            handle.append(bytes("held"));

            // then
            assertThat(below.size(path("a"))).isZero();
            assertThat(((HoldingFiles) files).heldBytes()).isEqualTo(4);
            handle.force();
            assertThat(below.size(path("a"))).isEqualTo(4);
            assertThat(((HoldingFiles) files).heldBytes()).isZero();
        }
    }

    @Test
    void shouldHoldBytesAcrossCloseAndRenameAndForceThemThroughAnotherHandle() throws IOException {
        // given
        write("a", "held");
        files.createDirectory(path("dir"));
        write("dir/b", "also");

        // when
        files.rename(path("a"), path("c"));
        files.rename(path("dir"), path("dir2"));

        // then
        assertThat(read("c")).isEqualTo("held");
        assertThat(read("dir2/b")).isEqualTo("also");
        assertThat(below.size(path("c"))).isZero();
        try (FileHandle reader = files.openForRead(path("c"))) {
            reader.force();
        }
        assertThat(below.size(path("c"))).isEqualTo(4);
    }

    @Test
    void shouldReadAcrossTheSeamOfForcedAndHeldBytes() throws IOException {
        try (FileHandle handle = files.openForAppend(path("a"))) {
            // given
            handle.append(bytes("01234"));
            handle.force();
            handle.append(bytes("56789"));

            // when
            ByteBuffer target = ByteBuffer.allocate(6);
            int count = handle.read(target, 2);

            // then
            assertThat(count).isEqualTo(6);
            assertThat(new String(target.array(), java.nio.charset.StandardCharsets.UTF_8))
                    .isEqualTo("234567");
            try (MappedFile mapped = files.mapReadOnly(path("a"))) {
                assertThat(mapped.buffer().remaining()).isEqualTo(10);
            }
        }
    }

    @Test
    void shouldWriteBackWithoutForceBeyondTheLimit() throws IOException {
        try (FileHandle handle = files.openForAppend(path("a"))) {
            // when
            handle.append(ByteBuffer.allocate((int) LIMIT_BYTES));
            assertThat(below.size(path("a"))).isZero();
            handle.append(ByteBuffer.allocate(1));

            // then
            assertThat(below.size(path("a"))).isEqualTo(LIMIT_BYTES + 1);
            assertThat(handle.size()).isEqualTo(LIMIT_BYTES + 1);
        }
    }

    /** A force that fails half way leaves a file that still reads right, and a second force finishes it. */
    @Test
    void shouldKeepWhatTheDelegateDidNotTake() throws IOException {
        try (FileHandle handle = files.openForAppend(path("a"))) {
            // given
            handle.append(bytes("0123456789"));
            plan.add(FaultRule.failing(FileOperation.APPEND, "*").cuttingShort().times(1));

            // when
            assertThatThrownBy(handle::force).isInstanceOf(IOException.class);

            // then
            assertThat(below.size(path("a"))).isEqualTo(5);
            assertThat(read("a")).isEqualTo("0123456789");
            handle.force();
            assertThat(below.size(path("a"))).isEqualTo(10);
        }
    }

    @Test
    void shouldForgetHeldBytesOfADeletedFile() throws IOException {
        // given
        write("a", "held");

        // when
        files.delete(path("a"));
        write("a", "new");

        // then
        assertThat(read("a")).isEqualTo("new");
        assertThat(((HoldingFiles) files).heldBytes()).isEqualTo(3);
    }
}
