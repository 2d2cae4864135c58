package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.ModelRun;
import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** An offset index as a map from last offsets to positions, beside the real one: active or sealed, reopened, and after crashes. */
public final class OffsetIndexModel implements ModelRun.Model {
    private static final Path DIRECTORY = Path.of("/log");
    private static final int MAX_GAP = 30;
    private static final int HUGE_GAP = 1 << 28;

    private final SimDisk disk = new SimDisk();
    private final SegmentSpace space = new SegmentSpace(disk, DIRECTORY, new ResourceCache(2), new ResourceCache(2));
    private final NavigableMap<Long, Integer> entries = new TreeMap<>();
    private final long base;
    private final int maxEntries;
    private OffsetIndex index;
    private boolean isActive = true;
    private int written;
    private long nextOffset;
    private int nextPosition;

    /** What may fail as a disk may. */
    private interface Step {
        void run() throws IOException;
    }

    /** An empty, active index. */
    public OffsetIndexModel(SeededRandomness random) {
        this.base = random.oneIn(3) ? 0 : Math.abs(random.nextLong() >> 2);
        this.maxEntries = random.oneIn(4) ? 1 + random.nextInt(5) : 200;
        this.nextOffset = base;
        this.index = newIndex();
        perform(() -> {
            disk.createDirectory(DIRECTORY);
            index.create();
        });
    }

    @Override
    public String step(SeededRandomness random) {
        int dice = random.nextInt(10);
        if (dice == 0) {
            perform(this::reopen);
            return "reopen";
        }
        if (!isActive) {
            perform(index::unseal);
            isActive = true;
            return "unseal";
        }
        if (dice == 1) {
            perform(index::seal);
            written = entries.size();
            isActive = false;
            return "seal";
        }
        if (dice == 2) {
            perform(index::writePending);
            written = entries.size();
            return "write what is pending";
        }
        return dice < 5 ? truncate(random) : add(random);
    }

    private String add(SeededRandomness random) {
        int count = 1 + random.nextInt(4);
        int added = 0;
        for (int i = 0; i < count; i++) {
            added += addOne(random);
        }
        return "add " + added + " of " + count;
    }

    private int addOne(SeededRandomness random) {
        long lastOffset = nextOffset + random.nextInt(random.oneIn(20) ? HUGE_GAP : MAX_GAP);
        int position = nextPosition + random.nextInt(1_000);
        if (lastOffset - base > Integer.MAX_VALUE) {
            return 0;
        }
        perform(() ->
                index.add(lastOffset, position, LogConfig.DEFAULTS.withIndex(1, maxEntries * OffsetIndex.ENTRY_BYTES)));
        if (entries.size() == maxEntries) {
            return 0;
        }
        entries.put(lastOffset, position);
        nextOffset = lastOffset + 1;
        nextPosition = position + 1;
        return 1;
    }

    private String truncate(SeededRandomness random) {
        long offset = target(random);
        perform(() -> index.truncateTo(offset));
        entries.tailMap(offset, true).clear();
        written = Math.min(written, entries.size());
        nextOffset = Math.max(base, Math.min(nextOffset, offset));
        nextPosition = entries.isEmpty() ? 0 : entries.lastEntry().getValue() + 1;
        return "truncate to base + " + (offset - base);
    }

    /** The process dies and comes back: what was not handed to the file is gone. */
    private void reopen() throws IOException {
        disk.processCrash();
        if (isActive) {
            while (entries.size() > written) {
                entries.pollLastEntry();
            }
        }
        nextPosition = entries.isEmpty() ? 0 : entries.lastEntry().getValue() + 1;
        index = newIndex();
        OffsetIndex.Hint last = index.openSealed(nextPosition);
        assertThat(last).isEqualTo(entries.isEmpty() ? OffsetIndex.Hint.START : hintFor(Long.MAX_VALUE));
        written = entries.size();
        isActive = false;
    }

    private OffsetIndex newIndex() {
        return new OffsetIndex(space, new SegmentFiles(DIRECTORY, base));
    }

    @Override
    public void check(SeededRandomness random) {
        assertThat(index.count()).isEqualTo(entries.size());
        assertThat(index.lastPosition())
                .isEqualTo(entries.isEmpty() ? 0 : entries.lastEntry().getValue());
        perform(() -> {
            for (int i = 0; i < 6; i++) {
                assertLookUp(target(random));
            }
            assertLookUp(Long.MAX_VALUE);
            if (!isActive) {
                assertThat(disk.size(new SegmentFiles(DIRECTORY, base).index()))
                        .isEqualTo((long) entries.size() * OffsetIndex.ENTRY_BYTES);
            }
        });
    }

    private void assertLookUp(long target) throws IOException {
        assertThat(index.lookup(target))
                .as("look-up of base + %d", target - base)
                .isEqualTo(hintFor(target));
    }

    private OffsetIndex.Hint hintFor(long target) {
        Map.Entry<Long, Integer> floor = entries.floorEntry(target);
        Map.Entry<Long, Integer> next = entries.higherEntry(target);
        return new OffsetIndex.Hint(
                floor == null ? OffsetIndex.Hint.NO_ENTRY : floor.getKey(),
                floor == null ? 0 : floor.getValue(),
                next == null ? Integer.MAX_VALUE : next.getValue());
    }

    /** An offset at, right below or right above an entry, or anywhere. */
    private long target(SeededRandomness random) {
        if (entries.isEmpty() || random.oneIn(4)) {
            return base - 1 + random.nextInt((int) Math.min(Integer.MAX_VALUE, nextOffset - base + 3));
        }
        return random.pick(new ArrayList<>(entries.keySet())) - 1 + random.nextInt(3);
    }

    private static void perform(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
