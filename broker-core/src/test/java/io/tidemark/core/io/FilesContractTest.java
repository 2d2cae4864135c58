package io.tidemark.core.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link Files} promises, told once for all implementations. */
abstract class FilesContractTest {
    @TempDir
    Path root;

    Files files;

    abstract Files newFiles();

    @BeforeEach
    void openFiles() throws IOException {
        files = newFiles();
        files.createDirectory(root);
    }

    @Test
    void shouldAppendAllBuffersInOrderAndReadThemBack() throws IOException {
        try (FileHandle handle = files.openForAppend(path("a"))) {
            // when
            ByteBuffer first = bytes("one ");
            ByteBuffer second = bytes("two ");
            handle.append(first, bytes(""), second);
            handle.append(bytes("three"));

            // then
            assertThat(first.hasRemaining() || second.hasRemaining()).isFalse();
            assertThat(handle.size()).isEqualTo(13);
            assertThat(readAll(handle)).isEqualTo("one two three");
            assertThat(files.size(path("a"))).isEqualTo(13);
        }
    }

    // Fails if: DiskHandle.writeSome leaves the limit of a piece behind
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAppendALargeBufferFromWhereItStandsToItsLimit(boolean direct) throws IOException {
        // given
        byte[] content = new byte[1_000_000];
        new Random(6).nextBytes(content);
        ByteBuffer source = direct ? ByteBuffer.allocateDirect(content.length) : ByteBuffer.allocate(content.length);
        source.put(0, content).position(7).limit(700_007);
        try (FileHandle handle = files.openForAppend(path("a"))) {
            // when
            handle.append(source, bytes("end"));

            // then
            assertThat(List.of(source.position(), source.limit())).containsOnly(700_007);
            ByteBuffer all = ByteBuffer.wrap(content, 7, 700_003).put(700_007, bytes("end"), 0, 3);
            assertThat(ByteBuffer.wrap(handle.content(content.length))).isEqualTo(all);
        }
    }

    // Fails if: DiskHandle.readSome leaves the limit of a piece behind
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFillALargeBufferFromWhereItStandsToItsLimit(boolean direct) throws IOException {
        // given
        byte[] content = new byte[1_000_000];
        new Random(5).nextBytes(content);
        try (FileHandle handle = files.openForAppend(path("a"))) {
            handle.append(ByteBuffer.wrap(content));
            ByteBuffer target = direct ? ByteBuffer.allocateDirect(900_000) : ByteBuffer.allocate(900_000);
            target.position(7).limit(700_007);

            // when
            int count = handle.read(target, 200_001);

            // then
            assertThat(count).isEqualTo(700_000);
            assertThat(target.remaining()).isZero();
            assertThat(target.limit()).isEqualTo(700_007);
            assertThat(target.slice(7, count)).isEqualTo(ByteBuffer.wrap(content, 200_001, 700_000));
            assertThat(handle.read(target.clear(), 500_000)).isEqualTo(500_000);
        }
    }

    @Test
    void shouldReadNothingAtAndBeyondTheEnd() throws IOException {
        write("a", "12345");
        try (FileHandle handle = files.openForRead(path("a"))) {
            assertThat(handle.read(ByteBuffer.allocate(4), 5)).isZero();
            assertThat(handle.read(ByteBuffer.allocate(4), 500)).isZero();
            assertThat(handle.read(ByteBuffer.allocate(0), 1)).isZero();
            assertThat(handle.read(ByteBuffer.allocate(4), 3)).isEqualTo(2);
        }
    }

    @Test
    void shouldKeepWhatIsThereWhenAFileIsOpenedAgain() throws IOException {
        // given
        write("a", "old");

        // when
        write("a", "-new");

        // then
        assertThat(read("a")).isEqualTo("old-new");
    }

