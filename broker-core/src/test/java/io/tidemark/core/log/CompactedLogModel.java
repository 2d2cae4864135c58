package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.record.Codec;
import io.tidemark.record.LogRecord;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A compacted log as all records that were ever appended to it, beside the real one. A record may be missing only if it is a
 * tombstone, or if a later one of its key was committed when the log was cleaned; whatever is there is what was appended.
 */
final class CompactedLogModel implements ModelRun.Model {
    private static final int KEYS = 6;

    private final LogRig rig;
    private final Function<LogRig, Cleaning> cleanings;
    private final NavigableMap<Long, Entry> records = new TreeMap<>();
    private final NavigableSet<Long> batchEnds = new TreeSet<>();
    private Cleaning cleaning;
    private SegmentedLog log;
    private int epoch;
    private int values;
    private long committed;
    private long start;

    /** What compacts the logs of a rig; made anew whenever the broker starts. */
    @FunctionalInterface
    interface Cleaning {
        /** Nothing is ever compacted. */
        Cleaning NONE = () -> {};

        /** Compacts what may be compacted now. */
        void run();
    }

    /** A record's key, and its value: empty for a tombstone. */
    private record Entry(String key, String value) {
        boolean isTombstone() {
            return value.isEmpty();
        }
    }

    CompactedLogModel(SeededRandomness random, Function<LogRig, Cleaning> cleanings) {
        LogConfig config = LogConfig.DEFAULTS
                .withSegmentBytes(300 + random.nextInt(600))
                .withIndex(1 + random.nextInt(200), 8 * (1 + random.nextInt(40)))
                .withDeleteDelay(Duration.ofSeconds(random.nextInt(3)));
        this.rig = new LogRig(config.with(
                config.compaction().withPolicy(CleanupPolicy.COMPACT).withMinDirtyRatio(0)));
        this.cleanings = cleanings;
        this.cleaning = cleanings.apply(rig);
        this.log = rig.leader();
    }

    @Override
    public String step(SeededRandomness random) {
        int dice = random.nextInt(100);
        if (dice < 50) {
            return append(random);
        }
        if (dice < 66) {
            return commit(random);
        }
        if (dice < 80) {
            cleaning.run();
            return "clean";
        }
        if (dice < 84) {
            return truncate(random);
        }
        if (dice < 87) {
            return advanceStart(random);
        }
        if (dice < 91) {
            rig.scheduler.advance(Duration.ofSeconds(random.nextInt(70)));
            return "wait";
        }
        return restart(random);
    }

    private String append(SeededRandomness random) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 16, 1 << 16);
        long offset = log.end().offset();
        int count = 1 + random.nextInt(5);
        StringBuilder trace = new StringBuilder("append");
        for (int i = 0; i < count; i++) {
            String key = "key " + random.nextInt(KEYS);
            String value = random.oneIn(5) ? "" : "value " + values++;
            builder.tryAppend(1_000, bytes(key), value.isEmpty() ? null : bytes(value), List.of());
            records.put(offset + i, new Entry(key, value));
            trace.append(' ').append(offset + i).append('=').append(key);
        }
        ByteBuffer batch = Batches.join(builder.build(ProducerStamp.NONE));
        assertThat(log.appendAsLeader(batch, epoch)).isInstanceOf(AppendResult.Appended.class);
        batchEnds.add(offset + count);
        return trace.toString();
    }

    /** Everything is forced, and committed up to the end of some batch. */
    private String commit(SeededRandomness random) {
        log.force();
        List<Long> further = List.copyOf(batchEnds.tailSet(committed, false));
        if (!further.isEmpty()) {
            committed = random.oneIn(2) ? further.get(further.size() - 1) : random.pick(further);
            log.committedBound(committed);
        }
        return "commit up to " + committed;
    }

    private String truncate(SeededRandomness random) {
        long offset = committed + random.nextInt((int) (log.end().offset() - committed) + 1);
        long end = log.truncateTo(offset).offset();
        assertThat(end).isBetween(committed, offset);
        // A cut that is not forced may be undone by a power loss.
        log.force();
        cutModel(end);
        return "truncate to " + offset;
    }

    private void cutModel(long end) {
        records.tailMap(end, true).clear();
        batchEnds.tailSet(end, false).clear();
    }

    private String advanceStart(SeededRandomness random) {
        if (committed > start) {
            start += random.nextInt((int) (committed - start) + 1);
            assertThat(log.advanceStartOffset(start)).isTrue();
        }
        return "start offset " + start;
    }

    private String restart(SeededRandomness random) {
        int kind = random.nextInt(3);
        if (kind == 0) {
            rig.restartCleanly();
        } else if (kind == 1) {
            rig.crash();
        } else {
            rig.disk.powerLoss(random);
            rig.start();
        }
        log = rig.log();
        cleaning = cleanings.apply(rig);
        epoch++;
        log.becomeLeader(epoch);
        assertThat(log.end().offset()).as("what is committed").isGreaterThanOrEqualTo(committed);
        assertThat(log.startOffset()).isLessThanOrEqualTo(start);
        cutModel(log.end().offset());
        start = log.startOffset();
        committed = Math.max(committed, start);
        log.committedBound(committed);
        return List.of("restart", "kill", "power loss").get(kind);
    }

    @Override
    public void check(SeededRandomness random) {
        assertThat(rig.failures).isEmpty();
        assertThat(log.startOffset()).isEqualTo(start);
        NavigableMap<Long, Entry> found = read();
        found.forEach(
                (offset, entry) -> assertThat(entry).as("record at %d", offset).isEqualTo(records.get(offset)));
        records.tailMap(start, true).forEach((offset, entry) -> {
            if (!found.containsKey(offset)) {
                assertThat(mayBeMissing(offset, entry))
                        .as("%s at %d is missing; committed up to %d", entry, offset, committed)
                        .isTrue();
            }
        });
    }

    private boolean mayBeMissing(long offset, Entry entry) {
        boolean isReplaced = records.subMap(offset, false, committed, false).values().stream()
                .anyMatch(later -> later.key().equals(entry.key()));
        return offset < committed && (isReplaced || entry.isTombstone());
    }

    private NavigableMap<Long, Entry> read() {
        NavigableMap<Long, Entry> found = new TreeMap<>();
        long offset = log.startOffset();
        while (offset < log.end().offset()) {
            ByteBuffer bytes = LogRig.read(log, offset, 300).batches();
            if (!bytes.hasRemaining()) {
                break;
            }
            for (RecordBatch batch : RecordBatches.of(bytes)) {
                assertThat(batch.isCrcValid()).isTrue();
                for (LogRecord record : batch.records()) {
                    take(record, found);
                }
                offset = batch.nextOffset();
            }
        }
        return found;
    }

    private void take(LogRecord record, NavigableMap<Long, Entry> found) {
        assertThat(found.isEmpty() || record.offset() > found.lastKey())
                .as("offsets rise: %d", record.offset())
                .isTrue();
        if (record.offset() >= start) {
            found.put(record.offset(), new Entry(text(record.key()), text(record.value())));
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(ByteBuffer bytes) {
        return bytes == null
                ? ""
                : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }
}
