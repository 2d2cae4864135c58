package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.ModelRun;
import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A time index as a map from timestamps to last offsets, both of which rise, beside the real one: active or sealed, reopened, and
 * after crashes and power losses. What was forced of a sealed index is there after a power loss; what was not is made anew, as a
 * recovery does.
 */
public final class TimeIndexModel implements ModelRun.Model {
    private static final Path DIRECTORY = Path.of("/log");
    private static final int MAX_GAP = 30;
    private static final int LOOK_UPS = 6;

    private final SimDisk disk = new SimDisk();
    private final SegmentSpace space = new SegmentSpace(disk, DIRECTORY, new ResourceCache(2), new ResourceCache(2));
    private final NavigableMap<Long, Long> entries = new TreeMap<>();
    private final SegmentFiles files;
    private final long base;
    private TimeIndex index;
    private boolean isActive;
    private boolean isForced;
    private int written;
    private long nextOffset;

    /** What may fail as a disk may. */
    private interface Step {
        void run() throws IOException;
    }

    /** An empty, active index. */
    public TimeIndexModel(SeededRandomness random) {
        this.base = random.oneIn(3) ? 0 : Math.abs(random.nextLong() >> 2);
        this.files = new SegmentFiles(DIRECTORY, base);
        perform(this::begin);
    }

    private void begin() throws IOException {
        disk.createDirectory(DIRECTORY);
        disk.forceDirectory(DIRECTORY.getParent());
        index = new TimeIndex(space, files);
        index.create();
        entries.clear();
        nextOffset = base;
        written = 0;
        isActive = true;
        isForced = false;
    }

    @Override
    public String step(SeededRandomness random) {
        int dice = random.nextInt(20);
        if (dice < 2) {
            perform(() -> reopen(random));
            return "reopen";
        }
        if (dice < 3) {
            perform(() -> losePower(random));
            return "power loss";
        }
        if (!isActive) {
            return random.oneIn(2) ? force() : unseal();
        }
        if (dice < 5) {
            return seal();
        }
        if (dice < 7) {
            perform(index::writePending);
            written = entries.size();
            return "write what is pending";
        }
        return dice < 10 ? truncate(random) : add(random);
    }

    private String force() {
        perform(() -> {
            index.force();
            disk.forceDirectory(DIRECTORY);
        });
        isForced = true;
        return "force";
    }

    private String unseal() {
        perform(index::unseal);
        isActive = true;
        isForced = false;
        return "unseal";
    }

    private String seal() {
        perform(index::seal);
        written = entries.size();
        isActive = false;
        return "seal";
    }

    /** Of several batches, some with a timestamp that does not rise: those get no entry. */
    private String add(SeededRandomness random) {
        int count = 1 + random.nextInt(4);
        StringBuilder trace = new StringBuilder("add");
        for (int i = 0; i < count; i++) {
            long lastMs = entries.isEmpty() ? -1 : entries.lastKey();
            long timestampMs = random.oneIn(4) ? lastMs - random.nextInt(3) : lastMs + 1 + random.nextInt(MAX_GAP);
            long lastOffset = nextOffset + random.nextInt(MAX_GAP);
            perform(() -> index.add(new TimeIndex.Entry(timestampMs, lastOffset)));
            if (timestampMs > lastMs) {
                entries.put(timestampMs, lastOffset);
            }
            nextOffset = lastOffset + 1;
            trace.append(' ').append(timestampMs).append('@').append(lastOffset - base);
        }
        return trace.toString();
    }

    private String truncate(SeededRandomness random) {
        long offset = entries.isEmpty() || random.oneIn(4)
                ? base + random.nextInt((int) (nextOffset - base) + 2)
                : random.pick(List.copyOf(entries.values())) - 1 + random.nextInt(3);
        perform(() -> index.truncateTo(offset));
        entries.values().removeIf(lastOffset -> lastOffset >= offset);
        written = Math.min(written, entries.size());
        nextOffset = Math.max(base, Math.min(nextOffset, offset));
        return "truncate to base + " + (offset - base);
    }

    /** The process dies and comes back: what was not handed to the file is gone. */
    private void reopen(SeededRandomness random) throws IOException {
        disk.processCrash();
        while (entries.size() > written) {
            entries.pollLastEntry();
        }
        open();
        if (random.oneIn(2)) {
            index.unsealUnread();
            isActive = true;
            isForced = false;
        }
    }

    private void open() throws IOException {
        index = new TimeIndex(space, files);
        assertThat(index.openSealed()).isEqualTo(entryOf(entries.lastEntry()));
        isActive = false;
    }

    private void losePower(SeededRandomness random) throws IOException {
        disk.powerLoss(random);
        if (isForced) {
            open();
        } else {
            begin();
        }
    }

    @Override
    public void check(SeededRandomness random) {
        assertThat(index.count()).isEqualTo(entries.size());
        if (isActive) {
            assertThat(index.last()).isEqualTo(entryOf(entries.lastEntry()));
        }
        perform(() -> {
            for (int i = 0; i < LOOK_UPS; i++) {
                assertLookUp(target(random));
            }
            assertLookUp(Long.MIN_VALUE);
            assertLookUp(Long.MAX_VALUE);
            if (!isActive) {
                assertThat(disk.size(files.timeIndex())).isEqualTo((long) entries.size() * TimeIndex.ENTRY_BYTES);
            }
        });
    }

    private void assertLookUp(long timestampMs) throws IOException {
        assertThat(index.lookupBelow(timestampMs))
                .as("look-up below %d", timestampMs)
                .isEqualTo(entryOf(entries.lowerEntry(timestampMs)));
    }

    private static TimeIndex.Entry entryOf(Map.Entry<Long, Long> entry) {
        return entry == null ? TimeIndex.Entry.NONE : new TimeIndex.Entry(entry.getKey(), entry.getValue());
    }

    /** A time at, right below or right above an entry, or any. */
    private long target(SeededRandomness random) {
        if (entries.isEmpty() || random.oneIn(4)) {
            return random.nextInt(1_000) - 2L;
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