    @Test
    void shouldShowAppendsToHandlesThatWereOpenBefore() throws IOException {
        try (FileHandle writer = files.openForAppend(path("a"));
                FileHandle reader = files.openForRead(path("a"))) {
            // when
            writer.append(bytes("hello"));

            // then
            assertThat(reader.size()).isEqualTo(5);
            assertThat(readAll(reader)).isEqualTo("hello");
        }
    }

    @Test
    void shouldTruncateAndAppendAtTheNewEnd() throws IOException {
        try (FileHandle handle = files.openForAppend(path("a"))) {
            // given
            handle.append(bytes("0123456789"));
            handle.force();
            handle.append(bytes("abc"));

            // when
            handle.truncate(100);
            assertThat(handle.size()).isEqualTo(13);
            handle.truncate(11);
            handle.truncate(4);
            handle.append(bytes("x"));

            // then
            assertThat(readAll(handle)).isEqualTo("0123x");
        }
    }

    @Test
    void shouldGoOnAtTheEndAfterAnotherHandleCutTheFile() throws IOException {
        try (FileHandle first = files.openForAppend(path("a"));
                FileHandle second = files.openForAppend(path("a"))) {
            // given
            first.append(bytes("0123456789"));

            // when
            second.truncate(3);
            first.append(bytes("x"));

            // then
            assertThat(read("a")).isEqualTo("012x");
        }
    }

