package io.tidemark.core.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SimDiskTest extends FilesContractTest {
    private static final int LOSSES = 200;

    private SimDisk disk = new SimDisk();

    @Override
    Files newFiles() {
        return disk;
    }

    @Test
    void shouldKeepForcedBytesAndForcedNamesOnPowerLoss() throws IOException {
        for (int seed = 0; seed < LOSSES; seed++) {
            // given
            freshDisk();
            writeForced("a", "durable");
            FileHandle handle = files.openForAppend(path("a"));
            handle.append(bytes("volatile"));

            // when
            disk.powerLoss(new SeededRandomness(seed));

            // then
            assertThat(read("a")).as("seed %s", seed).startsWith("durable").hasSizeBetween(7, 15);
        }
    }

    /** All outcomes happen: nothing, a part, all of it, and a torn tail. */
    @Test
    void shouldLoseDifferentPartsOfWhatWasNotForced() throws IOException {
        // given
        Set<String> outcomes = new LinkedHashSet<>();
        int torn = 0;

        // when
        for (int seed = 0; seed < LOSSES; seed++) {
            freshDisk();
            writeForced("a", "");
            write("a", "abcd");
            disk.powerLoss(new SeededRandomness(seed));
            String left = read("a");
            outcomes.add(left);
            torn += "abcd".startsWith(left) ? 0 : 1;
        }

        // then
        assertThat(outcomes).contains("", "a", "ab", "abc", "abcd");
        assertThat(torn).isBetween(1, LOSSES - 1);
    }

    @Test
    void shouldLoseNamesInOrderFromTheEnd() throws IOException {
        // given
        Set<String> outcomes = new LinkedHashSet<>();

        // when
        for (int seed = 0; seed < LOSSES; seed++) {
            freshDisk();
            writeForced("old", "old");
            write("first", "");
            files.rename(path("old"), path("new"));
            files.delete(path("first"));
            disk.powerLoss(new SeededRandomness(seed));
            outcomes.add(String.join(",", files.list(root)));
        }

        // then
        assertThat(outcomes).containsExactlyInAnyOrder("old", "first,old", "first,new", "new");
    }

    @Test
    void shouldLeaveTheOldOrTheNewFileOfAReplacement() throws IOException {
        // given
        Set<String> outcomes = new LinkedHashSet<>();

        // when
        for (int seed = 0; seed < LOSSES; seed++) {
            freshDisk();
            writeForced("file", "old");
            writeForced("file.tmp", "new");
            files.rename(path("file.tmp"), path("file"));
            disk.powerLoss(new SeededRandomness(seed));
            outcomes.add(read("file"));
        }

        // then
        assertThat(outcomes).containsExactlyInAnyOrder("old", "new");
    }

    @Test
    void shouldUndoOrKeepACutThatWasNotForced() throws IOException {
        // given
        Set<String> outcomes = new LinkedHashSet<>();

        // when
        for (int seed = 0; seed < LOSSES; seed++) {
            freshDisk();
            writeForced("a", "0123456789");
            try (FileHandle handle = files.openForAppend(path("a"))) {
                handle.truncate(6);
                handle.truncate(2);
            }
            disk.powerLoss(new SeededRandomness(seed));
            outcomes.add(read("a"));
        }

        // then
        assertThat(outcomes).containsExactlyInAnyOrder("0123456789", "01");
    }

    @Test
    void shouldLoseAFileWhoseDirectoryWasNeverForced() throws IOException {
        // given
        boolean lost = false;

        // when
        for (int seed = 0; seed < LOSSES; seed++) {
            freshDisk();
            files.createDirectory(path("topic-0"));
            try (FileHandle handle = files.openForAppend(path("topic-0/00.log"))) {
                handle.append(bytes("forced"));
                handle.force();
            }
            files.forceDirectory(path("topic-0"));
            disk.powerLoss(new SeededRandomness(seed));
            lost |= !files.exists(path("topic-0/00.log"));
        }

        // then: the directory's own name was not forced
        assertThat(lost).isTrue();
    }

    @Test
    void shouldLoseNothingButHandlesAndLocksOnAProcessCrash() throws IOException {
        // given
        FileHandle handle = files.openForAppend(path("a"));
        handle.append(bytes("page cache"));
        Files.DirectoryLock lock = files.lock(path(".lock"));

        // when
        disk.processCrash();

        // then
        assertThat(read("a")).isEqualTo("page cache");
        assertThatThrownBy(() -> handle.append(bytes("x"))).isInstanceOf(IOException.class);
        Files.DirectoryLock next = files.lock(path(".lock"));
        lock.close();
        assertThatThrownBy(() -> files.lock(path(".lock"))).isInstanceOf(Files.LockHeldException.class);
        next.close();
    }

    @Test
    void shouldWriteWhatFitsOnAFullDisk() throws IOException {
        // given
        disk.limitCapacity(6);
        FileHandle handle = files.openForAppend(path("a"));

        // when
        assertThatThrownBy(() -> handle.append(bytes("1234"), bytes("5678")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left on device");

        // then
        assertThat(read("a")).isEqualTo("123456");
        assertThat(files.freeSpaceBytes(root)).isZero();
        handle.truncate(1);
        assertThat(files.freeSpaceBytes(root)).isEqualTo(5);
        files.delete(path("a"));
        assertThat(disk.usedBytes()).isZero();
    }

    // What a medium does to bytes that were on it safely
    // Fails if: SimFile.corrupt changes a copy of the content
    @Test
    void shouldCorruptOneByteForGood() throws IOException {
        // given
        freshDisk();
        writeForced("a", "durable");

        // when
        try (FileHandle open = files.openForRead(path("a"))) {
            disk.corrupt(path("a"), 3, 0x01);

            // then
            assertThat(readAll(open)).isEqualTo("dur`ble");
        }
        disk.powerLoss(new SeededRandomness(1));
        assertThat(read("a")).isEqualTo("dur`ble");
    }

    @Test
    void shouldRefuseToCorruptWhatIsNotThere() throws IOException {
        freshDisk();
        writeForced("a", "durable");

        assertThatThrownBy(() -> disk.corrupt(path("a"), 7, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> disk.corrupt(path("a"), 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> disk.corrupt(path("b"), 0, 1)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void shouldGiveTheSameDiskForTheSameSeed(long seed) throws IOException {
        assertThat(contentAfterLoss(seed)).isEqualTo(contentAfterLoss(seed));
    }

    private String contentAfterLoss(long seed) throws IOException {
        freshDisk();
        for (int i = 0; i < 20; i++) {
            write("f" + i % 5, "content " + i);
        }
        disk.powerLoss(new SeededRandomness(seed));
        StringBuilder content = new StringBuilder();
        for (String name : files.list(root)) {
            content.append(name).append('=').append(read(name)).append('\n');
        }
        return content.toString();
    }

    private void writeForced(String name, String content) throws IOException {
        try (FileHandle handle = files.openForAppend(path(name))) {
            handle.append(bytes(content));
            handle.force();
        }
        files.forceDirectory(root);
    }

    private void freshDisk() throws IOException {
        disk = new SimDisk();
        files = disk;
        files.createDirectory(root);
        for (java.nio.file.Path above = root.getParent(); above != null; above = above.getParent()) {
            files.forceDirectory(above);
        }
    }
}
