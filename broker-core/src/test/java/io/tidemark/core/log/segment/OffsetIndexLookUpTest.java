package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.runtime.Invariant.InvariantBrokenException;
import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The offset index against a sorted map, and its limits. */
final class OffsetIndexLookUpTest {
    private static final Path DIRECTORY = Path.of("/log");
    private static final long BASE = 5_000_000_000L;
    private static final LogConfig CONFIG = LogConfig.DEFAULTS;
    private static final int ENTRIES = 5_000;
    private static final int LOOK_UPS = 100_000;

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

    private static OffsetIndex.Hint expected(TreeMap<Long, Integer> entries, long offset) {
        Map.Entry<Long, Integer> floor = entries.floorEntry(offset);
        Map.Entry<Long, Integer> higher = entries.higherEntry(offset);
        return new OffsetIndex.Hint(
                floor == null ? OffsetIndex.Hint.NO_ENTRY : floor.getKey(),
                floor == null ? 0 : floor.getValue(),
                higher == null ? Integer.MAX_VALUE : higher.getValue());
    }

    @Test
    void shouldAgreeWithASortedMapInAHundredThousandLookUps() throws IOException {
        // given: scenario 3
        // Fails if: IndexEntries.floorSlot compares with `<` instead of `<=`
        SeededRandomness random = new SeededRandomness(Long.getLong("tidemark.seed", 3));
        TreeMap<Long, Integer> entries = new TreeMap<>();
        long offset = BASE;
        int position = 0;
        for (int i = 0; i < ENTRIES; i++) {
            offset += random.nextInt(50) + 1;
            position += random.nextInt(1_000) + 61;
            index.add(offset, position, CONFIG);
            entries.put(offset, position);
        }

        // when / then: the first half on the heap, the second in a mapping
        for (int i = 0; i < LOOK_UPS; i++) {
            if (i == LOOK_UPS / 2) {
                index.seal();
            }
            long target = BASE - 10 + random.nextInt((int) (offset - BASE) + 20);
            assertThat(index.lookup(target)).as("offset %s, %s", target, random).isEqualTo(expected(entries, target));
        }
        for (long extreme : new long[] {0, BASE - 1, entries.firstKey(), entries.lastKey(), Long.MAX_VALUE}) {
            assertThat(index.lookup(extreme)).as("offset %s", extreme).isEqualTo(expected(entries, extreme));
        }
    }

    @Test
    void shouldRefuseEntriesThatDoNotRiseOrDoNotFit() throws IOException {
        // given: scenario 4; a last offset that is the base is a good one
        // Fails if: OffsetIndex.add does not compare with the entry before
        LogConfig three = CONFIG.withIndex(1, 3 * OffsetIndex.ENTRY_BYTES);
        index.add(BASE, 0, three);
        index.add(BASE + 5, 100, three);

        // when / then
        assertThatThrownBy(() -> index.add(BASE + 5, 200, three)).isInstanceOf(InvariantBrokenException.class);
        assertThatThrownBy(() -> index.add(BASE + 4, 200, three)).isInstanceOf(InvariantBrokenException.class);
        assertThatThrownBy(() -> index.add(BASE - 1, 200, three)).isInstanceOf(InvariantBrokenException.class);
        assertThatThrownBy(() -> index.add(BASE + Integer.MAX_VALUE + 1L, 200, three))
                .isInstanceOf(InvariantBrokenException.class);
        index.add(BASE + Integer.MAX_VALUE, 200, three);
        index.add(BASE + Integer.MAX_VALUE, 300, three);
        assertThat(index.count()).isEqualTo(3);
    }

    @Test
    void shouldKeepItsEntriesOverReopeningAndTruncation() throws IOException {
        // given: scenario 4
        // Fails if: OffsetIndex.seal does not write what is pending
        for (int i = 0; i < 10; i++) {
            index.add(BASE + i, 100 * i, CONFIG);
        }

        // when
        index.seal();
        OffsetIndex reopened = new OffsetIndex(space, files);
        OffsetIndex.Hint last = reopened.openSealed(10_000);

        // then
        assertThat(last).isEqualTo(new OffsetIndex.Hint(BASE + 9, 900, Integer.MAX_VALUE));
        assertThat(reopened.count()).isEqualTo(10);
        reopened.unsealUnread();
        reopened.truncateTo(BASE + 4);
        assertThat(reopened.count()).isEqualTo(4);
        reopened.seal();
        OffsetIndex again = new OffsetIndex(space, files);
        assertThat(again.openSealed(10_000)).isEqualTo(new OffsetIndex.Hint(BASE + 3, 300, Integer.MAX_VALUE));
        assertThat(again.count()).isEqualTo(4);
    }
}
