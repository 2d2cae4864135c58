package io.tidemark.core.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

final class DiskFilesTest extends FilesContractTest {
    @Override
    Files newFiles() {
        return new DiskFiles();
    }

    @Test
    void shouldHoldTheLockOfTheKernelAndAcrossInstances() throws IOException {
        try (Files.DirectoryLock lock = files.lock(path(".lock"));
                FileChannel other = FileChannel.open(path(".lock"), StandardOpenOption.WRITE)) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(other::tryLock).isInstanceOf(OverlappingFileLockException.class);
            assertThatThrownBy(() -> new DiskFiles().lock(path(".lock"))).isInstanceOf(Files.LockHeldException.class);
        }
    }

    @Test
    void shouldAppendMoreBuffersThanOneSystemCallTakes() throws IOException {
        // given
        ByteBuffer[] buffers = new ByteBuffer[3_000];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.allocate(4).putInt(0, i);
        }

        // when
        try (FileHandle handle = files.openForAppend(path("a"))) {
            handle.append(buffers);
        }

        // then
        try (MappedFile mapped = files.mapReadOnly(path("a"))) {
            ByteBuffer content = mapped.buffer();
            assertThat(content.remaining()).isEqualTo(12_000);
            for (int i = 0; i < buffers.length; i++) {
                assertThat(content.getInt()).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldNameTheFileWhenTheKernelRefuses() {
        // /dev/full answers every write with "no space left on device"
        assertThatThrownBy(() -> {
                    try (FileHandle handle = files.openForAppend(java.nio.file.Path.of("/dev/full"))) {
                        handle.append(bytes("x"));
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/dev/full")
                .hasMessageContaining("No space left on device");
    }
}
