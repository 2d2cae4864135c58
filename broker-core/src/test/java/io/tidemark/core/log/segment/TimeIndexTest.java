package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.MappedFile;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.segment.TimeIndex.Entry;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TimeIndexTest {
    private static final Path DIRECTORY = Path.of("/log");
    private static final long BASE = 40;

    private final SimDisk disk = new SimDisk();
    private final SegmentSpace space = space(disk);
    private final SegmentFiles files = new SegmentFiles(DIRECTORY, BASE);
    private TimeIndex index;

    @BeforeEach
    void createIndex() throws IOException {
        disk.createDirectory(DIRECTORY);
        index = new TimeIndex(space, files);
        index.create();
    }

    private static SegmentSpace space(Files io) {
        return new SegmentSpace(io, DIRECTORY, new ResourceCache(2), new ResourceCache(2));
    }

    private byte[] content() throws IOException {
        return FileBytes.content(disk, files.timeIndex());
    }

    private void append(byte[] bytes) throws IOException {
        FileBytes.append(disk, files.timeIndex(), bytes);
    }

    /** DESIGN section 3 "Segment". */
    // Fails if: TimeIndex.add leaves out .flip(), or writes the offset before the timestamp
    @Test
    void shouldStoreTimestampAndLastOffsetMinusBaseBigEndian() throws IOException {
        // given
        index.add(new Entry(0x0102030405060708L, BASE + 0x0a0b));
        index.add(new Entry(0x0102030405060709L, BASE + 0x0a0c));

        // when
        index.seal();

        // then
        assertThat(content())
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 10, 11, 1, 2, 3, 4, 5, 6, 7, 9, 0, 0, 10, 12);
    }

    /** DESIGN section 3: "only when the timestamp rises". */
    // Fails if: TimeIndex.add compares with < instead of <=
    @Test
    void shouldTakeRisingTimestampsOnly() throws IOException {
        // given
        index.add(Entry.NONE);
        index.add(new Entry(100, BASE));

        // when
        index.add(new Entry(100, BASE + 1));
        index.add(new Entry(99, BASE + 2));
        index.add(Entry.NONE);

        // then
        assertThat(index.count()).isEqualTo(1);
        assertThat(index.last()).isEqualTo(new Entry(100, BASE));
    }

    /** Scenario 4 of the segment: out of order is refused. */
    // Fails if: the check entry.lastOffset() > last.lastOffset() of TimeIndex.add is left out
    @Test
    void shouldRefuseALaterTimestampAtAnEarlierOffset() throws IOException {
        // given
        index.add(new Entry(100, BASE + 5));

        // when / then
        assertThatThrownBy(() -> index.add(new Entry(101, BASE + 5)))
                .isInstanceOf(Invariant.InvariantBrokenException.class);
        assertThatThrownBy(() -> index.add(new Entry(101, BASE + 1L + Integer.MAX_VALUE)))
                .isInstanceOf(Invariant.InvariantBrokenException.class);
    }

    /** S8, S9: the last entry below a time, on the heap, mapped, on the heap again, and opened anew. */
    // Fails if: TimeIndex.below searches for timestampMs instead of timestampMs - 1
    @Test
    void shouldFindTheLastEntryBelowATimeInEveryState() throws IOException {
        // given
        index.add(new Entry(100, BASE + 4));
        index.add(new Entry(200, BASE + 9));

        // when / then
        assertLookUps(index);
        index.seal();
        assertLookUps(index);
        index.unseal();
        assertLookUps(index);
        index.seal();
        TimeIndex opened = new TimeIndex(space, files);
        assertThat(opened.openSealed()).isEqualTo(new Entry(200, BASE + 9));
        assertLookUps(opened);
    }

    private static void assertLookUps(TimeIndex index) throws IOException {
        assertThat(index.lookupBelow(Long.MIN_VALUE)).isEqualTo(Entry.NONE);
        assertThat(index.lookupBelow(0)).isEqualTo(Entry.NONE);
        assertThat(index.lookupBelow(100)).isEqualTo(Entry.NONE);
        assertThat(index.lookupBelow(101)).isEqualTo(new Entry(100, BASE + 4));
        assertThat(index.lookupBelow(200)).isEqualTo(new Entry(100, BASE + 4));
        assertThat(index.lookupBelow(201)).isEqualTo(new Entry(200, BASE + 9));
        assertThat(index.lookupBelow(Long.MAX_VALUE)).isEqualTo(new Entry(200, BASE + 9));
    }

    /** KAFKA-588. */
    // Fails if: TimeIndex.truncateTo cuts at offset - base instead of offset - base - 1
    @Test
    void shouldKeepExactlyTheEntriesBelowATruncation() throws IOException {
        // given: entries of offsets 1 to 9
        index = new TimeIndex(space, new SegmentFiles(DIRECTORY, 0));
        index.create();
        for (int offset = 1; offset <= 9; offset++) {
            index.add(new Entry(offset * 10L, offset));
        }

        // when / then
        truncateAndAppend(12, 9, 10);
        truncateAndAppend(10, 9, 10);
        truncateAndAppend(9, 8, 9);
        truncateAndAppend(5, 4, 5);
        index.truncateTo(0);
        assertThat(index.last()).isEqualTo(Entry.NONE);
        index.add(new Entry(1, 40));
        assertThat(index.count()).isEqualTo(1);
    }

    private void truncateAndAppend(long offset, long expectedLast, long next) throws IOException {
        index.truncateTo(offset);
        assertThat(index.last().lastOffset()).isEqualTo(expectedLast);
        index.writePending();
        assertThat(disk.size(new SegmentFiles(DIRECTORY, 0).timeIndex()))
                .isEqualTo((long) index.count() * TimeIndex.ENTRY_BYTES);
        index.add(new Entry(next * 10, next));
        index.writePending();
        assertThat(index.last()).isEqualTo(new Entry(next * 10, next));
    }

    /** S8, scenario 5. */
    // Fails if: TimeIndex.openSealed leaves out last.longAt(0, 0) >= 0
    @Test
    void shouldRecogniseUnsoundFiles() throws IOException {
        // given
        index.add(new Entry(100, BASE + 4));
        index.seal();

        // when / then: torn entry, negative offset, negative timestamp, missing
        append(new byte[] {0, 0, 0});
        assertThat(new TimeIndex(space, files).openSealed()).isNull();
        append(new byte[] {0, 0, 0, 0, 1, -1, 0, 0, 0});
        assertThat(new TimeIndex(space, files).openSealed()).isNull();
        append(new byte[] {-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9});
        assertThat(new TimeIndex(space, files).openSealed()).isNull();
        disk.delete(files.timeIndex());
        assertThat(new TimeIndex(space, files).openSealed()).isNull();
    }

    /** KAFKA-7442. */
    // Fails if: TimeIndex.retire does nothing
    @Test
    void shouldAnswerGoneOnceRetired() throws IOException {
        // given
        index.add(new Entry(100, BASE + 4));
        index.seal();
        assertThat(index.lookupBelow(200)).isNotNull();

        // when
        index.retire();

        // then
        assertThat(index.lookupBelow(200)).isNull();
        assertThat(space.mappings().size()).isZero();
    }

    /** DESIGN section 3, S13: a failing disk under a mapping is a storage failure, in whatever thread it shows. */
    // Fails if: EntryFile.lookupMapped does not catch InternalError
    @Test
    void shouldTurnAFaultOfMappedMemoryIntoAStorageFailure() throws IOException {
        // given
        Files broken = (Files) Proxy.newProxyInstance(
                Files.class.getClassLoader(), new Class<?>[] {Files.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(disk, arguments);
                    return method.getName().equals("mapReadOnly") ? unreadable((MappedFile) result) : result;
                });
        index = new TimeIndex(space(broken), files);
        index.create();
        index.add(new Entry(100, BASE + 4));
        index.seal();

        // when / then
        assertThatThrownBy(() -> index.lookupBelow(200))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining(files.timeIndex().toString());
    }

    private static MappedFile unreadable(MappedFile mapped) {
        return (MappedFile) Proxy.newProxyInstance(
                MappedFile.class.getClassLoader(), new Class<?>[] {MappedFile.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("buffer")) {
                        throw new InternalError("a fault occurred in an unsafe memory access operation");
                    }
                    return method.invoke(mapped, arguments);
                });
    }

    /** Scenario 3: random entries and look-ups against a map, over seals, unseals, truncations and openings. */
    // Fails if: IndexEntries.floorSlot starts with low = 1
    @Test
    void shouldAgreeWithAMap() throws IOException {
        long seed = Long.getLong("tidemark.seed", 1);
        SeededRandomness random = new SeededRandomness(seed);
        TreeMap<Long, Long> model = new TreeMap<>();
        for (int step = 0; step < 3_000; step++) {
            change(random, model);
            long target = random.nextInt(20_000) - 10L;
            Map.Entry<Long, Long> expected = model.lowerEntry(target);
            assertThat(index.lookupBelow(target))
                    .as("seed " + seed + " step " + step)
                    .isEqualTo(expected == null ? Entry.NONE : new Entry(expected.getKey(), expected.getValue()));
        }
    }

    private void change(SeededRandomness random, TreeMap<Long, Long> model) throws IOException {
        switch (random.nextInt(12)) {
            case 0 -> {
                index.seal();
                index.unseal();
            }
            case 1 -> {
                index.seal();
                index = new TimeIndex(space, files);
                assertThat(index.openSealed()).isNotNull();
                index.unsealUnread();
            }
            case 2 -> {
                long offset = BASE + random.nextInt(20_000);
                index.truncateTo(offset);
                model.values().removeIf(last -> last >= offset);
            }
            default -> {
                Entry last = index.last();
                Entry next = new Entry(
                        last.timestampMs() + random.nextInt(10),
                        Math.max(BASE - 1, last.lastOffset()) + 1 + random.nextInt(10));
                index.add(next);
                if (next.timestampMs() > last.timestampMs()) {
                    model.put(next.timestampMs(), next.lastOffset());
                }
            }
        }
    }

    /** S12: an index has a largest size, and room in it for the entry of the seal. */
    // Fails if: TimeIndex.isFull leaves out Math.max(1, ...)
    @Test
    void shouldBeFullOneEntryBeforeItsLimit() {
        LogConfig three = LogConfig.DEFAULTS.withIndex(1, 3 * TimeIndex.ENTRY_BYTES + 4);
        assertThat(TimeIndex.isFull(1, three)).isFalse();
        assertThat(TimeIndex.isFull(2, three)).isTrue();
        assertThat(TimeIndex.isFull(0, LogConfig.DEFAULTS.withIndex(1, 8))).isFalse();
    }
}
