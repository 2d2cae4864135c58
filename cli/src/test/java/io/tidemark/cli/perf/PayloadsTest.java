package io.tidemark.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cli.CommandFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PayloadsTest {
    @TempDir
    private Path directory;

    @Test
    void shouldTakeEachLineAsItIs() throws IOException {
        // given
        Path file = directory.resolve("payload");
        Files.write(file, new byte[] {'a', (byte) 0xff, '\n', '\n', 'b', 'c', '\n'});

        // when
        ByteBuffer[] lines = Payloads.linesOf(file);

        // then
        assertThat(lines)
                .containsExactly(
                        ByteBuffer.wrap(new byte[] {'a', (byte) 0xff}),
                        ByteBuffer.allocate(0),
                        ByteBuffer.wrap(new byte[] {'b', 'c'}));
    }

    @Test
    void shouldNameTheFileThatIsEmptyOrMissing() throws IOException {
        // given
        Path empty = Files.createFile(directory.resolve("empty"));
        Path missing = directory.resolve("missing");

        // then
        assertThatThrownBy(() -> Payloads.linesOf(empty))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(empty.toString());
        assertThatThrownBy(() -> Payloads.linesOf(missing))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(missing.toString());
    }

    @Test
    void shouldMakeDifferentValuesThatAreTheSameInEachRun() {
        // when
        ByteBuffer[] first = Payloads.made(100);

        // then
        assertThat(first).hasSize(1_000).isEqualTo(Payloads.made(100));
        assertThat(Set.of(first)).hasSize(1_000);
        assertThat(first).allSatisfy(value -> assertThat(value.remaining()).isEqualTo(100));
    }
}
