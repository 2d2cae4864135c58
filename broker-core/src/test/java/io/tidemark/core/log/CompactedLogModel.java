package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.CleanerConfig;
import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.CompactionConfig;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.segment.Segment;
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
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * A compacted log as all records that were ever appended to it, beside the real one and its cleaner.
 *
 * <p>Whatever is there is what was appended. A record is missing only if it was committed and old enough to be compacted, and either
 * a later one of its key was too, or it is a tombstone whose time is over. What is there of a key is always its latest records:
 * nothing comes back when a tombstone goes. Cleaned at leisure, a log has one record of each key.
 */
final class CompactedLogModel implements ModelRun.Model {
    private static final int KEYS = 6;
    private static final int PRODUCERS = 2;
    private static final int MAX_DATED_BACK_MS = 20_000;
    private static final int MAX_CLEANER_STEPS = 60;

    private final LogRig rig;
    private final CleanerRig cleaner;
    private final CompactionConfig compaction;
    private final NavigableMap<Long, Entry> records = new TreeMap<>();

    /** The batches, by the offset behind each. */
    private final NavigableMap<Long, Sent> batches = new TreeMap<>();

    private SegmentedLog log;
    private int epoch;
    private int values;
    private long firstProducer;
    private long committed;
    private long start;
    private long durableStart;

    /** Below this records were deleted on demand or by size: whether they are there says nothing. */
    private long deletedBelow;

    /** A record; the value of a tombstone is empty. */
    private record Entry(String key, String value, long timestampMs) {
        boolean isTombstone() {
            return value.isEmpty();
        }
    }

    /** A batch by its producer, if it has one. */
    private record Sent(long producerId, int nextSequence) {}

    CompactedLogModel(SeededRandomness random) {
        this.compaction = randomCompaction(random);
        LogConfig config = LogConfig.DEFAULTS
                .withSegmentBytes(300 + random.nextInt(600))
                .withIndex(1 + random.nextInt(200), 8 * (1 + random.nextInt(40)))
                .withDeleteDelay(Duration.ofSeconds(random.nextInt(3)));
        this.rig = new LogRig(config.with(compaction));
        this.cleaner = new CleanerRig(rig, randomCleaner(random));
        this.log = rig.leader();
    }

    private static CompactionConfig randomCompaction(SeededRandomness random) {
        Duration minLag = random.oneIn(2) ? Duration.ZERO : Duration.ofSeconds(1 + random.nextInt(60));
        Duration maxLag =
                random.oneIn(2) ? CompactionConfig.FOREVER : minLag.plus(Duration.ofSeconds(1 + random.nextInt(60)));
        return CompactionConfig.DEFAULTS
                .withPolicy(random.oneIn(3) ? CleanupPolicy.COMPACT_AND_DELETE : CleanupPolicy.COMPACT)
                .withMinDirtyRatio(random.oneIn(3) ? 0.5 : 0)
                .withLags(minLag, maxLag)
                .withDeleteRetention(Duration.ofSeconds(random.nextInt(100)));
    }

    /** With a map for all keys, or for a few of them. */
    private static CleanerConfig randomCleaner(SeededRandomness random) {
        int mapBytes = random.oneIn(3) ? 24 * (2 + random.nextInt(5)) : 1 << 12;
        return new CleanerConfig(1, mapBytes, 64 + random.nextInt(1_000), Long.MAX_VALUE, CleanerRig.BACKOFF);
    }

    @Override
    public String step(SeededRandomness random) {
        int dice = random.nextInt(100);
        if (dice < 44) {
            return append(random);
        }
        if (dice < 58) {
            return commit(random);
        }
        if (dice < 74) {
            return dice < 66 ? clean() : cleanInPart(random);
        }
        if (dice < 77) {
            return retain(random);
        }
        if (dice < 81) {
            return truncate(random);
        }
        if (dice < 84) {
            return advanceStart(random);
        }
        if (dice < 90) {
            cleaner.advance(Duration.ofSeconds(random.nextInt(70)));
            return "wait";
        }
        return restart(random);
    }

    private String append(SeededRandomness random) {
        RecordBatchBuilder builder =
                new RecordBatchBuilder(random.oneIn(6) ? Codec.GZIP : Codec.NONE, 1 << 16, 1 << 16);
        long offset = log.end().offset();
        int count = 1 + random.nextInt(5);
        StringBuilder trace = new StringBuilder("append");
        for (int i = 0; i < count; i++) {
            Entry entry = new Entry(
                    "key " + random.nextInt(KEYS),
                    random.oneIn(5) ? "" : "value " + values++,
                    cleaner.clock().wallMs() - random.nextInt(MAX_DATED_BACK_MS));
            ByteBuffer value = entry.isTombstone() ? null : bytes(entry.value());
            builder.tryAppend(entry.timestampMs(), bytes(entry.key()), value, List.of());
            records.put(offset + i, entry);
            trace.append(' ').append(offset + i).append('=').append(entry.key());
        }
        ProducerStamp producer = producer(random);
        ByteBuffer batch = Batches.join(builder.build(producer));
        assertThat(log.appendAsLeader(batch, epoch)).isInstanceOf(AppendResult.Appended.class);
        batches.put(offset + count, new Sent(producer.producerId(), producer.baseSequence() + count));
        return trace.append(" from ").append(producer.producerId()).toString();
    }

    /** It goes on from its last batch, whatever became of the records in it. */
    private ProducerStamp producer(SeededRandomness random) {
        if (random.oneIn(2)) {
            return ProducerStamp.NONE;
        }
        long producerId = firstProducer + random.nextInt(PRODUCERS);
        int sequence = batches.descendingMap().values().stream()
                .filter(sent -> sent.producerId() == producerId)
                .mapToInt(Sent::nextSequence)
                .findFirst()
                .orElse(0);
        return new ProducerStamp(producerId, (short) 0, sequence);
    }

