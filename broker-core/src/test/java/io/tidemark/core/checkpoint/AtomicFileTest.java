package io.tidemark.core.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AtomicFileTest {
    private static final Path DIRECTORY = Path.of("/data");

    private SimDisk disk = new SimDisk();
    private AtomicFile file = new AtomicFile(disk, DIRECTORY, "state");

    @BeforeEach
    void createDirectory() throws IOException {
        disk.createDirectory(DIRECTORY);
        disk.forceDirectory(Path.of("/"));
    }

    @Test
    void shouldReadWhatWasWrittenLast() {
        // when
        file.write(bytes("first"));
        file.write(bytes("second, longer"));
        file.write(bytes("third"));

        // then
        assertThat(content()).isEqualTo("third");
    }

    @Test
    void shouldTellThatThereIsNoFile() {
        assertThat(file.read()).isEmpty();
        assertThat(file.delete()).isFalse();
    }

    @Test
    void shouldBeDurableWhenTheWriteReturns() {
        for (int seed = 0; seed < 50; seed++) {
            // given
            String written = "content " + seed;
            file.write(bytes(written));

            // when
            disk.powerLoss(new SeededRandomness(seed));

            // then
            assertThat(content()).isEqualTo(written);
        }
    }

    /** S61: a leftover temporary file is ignored, and does not get into the next write. */
    @Test
    void shouldIgnoreALeftoverTemporaryFile() throws IOException {
        // given
        // Fails if: AtomicFile does not empty the temporary file first
        file.write(bytes("old"));
        try (FileHandle leftover = disk.openForAppend(DIRECTORY.resolve("state.tmp"))) {
            leftover.append(ByteBuffer.wrap(bytes("half of something long")));
        }

        // when, then
        assertThat(content()).isEqualTo("old");
        file.write(bytes("new"));
        assertThat(content()).isEqualTo("new");
        assertThat(disk.list(DIRECTORY)).containsExactly("state");
    }

    /** Each operation of a write fails once, then the power goes: the file is the old or the new one. */
    @Test
    void shouldHoldTheOldOrTheNewContentWhateverFailed() throws IOException {
        Set<String> left = new LinkedHashSet<>();
        for (int call = 1; call <= 7; call++) {
            for (int seed = 0; seed < 20; seed++) {
                // given
                freshDisk();
                file.write(bytes("old"));
                FaultPlan plan = FaultPlan.failCall(call);
                AtomicFile faulty = new AtomicFile(new FaultFiles(disk, plan, pause -> {}), DIRECTORY, "state");

                // when
                assertThatThrownBy(() -> faulty.write(bytes("new")))
                        .isInstanceOf(KafkaStorageException.class)
                        .hasMessageContaining("/data/state");
                assertThat(plan.isSpent()).isTrue();
                disk.powerLoss(new SeededRandomness(seed));

                // then
                left.add(content());
            }
        }
        assertThat(left).containsExactlyInAnyOrder("old", "new");
    }

    /** KNOWN_BUGS 24: a full disk leaves the previous content. */
    @Test
    void shouldKeepThePreviousContentWhenTheDiskIsFull() {
        // given
        file.write(bytes("old"));
        disk.limitCapacity(disk.usedBytes() + 2);

        // when
        assertThatThrownBy(() -> file.write(bytes("new content")))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("No space left on device");

        // then
        assertThat(content()).isEqualTo("old");
    }

    @Test
    void shouldDeleteDurably() {
        for (int seed = 0; seed < 20; seed++) {
            // given
            file.write(bytes("x"));

            // when
            assertThat(file.delete()).isTrue();
            disk.powerLoss(new SeededRandomness(seed));

            // then
            assertThat(file.read()).isEmpty();
        }
    }

    @Test
    void shouldMoveAsideUnderTheNextFreeNumber() throws IOException {
        // when
        file.write(bytes("bad 1"));
        Path first = file.moveAside();
        file.write(bytes("bad 2"));
        Path second = file.moveAside();

        // then
        assertThat(first).isEqualTo(DIRECTORY.resolve("state.damaged-1"));
        assertThat(second).isEqualTo(DIRECTORY.resolve("state.damaged-2"));
        assertThat(disk.list(DIRECTORY)).containsExactly("state.damaged-1", "state.damaged-2");
    }

    @Test
    void shouldKeepABoundedNumberOfDamagedFiles() throws IOException {
        // when
        for (int i = 0; i < 120; i++) {
            file.write(bytes("bad " + i));
            file.moveAside();
        }

        // then
        assertThat(disk.list(DIRECTORY)).hasSize(99);
    }

    private void freshDisk() throws IOException {
        disk = new SimDisk();
        file = new AtomicFile(disk, DIRECTORY, "state");
        createDirectory();
    }

    private String content() {
        return new String(file.read().orElseThrow(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