    @Test
    void shouldRefuseWorkOnClosedHandlesAndWritesOnReaders() throws IOException {
        write("a", "x");
        FileHandle closed = files.openForAppend(path("a"));
        closed.close();
        closed.close();
        assertThatThrownBy(() -> closed.append(bytes("y")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a");
        assertThatThrownBy(() -> closed.read(ByteBuffer.allocate(1), 0)).isInstanceOf(IOException.class);
        try (FileHandle reader = files.openForRead(path("a"))) {
            assertThatThrownBy(() -> reader.append(bytes("y")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not open for writing");
            assertThatThrownBy(() -> reader.truncate(0)).isInstanceOf(IOException.class);
            reader.force();
        }
        assertThat(read("a")).isEqualTo("x");
    }

    @Test
    void shouldNameTheMissingFile() {
        Path missing = path("missing");
        assertThatThrownBy(() -> files.openForRead(missing))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("missing");
        assertThatThrownBy(() -> files.size(missing)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> files.delete(missing)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> files.list(missing)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> files.mapReadOnly(missing)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> files.rename(missing, path("b"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> files.forceDirectory(missing)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> files.openForAppend(missing.resolve("b"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> files.lock(missing.resolve("b"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldRenameOverAnExistingFile() throws IOException {
        // given
        write("new", "new content");
        write("old", "old");

        // when
        files.rename(path("new"), path("old"));

        // then
        assertThat(files.exists(path("new"))).isFalse();
        assertThat(read("old")).isEqualTo("new content");
    }

    @Test
    void shouldServeOpenHandlesAfterRenameAndDelete() throws IOException {
        write("a", "content");
        write("b", "other");
        try (FileHandle renamed = files.openForAppend(path("a"));
                FileHandle deleted = files.openForRead(path("b"))) {
            // when
            files.rename(path("a"), path("c"));
            files.delete(path("b"));
            renamed.append(bytes("+more"));

            // then
            assertThat(readAll(deleted)).isEqualTo("other");
            assertThat(read("c")).isEqualTo("content+more");
        }
    }

    @Test
    void shouldRenameADirectoryWithAllThatIsInIt() throws IOException {
        // given
        files.createDirectory(path("topic-0"));
        write("topic-0/00.log", "records");

        // when
        files.rename(path("topic-0"), path("topic-0.deleted"));

        // then
        assertThat(files.exists(path("topic-0"))).isFalse();
        assertThat(files.isDirectory(path("topic-0.deleted"))).isTrue();
        assertThat(read("topic-0.deleted/00.log")).isEqualTo("records");
    }

    @Test
    void shouldListNamesInOrder() throws IOException {
        // given
        write("b", "");
        write("a", "");
        files.createDirectory(path("c/d"));

        // when, then
        assertThat(files.list(root)).containsExactly("a", "b", "c");
        assertThat(files.list(path("c"))).containsExactly("d");
        assertThat(files.list(path("c/d"))).isEmpty();
    }

    @Test
    void shouldDeleteFilesAndEmptyDirectoriesOnly() throws IOException {
        // given
        files.createDirectory(path("dir"));
        write("dir/a", "x");

        // when, then
        assertThatThrownBy(() -> files.delete(path("dir"))).isInstanceOf(DirectoryNotEmptyException.class);
        files.delete(path("dir/a"));
        files.delete(path("dir"));
        assertThat(files.exists(path("dir"))).isFalse();
    }

    @Test
    void shouldCreateDirectoriesWithTheirParentsAndAgain() throws IOException {
        files.createDirectory(path("x/y/z"));
        files.createDirectory(path("x/y/z"));
        assertThat(files.isDirectory(path("x/y/z"))).isTrue();
        write("file", "x");
        assertThat(files.isDirectory(path("file"))).isFalse();
        assertThatThrownBy(() -> files.createDirectory(path("file"))).isInstanceOf(IOException.class);
        files.forceDirectory(path("x/y"));
    }

    @Test
    void shouldMapAWholeFileAndReleaseIt() throws IOException {
        // given
        try (FileHandle handle = files.openForAppend(path("index"))) {
            handle.append(ByteBuffer.allocate(8).putLong(0, 0x0102030405060708L));
        }

        // when
        MappedFile mapped = files.mapReadOnly(path("index"));
        ByteBuffer buffer = mapped.buffer();

        // then
        assertThat(buffer.isReadOnly()).isTrue();
        assertThat(buffer.getLong()).isEqualTo(0x0102030405060708L);
        assertThat(mapped.buffer().position()).isZero();
        mapped.close();
        mapped.close();
        assertThatThrownBy(mapped::buffer).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldMapAnEmptyFile() throws IOException {
        write("index", "");
        try (MappedFile mapped = files.mapReadOnly(path("index"))) {
            assertThat(mapped.buffer().remaining()).isZero();
        }
    }

    @Test
    void shouldTellFreeSpace() throws IOException {
        assertThat(files.freeSpaceBytes(root)).isPositive();
    }

    @Test
    void shouldGiveALockToOneHolderAtATime() throws IOException {
        // given
        Files.DirectoryLock lock = files.lock(path(".lock"));

        // when, then: asking again, also twice, does not break the lock
        assertThatThrownBy(() -> files.lock(path(".lock"))).isInstanceOf(Files.LockHeldException.class);
        assertThatThrownBy(() -> files.lock(path("./.lock"))).isInstanceOf(Files.LockHeldException.class);
        try (Files.DirectoryLock other = files.lock(path(".other"))) {
            assertThat(other).isNotNull();
        }
        lock.close();
        lock.close();
        files.lock(path(".lock")).close();
        assertThat(files.exists(path(".lock"))).isTrue();
    }

    /** Random calls against a map of byte arrays. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20_240_101})
    void shouldAgreeWithASimpleModel(long seed) throws IOException {
        SeededRandomness random = new SeededRandomness(seed);
        Model model = new Model(random);
        for (int step = 0; step < 600; step++) {
            model.step();
            model.compare("step " + step + " of " + random);
        }
        model.close();
    }

    Path path(String name) {
        return root.resolve(name);
    }

    void write(String name, String content) throws IOException {
        try (FileHandle handle = files.openForAppend(path(name))) {
            handle.append(bytes(content));
        }
    }

    String read(String name) throws IOException {
        try (FileHandle handle = files.openForRead(path(name))) {
            return readAll(handle);
        }
    }

    static String readAll(FileHandle handle) throws IOException {
        return new String(content(handle), StandardCharsets.UTF_8);
    }

    static byte[] content(FileHandle handle) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) handle.size() + 1);
        int count = handle.read(buffer, 0);
        return Arrays.copyOf(buffer.array(), count);
    }

    static ByteBuffer bytes(String content) {
        return ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
    }

    /** The same calls on the files and on a map. */
    private final class Model {
        private static final List<String> NAMES = List.of("a", "b", "dir/c", "dir/d");

        private final SeededRandomness random;
        private final Map<String, byte[]> expected = new TreeMap<>();
        private final Map<String, FileHandle> open = new TreeMap<>();

        private Model(SeededRandomness random) throws IOException {
            this.random = random;
            files.createDirectory(path("dir"));
        }

        private void step() throws IOException {
            String name = random.pick(NAMES);
            switch (random.nextInt(12)) {
                case 0 -> closeHandle(name);
                case 1 -> delete(name);
                case 2 -> rename(name, random.pick(NAMES));
                case 3 -> truncate(name);
                case 4 -> handle(name).force();
                default -> append(name);
            }
        }

        private void append(String name) throws IOException {
            FileHandle handle = handle(name);
            byte[] first = random.nextBytes(random.nextInt(200));
            byte[] second = random.nextBytes(random.nextInt(20));
            handle.append(ByteBuffer.wrap(first), ByteBuffer.wrap(second));
            byte[] old = expected.getOrDefault(name, new byte[0]);
            ByteBuffer joined = ByteBuffer.allocate(old.length + first.length + second.length);
            expected.put(name, joined.put(old).put(first).put(second).array());
        }

        private void truncate(String name) throws IOException {
            FileHandle handle = handle(name);
            byte[] old = expected.getOrDefault(name, new byte[0]);
            int size = random.nextInt(old.length + 10);
            handle.truncate(size);
            expected.put(name, Arrays.copyOf(old, Math.min(size, old.length)));
        }

        private void delete(String name) throws IOException {
            closeHandle(name);
            if (expected.remove(name) == null) {
                assertThatThrownBy(() -> files.delete(path(name))).isInstanceOf(NoSuchFileException.class);
            } else {
                files.delete(path(name));
            }
        }

        private void rename(String from, String to) throws IOException {
            if (!expected.containsKey(from) || from.equals(to)) {
                return;
            }
            closeHandle(to);
            files.rename(path(from), path(to));
            expected.put(to, expected.remove(from));
            FileHandle moved = open.remove(from);
            if (moved != null) {
                open.put(to, moved);
            }
        }

        private FileHandle handle(String name) throws IOException {
            FileHandle handle = open.get(name);
            if (handle == null) {
                handle = files.openForAppend(path(name));
                open.put(name, handle);
                expected.putIfAbsent(name, new byte[0]);
            }
            return handle;
        }

        private void closeHandle(String name) throws IOException {
            FileHandle handle = open.remove(name);
            if (handle != null) {
                handle.close();
            }
        }

        private void compare(String when) throws IOException {
            List<String> names = new ArrayList<>();
            for (String name : NAMES) {
                if (files.exists(path(name))) {
                    names.add(name);
                }
            }
            assertThat(names).as(when).containsExactlyElementsOf(expected.keySet());
            String name = random.pick(NAMES);
            byte[] content = expected.get(name);
            if (content == null) {
                return;
            }
            assertThat(files.size(path(name))).as(when).isEqualTo(content.length);
            int from = random.nextInt(content.length + 5);
            int count = random.nextInt(content.length + 5);
            ByteBuffer target = ByteBuffer.allocate(count);
            try (FileHandle reader = files.openForRead(path(name))) {
                reader.read(target, from);
            }
            byte[] read = Arrays.copyOf(target.array(), target.position());
            int begin = Math.min(from, content.length);
            assertThat(read)
                    .as(when)
                    .isEqualTo(Arrays.copyOfRange(content, begin, Math.min(begin + count, content.length)));
        }

        private void close() throws IOException {
            for (FileHandle handle : open.values()) {
                handle.close();
            }
        }
    }
}
