package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that dies in the middle of what it does to its files. */
final class CrashingFilesTest {
    private static final Path FILE = Path.of("/disk/file");

    private final SimWorld world = new SimWorld(1, Trace.OFF);
    private final ProcessThreads process = new ProcessThreads(world, 1, "process/1/1");
    private final SimDisk disk = new SimDisk();
    private final FaultPlan faults = new FaultPlan();
    private final Files files =
            new CrashingFiles(disk, new FaultFiles(disk, faults, delay -> {}), process, new Countdown());
    private final List<String> reached = new ArrayList<>();
    private int callsUntilDeath = Integer.MAX_VALUE;

    private final class Countdown implements CrashingFiles.Death {
        @Override
        public boolean isDue() {
            callsUntilDeath--;
            return callsUntilDeath == 0;
        }

        @Override
        public void strike() {
            process.die();
            disk.processCrash();
        }
    }

    /** What a process does with files. */
    private interface Work {
        void run() throws IOException;
    }

    @BeforeEach
    void makeDirectory() throws IOException {
        disk.createDirectory(FILE.getParent());
    }

    private void inProcess(Work work) {
        process.enter(() -> {
            try {
                work.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private String content() throws IOException {
        try (FileHandle handle = disk.openForRead(FILE)) {
            return new String(handle.content(1_000), StandardCharsets.UTF_8);
        }
    }

    // Fails if: CrashingFiles.Handle.append dies before it writes anything
    @Test
    void shouldDieHalfwayThroughAnAppend() throws IOException {
        callsUntilDeath = 2;

        inProcess(() -> {
            try (FileHandle handle = files.openForAppend(FILE)) {
                handle.append(bytes("abc"), bytes("defgh"));
                reached.add("behind the append");
            }
        });

        assertThat(content()).isEqualTo("abcd");
        assertThat(reached).isEmpty();
        assertThat(process.isAlive()).isFalse();
    }

    // Fails if: CrashingFiles.choose does not ask whether the process is alive
    @Test
    void shouldDoNothingToTheDiskWhileADeadProcessIsUnwound() throws IOException {
        callsUntilDeath = 3;

        inProcess(() -> {
            try (FileHandle handle = files.openForAppend(FILE)) {
                handle.append(bytes("abc"));
                handle.force();
            } finally {
                files.delete(FILE);
            }
        });

        assertThat(content()).isEqualTo("abc");
    }

    // Fails if: CrashingFiles takes whoever looks from outside for the process
    @Test
    void shouldNeitherCountNorDisturbWhoLooksFromOutside() throws IOException {
        // given
        List<FileHandle> opened = new ArrayList<>();
        inProcess(() -> {
            FileHandle handle = files.openForAppend(FILE);
            handle.append(bytes("abc"));
            opened.add(handle);
        });
        faults.add(FaultRule.failingAny());
        callsUntilDeath = 1;

        // when
        byte[] seen = opened.get(0).content(10);

        // then
        assertThat(seen).asString(StandardCharsets.UTF_8).isEqualTo("abc");
        assertThat(files.size(FILE)).isEqualTo(3);
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void shouldMeetTheFaultsOfTheDisk() {
        faults.add(FaultRule.failingAny());

        inProcess(() -> {
            try {
                files.openForAppend(FILE);
            } catch (IOException e) {
                reached.add(String.valueOf(e.getMessage()));
            }
        });

        assertThat(reached).singleElement().asString().contains("injected fault");
    }
}