    /** Everything is forced, and committed up to the end of some batch. */
    private String commit(SeededRandomness random) {
        log.force();
        List<Long> further = List.copyOf(batches.tailMap(committed, false).keySet());
        if (!further.isEmpty()) {
            committed = random.oneIn(2) ? further.get(further.size() - 1) : random.pick(further);
            log.committedBound(committed);
        }
        return "commit up to " + committed;
    }

    /** Twice: what was begun before may end with nothing and a rest. */
    private String clean() {
        cleaner.tick();
        cleaner.tick();
        if (compaction.minLag().isZero() && compaction.minDirtyRatio() == 0) {
            requireOneRecordForEachKey();
        }
        return "clean";
    }

    private void requireOneRecordForEachKey() {
        Set<String> keys = new HashSet<>();
        read().subMap(deletedBelow, Math.max(deletedBelow, firstUncleanable()))
                .forEach((offset, entry) -> assertThat(keys.add(entry.key()))
                        .as("%s at %d has a companion in the clean part", entry, offset)
                        .isTrue());
    }

    /** Where the first segment begins that is active or not committed as a whole. */
    private long firstUncleanable() {
        List<Segment> segments = log.cleaning().snapshot().orElseThrow().segments();
        int last = segments.size() - 1;
        int first = 0;
        while (first < last && segments.get(first + 1).base() <= committed) {
            first++;
        }
        return segments.get(first).base();
    }

    /** A pass that was begun goes on, or not, after whatever comes next. */
    private String cleanInPart(SeededRandomness random) {
        int steps = 1 + random.nextInt(MAX_CLEANER_STEPS);
        for (int i = 0; i < steps; i++) {
            cleaner.step(CleanerRig.BACKOFF);
        }
        return steps + " steps of the cleaner";
    }

    private String retain(SeededRandomness random) {
        long limitBytes = random.nextInt(3_000);
        log.reconfigure(rig.config.with(rig.config.retention().withLimits(-1, limitBytes)));
        RetentionResult result = log.applyRetention(0);
        long end = compaction.policy().deletes() ? committed : start;
        assertThat(log.startOffset()).isBetween(start, Math.max(start, end));
        raiseStart(log.startOffset());
        if (!result.isNothing()) {
            durableStart = start;
        }
        return "retain " + limitBytes + " bytes: " + result;
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
        batches.tailMap(end, false).clear();
    }

    private String advanceStart(SeededRandomness random) {
        if (committed > start) {
            long offset = start + random.nextInt((int) (committed - start) + 1);
            assertThat(log.advanceStartOffset(offset)).isTrue();
            raiseStart(offset);
        }
        return "start offset " + start;
    }

    /** Producers whose batches have gone with the head are known only as long as there is a snapshot of them. */
    private void raiseStart(long offset) {
        if (offset > start) {
            firstProducer += PRODUCERS;
        }
        start = offset;
        deletedBelow = Math.max(deletedBelow, start);
    }

    private String restart(SeededRandomness random) {
        int kind = random.nextInt(3);
        long end = log.end().offset();
        if (kind == 0) {
            cleaner.stop();
            rig.restartCleanly();
        } else if (kind == 1) {
            rig.crash();
        } else {
            rig.disk.powerLoss(random);
            rig.start();
        }
        log = rig.log();
        cleaner.start();
        epoch++;
        log.becomeLeader(epoch);
        assertThat(log.end().offset()).as("what is certain").isBetween(kind < 2 ? end : committed, end);
        assertThat(log.startOffset()).isBetween(durableStart, start);
        cutModel(log.end().offset());
        start = log.startOffset();
        committed = Math.max(committed, start);
        log.committedBound(committed);
        return List.of("restart", "kill", "power loss").get(kind);
    }

    @Override
    public void check(SeededRandomness random) {
        cleaner.requireHealthy();
        assertThat(log.startOffset()).isEqualTo(start);
        NavigableMap<Long, Entry> found = read();
        found.forEach(
                (offset, entry) -> assertThat(entry).as("record at %d", offset).isEqualTo(records.get(offset)));
        Set<String> seen = new HashSet<>();
        records.tailMap(deletedBelow, true).forEach((offset, entry) -> {
            if (found.containsKey(offset)) {
                seen.add(entry.key());
            } else {
                requireRightlyMissing(offset, entry);
                assertThat(seen)
                        .as("keys with records in front of the missing %s at %d", entry, offset)
                        .doesNotContain(entry.key());
            }
        });
    }

    private void requireRightlyMissing(long offset, Entry entry) {
        boolean isReplaced = records.subMap(offset, false, Math.max(offset + 1, committed), false).values().stream()
                .anyMatch(later -> later.key().equals(entry.key()) && isOlderThan(later, compaction.minLag()));
        boolean isOver =
                entry.isTombstone() && isOlderThan(entry, compaction.minLag().plus(compaction.deleteRetention()));
        assertThat(offset < committed && isOlderThan(entry, compaction.minLag()) && (isReplaced || isOver))
                .as("%s at %d may be missing; committed up to %d", entry, offset, committed)
                .isTrue();
    }

    private boolean isOlderThan(Entry entry, Duration age) {
        return entry.timestampMs() + age.toMillis() <= cleaner.clock().wallMs();
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
            found.put(record.offset(), new Entry(text(record.key()), text(record.value()), record.timestampMs()));
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
