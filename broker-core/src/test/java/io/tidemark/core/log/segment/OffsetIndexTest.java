package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OffsetIndexTest {
    private static final Path DIRECTORY = Path.of("/log");
    private static final long BASE = 40;
    private static final LogConfig CONFIG = LogConfig.DEFAULTS;

    private final SimDisk disk = new SimDisk();
    private final SegmentSpace space = new SegmentSpace(disk, DIRECTORY, new ResourceCache(2), new ResourceCache(2));
    private final SegmentFiles files = new SegmentFiles(DIRECTORY, BASE);
    private OffsetIndex index;

    @BeforeEach
    void createIndex() throws IOException {
        disk.createDirectory(DIRECTORY);
        index = new OffsetIndex(space, files);
        index.create();
    }

    @Test
    void shouldStoreLastOffsetMinusBaseAndPositionBigEndian() throws IOException {
        // given
        index.add(BASE + 0x0102, 0x0a0b0c0d, CONFIG);
        index.add(BASE + 0x0103, 0x0a0b0c0e, CONFIG);

        // when
        index.seal();

        // then
        assertThat(content()).containsExactly(0, 0, 1, 2, 10, 11, 12, 13, 0, 0, 1, 3, 10, 11, 12, 14);
    }

    @Test
    void shouldFindTheLargestEntryAtOrBelowTheTargetInEveryState() throws IOException {
        // given
        index.add(BASE + 4, 100, CONFIG);
        index.add(BASE + 9, 200, CONFIG);

        // when / then: on the heap, mapped, and on the heap again
        assertLookUps();
        index.seal();
        assertLookUps();
        index.unseal();
        assertLookUps();
        OffsetIndex opened = new OffsetIndex(space, files);
        assertThat(opened.openSealed(1_000)).isEqualTo(new OffsetIndex.Hint(BASE + 9, 200, Integer.MAX_VALUE));
        assertThat(opened.lookup(BASE + 8)).isEqualTo(new OffsetIndex.Hint(BASE + 4, 100, 200));
    }

    /** A mapping of the file that an active index cuts would end in a storage failure of a log that is whole. */
    @Test
    void shouldNotBeMappedByAReaderWhoComesWhileItBecomesActive() throws Exception {
        // given
        AtomicReference<Runnable> onRenamed = new AtomicReference<>(() -> {});
        AtomicInteger mapped = new AtomicInteger();
        index = new OffsetIndex(
                new SegmentSpace(watched(onRenamed, mapped), DIRECTORY, new ResourceCache(2), new ResourceCache(2)),
                files);
        index.create();
        index.add(BASE + 4, 100, CONFIG);
        index.seal();
        FutureTask<OffsetIndex.Hint> lookup = new FutureTask<>(() -> index.lookup(BASE + 4));
        Thread reader = new Thread(lookup, "reader");
        onRenamed.set(() -> {
            reader.start();
            while (reader.getState() != Thread.State.BLOCKED && reader.isAlive()) {
                Thread.onSpinWait();
            }
        });

        // when
        index.unseal();

        // then: it is told to look again, or finds the entries on the heap
        assertThat(lookup.get()).isIn(null, new OffsetIndex.Hint(BASE + 4, 100, Integer.MAX_VALUE));
        assertThat(mapped).hasValue(0);
        assertThat(index.lookup(BASE + 4)).isEqualTo(new OffsetIndex.Hint(BASE + 4, 100, Integer.MAX_VALUE));
    }

    private Files watched(AtomicReference<Runnable> onRenamed, AtomicInteger mapped) {
        return (Files) Proxy.newProxyInstance(
                Files.class.getClassLoader(), new Class<?>[] {Files.class}, (proxy, method, arguments) -> {
                    mapped.addAndGet(method.getName().equals("mapReadOnly") ? 1 : 0);
                    Object result = method.invoke(disk, arguments);
                    if (method.getName().equals("rename")) {
                        onRenamed.get().run();
                    }
                    return result;
                });
    }

    private void assertLookUps() throws IOException {
        assertThat(index.lookup(BASE - 1)).isEqualTo(new OffsetIndex.Hint(-1, 0, 100));
        assertThat(index.lookup(BASE + 3)).isEqualTo(new OffsetIndex.Hint(-1, 0, 100));
        assertThat(index.lookup(BASE + 4)).isEqualTo(new OffsetIndex.Hint(BASE + 4, 100, 200));
        assertThat(index.lookup(BASE + 8)).isEqualTo(new OffsetIndex.Hint(BASE + 4, 100, 200));
        assertThat(index.lookup(Long.MAX_VALUE)).isEqualTo(new OffsetIndex.Hint(BASE + 9, 200, Integer.MAX_VALUE));
    }

    @Test
    void shouldKeepExactlyTheEntriesBelowATruncation() throws IOException {
        // given: KAFKA-588
        // Fails if: OffsetIndex.truncateTo keeps the entry of the offset itself
        index = new OffsetIndex(space, new SegmentFiles(DIRECTORY, 0));
        index.create();
        for (int offset = 1; offset <= 9; offset++) {
            index.add(offset, offset * 10, CONFIG);
        }

        // when / then
        truncateAndAppend(12, 9, 10);
        truncateAndAppend(10, 9, 10);
        truncateAndAppend(9, 8, 9);
        truncateAndAppend(5, 4, 5);
        index.truncateTo(0);
        index.add(40, 1, CONFIG);
        assertThat(index.count()).isEqualTo(1);
    }

    private void truncateAndAppend(long offset, long expectedLast, long next) throws IOException {
        index.truncateTo(offset);
        assertThat(index.lookup(Long.MAX_VALUE).lastOffset()).isEqualTo(expectedLast);
        index.writePending();
        assertThat(disk.size(new SegmentFiles(DIRECTORY, 0).index()))
                .isEqualTo((long) index.count() * OffsetIndex.ENTRY_BYTES);
        index.add(next, (int) next * 10, CONFIG);
        index.writePending();
        assertThat(index.lookup(Long.MAX_VALUE).lastOffset()).isEqualTo(next);
    }

    @Test
    void shouldTakeNoEntryBeyondItsLimit() throws IOException {
        // given
        LogConfig two = CONFIG.withIndex(1, 2 * OffsetIndex.ENTRY_BYTES);

        // when
        index.add(BASE, 0, two);
        index.add(BASE + 1, 10, two);
        index.add(BASE + 2, 20, two);

        // then
        assertThat(index.count()).isEqualTo(2);
        assertThat(OffsetIndex.isFull(index.count(), two)).isTrue();
    }

    @Test
    void shouldFindTheMiddleOfSlotsNearTheLargestInt() {
        // S11
        // Fails if: IndexEntries.middle divides the overflown sum by 2
        assertThat(IndexEntries.middle(Integer.MAX_VALUE - 2, Integer.MAX_VALUE))
                .isEqualTo(Integer.MAX_VALUE - 1);
        assertThat(IndexEntries.middle(Integer.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void shouldRecogniseUnsoundFiles() throws IOException {
        // given
        index.add(BASE + 4, 100, CONFIG);
        index.seal();

        // when / then: points behind the log, torn entry, negative offset, missing
        assertThat(new OffsetIndex(space, files).openSealed(100)).isNull();
        append(new byte[] {0, 0, 0});
        assertThat(new OffsetIndex(space, files).openSealed(1_000)).isNull();
        append(new byte[] {0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1});
        assertThat(new OffsetIndex(space, files).openSealed(1_000)).isNull();
        disk.delete(files.index());
        assertThat(new OffsetIndex(space, files).openSealed(1_000)).isNull();
    }

    // Fails if: EntryFile.create leaves the mapping of the file before open
    @Test
    void shouldNotLookIntoTheMappingOfAFileThatWasMadeAnew() throws IOException {
        // given
        index.add(BASE + 4, 100, CONFIG);
        index.seal();
        assertThat(index.lookup(BASE + 9)).isEqualTo(new OffsetIndex.Hint(BASE + 4, 100, Integer.MAX_VALUE));

        // when
        index.create();
        index.add(BASE + 5, 150, CONFIG);
        index.add(BASE + 9, 200, CONFIG);
        index.seal();

        // then
        assertThat(index.lookup(BASE + 8)).isEqualTo(new OffsetIndex.Hint(BASE + 5, 150, 200));
        assertThat(index.lookup(BASE + 9)).isEqualTo(new OffsetIndex.Hint(BASE + 9, 200, Integer.MAX_VALUE));
    }

    @Test
    void shouldAnswerGoneOnceRetired() throws IOException {
        // given: KAFKA-7442
        // Fails if: OnDemand.retire does not let go of the mapping
        index.add(BASE + 4, 100, CONFIG);
        index.seal();
        assertThat(index.lookup(BASE + 5)).isNotNull();

        // when
        index.retire();

        // then
        assertThat(index.lookup(BASE + 5)).isNull();
        assertThat(space.mappings().size()).isZero();
    }

    private byte[] content() throws IOException {
        return FileBytes.content(disk, files.index());
    }

    private void append(byte[] bytes) throws IOException {
        FileBytes.append(disk, files.index(), bytes);
    }
}
