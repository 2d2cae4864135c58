package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.FlushConfig;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.ErrorCode;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** A log as a list of batches, beside the real one on a simulated disk. */
final class LogModel implements ModelRun.Model {
    private static final int PRODUCERS = 3;
    private static final int READS = 3;
    private static final int POSITIONS = 5;

    private final LogRig rig;
    private final LogTimesModel times = new LogTimesModel();
    private SeededRandomness random;
    private final Set<Written> everWritten = new HashSet<>();
    private final Set<List<Written>> everAdjacent = new HashSet<>();
    private SegmentedLog log;
    private List<Written> batches = new ArrayList<>();
    private long end;
    private long start;
    private long durableEnd;
    private long durableStart;
    private long firstProducer;
    private int epoch;
    private int values;

    /** A batch by what makes it that batch and no other. */
    record Written(long base, long last, int epoch, long crc, int sizeBytes, ProducerStamp producer) {
        static Written of(RecordBatch batch) {
            return new Written(
                    batch.baseOffset(),
                    batch.lastOffset(),
                    batch.partitionLeaderEpoch(),
                    batch.crc(),
                    batch.sizeBytes(),
                    batch.hasProducerId()
                            ? new ProducerStamp(batch.producerId(), batch.producerEpoch(), batch.baseSequence())
                            : ProducerStamp.NONE);
        }
    }

    LogModel(SeededRandomness random) {
        this.random = random;
        this.rig = new LogRig(randomConfig());
        this.log = rig.leader();
    }

    private LogConfig randomConfig() {
        return LogConfig.DEFAULTS
                .withSegmentBytes(300 + random.nextInt(1_000))
                .withIndex(1 + random.nextInt(200), 8 * (1 + random.nextInt(40)))
                .withDeleteDelay(Duration.ofSeconds(random.nextInt(3)))
                .with(randomFlush());
    }

    private FlushConfig randomFlush() {
        FlushConfig flush = FlushConfig.DEFAULTS.withEvery(
                random.oneIn(2) ? Long.MAX_VALUE : 1 + random.nextInt(10),
                random.oneIn(2) ? Optional.empty() : Optional.of(Duration.ofMillis(1 + random.nextInt(2_000))));
        return random.oneIn(4) ? flush.withMode(FlushMode.SYNC) : flush;
    }

    @Override
    public String step(SeededRandomness stepRandom) {
        random = stepRandom;
        int dice = random.nextInt(100);
        if (dice < 53) {
            return dice < 38 ? appendAsLeader() : appendAsFollower();
        }
        if (dice < 60) {
            return repeat();
        }
        if (dice < 70) {
            return dice < 68 ? truncate() : startAgain();
        }
        if (dice < 76) {
            return force();
        }
        if (dice < 82) {
            return wait(Duration.ofMillis(random.nextInt(3_000)));
        }
        if (dice < 86) {
            return advanceStart();
        }
        if (dice < 89) {
            return dice < 88 ? attemptForbidden() : reconfigure();
        }
        return dice < 91 ? retain() : end(dice);
    }

    private String end(int dice) {
        if (dice >= 96) {
            return losePower();
        }
        boolean isClean = dice < 94;
        if (isClean) {
            rig.restartCleanly();
        } else {
            rig.crash();
        }
        log = rig.log();
        afterRestart();
        return isClean ? "restart" : "kill";
    }

    private String appendAsLeader() {
        epoch += random.nextInt(2);
        log.becomeLeader(epoch);
        ByteBuffer[] parts = new ByteBuffer[1 + random.nextInt(4)];
        TreeMap<Long, Integer> nextSequences = nextSequences();
        for (int i = 0; i < parts.length; i++) {
            parts[i] = batch(nextSequences);
        }
        ByteBuffer bytes = Batches.join(parts);
        AppendResult result = log.appendAsLeader(bytes, epoch);
        assertThat(result).isInstanceOf(AppendResult.Appended.class);
        AppendResult.Appended appended = (AppendResult.Appended) result;
        assertThat(appended.firstOffset()).isEqualTo(end);
        note(bytes);
        assertThat(appended.lastOffset()).isEqualTo(end - 1);
        assertThat(appended.end()).isEqualTo(log.end());
        return "lead " + Batches.outline(bytes);
    }

    private String appendAsFollower() {
        epoch += random.nextInt(2);
        log.becomeFollower(epoch);
        TreeMap<Long, Integer> nextSequences = nextSequences();
        ByteBuffer[] parts = new ByteBuffer[1 + random.nextInt(3)];
        long next = start == end ? straddling(nextSequences, parts) : end;
        for (int i = next > end ? 1 : 0; i < parts.length; i++) {
            next += random.oneIn(4) ? random.nextInt(5) : 0;
            parts[i] = Batches.at(next, epoch, batch(nextSequences));
            next = RecordBatch.at(parts[i], 0).nextOffset();
        }
        ByteBuffer bytes = Batches.join(parts);
        assertThat(log.appendAsFollower(bytes, epoch)).isInstanceOf(AppendResult.Appended.class);
        note(bytes);
        return "follow " + Batches.outline(bytes);
    }

    /** Into an empty log a batch may go that begins below its start (KAFKA-6975); answers where the next one may begin. */
    private long straddling(TreeMap<Long, Integer> nextSequences, ByteBuffer[] parts) {
        long base = Math.max(0, end - random.nextInt(3));
        ByteBuffer candidate = batch(new TreeMap<>(nextSequences));
        long last = base + RecordBatch.at(candidate, 0).lastOffsetDelta();
        if (base == end || last < end || RecordBatch.at(candidate, 0).hasProducerId()) {
            return end;
        }
        parts[0] = Batches.at(base, epoch, candidate);
        batches.clear();
        return last + 1;
    }

    private ByteBuffer batch(TreeMap<Long, Integer> nextSequences) {
        String[] texts = new String[1 + random.nextInt(4)];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "value " + values++ + "x".repeat(random.nextInt(40));
        }
        if (random.oneIn(30)) {
            texts[0] +=
                    "larger than a segment ".repeat(1 + rig.config.segments().bytes() / 20);
        }
        LongSupplier timestampsMs = random.oneIn(15) ? () -> -1 : () -> times.next(random);
        if (random.oneIn(3)) {
            return Batches.of(ProducerStamp.NONE, timestampsMs, texts);
        }
        long producerId = firstProducer + random.nextInt(PRODUCERS);
        int sequence = nextSequences.getOrDefault(producerId, 0);
        nextSequences.put(producerId, sequence + texts.length);
        return Batches.of(new ProducerStamp(producerId, (short) 0, sequence), timestampsMs, texts);
    }

    private TreeMap<Long, Integer> nextSequences() {
        TreeMap<Long, Integer> next = new TreeMap<>();
        for (Written batch : batches) {
            if (batch.producer().producerId() >= 0) {
                int count = (int) (batch.last() - batch.base()) + 1;
                next.put(batch.producer().producerId(), batch.producer().baseSequence() + count);
            }
        }
        return next;
    }

    private void note(ByteBuffer bytes) {
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            Written written = Written.of(batch);
            Written before = batches.isEmpty() ? null : batches.get(batches.size() - 1);
            if (before != null) {
                everAdjacent.add(List.of(before, written));
            }
            everWritten.add(written);
            times.note(written, batch);
            batches.add(written);
            end = batch.nextOffset();
        }
    }

    /** The last batch of a producer is sent again. */
    private String repeat() {
        for (int i = batches.size() - 1; i >= 0; i--) {
            Written original = batches.get(i);
            if (original.producer().producerId() >= firstProducer) {
                return repeat(original);
            }
        }
        return "nothing to repeat";
    }

    private String repeat(Written original) {
        log.becomeLeader(epoch);
        String[] texts = new String[(int) (original.last() - original.base()) + 1];
        Arrays.fill(texts, "repeated");
        AppendResult again = log.appendAsLeader(Batches.of(original.producer(), texts), epoch);
        assertThat(again).isEqualTo(new AppendResult.Duplicate(original.base(), original.last(), log.end()));
        ProducerStamp ahead = new ProducerStamp(
                original.producer().producerId(), (short) 0, original.producer().baseSequence() + texts.length + 1);
        assertThat(log.appendAsLeader(Batches.of(ahead, texts), epoch))
                .isInstanceOfSatisfying(
                        AppendResult.Refused.class,
                        refused -> assertThat(refused.error()).isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER));
        return "repeat " + original;
    }

    /** To any offset: in a batch, in a gap, at or above the end, and below the start, which empties the log there. */
    private String truncate() {
        long offset = Math.max(0, start - 2 + random.nextInt((int) (end - start) + 5));
        LogEnd after = log.truncateTo(offset);
        if (offset < start) {
            epoch++;
            batches.clear();
            start = offset;
            end = offset;
            durableEnd = offset;
            durableStart = Math.min(durableStart, offset);
        } else if (offset < end) {
            long newEnd = offset;
            List<Written> kept = new ArrayList<>();
            for (Written batch : batches) {
                if (batch.last() < offset) {
                    kept.add(batch);
                } else {
                    newEnd = Math.max(start, Math.min(newEnd, batch.base()));
                }
            }
            epoch++;
            batches = kept;
            end = newEnd;
            durableEnd = Math.min(durableEnd, end);
        }
        assertThat(after.offset()).isEqualTo(end);
        return "truncate " + offset;
    }

    private String startAgain() {
        end = random.oneIn(3) ? random.nextInt((int) start + 1) : start + random.nextInt((int) (end - start) + 20);
        log.truncateFullyAndStartAt(end);
        epoch++;
        batches.clear();
        start = end;
        durableEnd = end;
        durableStart = Math.min(durableStart, end);
        return "start again at " + end;
    }

    private String force() {
        assertThat(log.force()).isEqualTo(log.end());
        durableEnd = end;
        return "force";
    }

    private String advanceStart() {
        long offset = start + random.nextInt((int) (end - start) + 1);
        log.committedBound(end);
        log.force();
        durableEnd = end;
        assertThat(log.advanceStartOffset(offset)).isTrue();
        start = offset;
        raisedStart();
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);
        return "start offset " + offset;
    }

    /** What a log refuses changes nothing. */
    private String attemptForbidden() {
        log.becomeFollower(epoch);
        ByteBuffer torn = Batches.at(end, epoch, batch(nextSequences()));
        assertRefused(log.appendAsFollower(torn.duplicate().limit(torn.limit() - 1), epoch), ErrorCode.CORRUPT_MESSAGE);
        ByteBuffer falling = Batches.join(
                Batches.at(end + 10, epoch, Batches.of("later")), Batches.at(end + 5, epoch, Batches.of("sooner")));
        assertRefused(log.appendAsFollower(falling, epoch), ErrorCode.INVALID_RECORD);
        ByteBuffer future = Batches.at(end, epoch + 1, Batches.of("of a later leader"));
        assertRefused(log.appendAsFollower(future, epoch), ErrorCode.INVALID_RECORD);
        assertRefused(log.appendAsLeader(Batches.of("no leader"), epoch), ErrorCode.FENCED_LEADER_EPOCH);
        if (end > start) {
            ByteBuffer again = Batches.at(end - 1, epoch, Batches.of("below the end"));
            assertRefused(log.appendAsFollower(again, epoch), ErrorCode.INVALID_RECORD);
            log.committedBound(end - 1);
            assertThat(log.advanceStartOffset(end)).as("delete-records").isFalse();
        }
        return "attempt what is forbidden";
    }

    private static void assertRefused(AppendResult result, ErrorCode error) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        AppendResult.Refused.class,
                        refused -> assertThat(refused.error()).isEqualTo(error));
    }

    private String reconfigure() {
        rig.config = randomConfig();
        log.reconfigure(rig.config);
        return "reconfigure: " + rig.config.segments();
    }

    /** By size, up to a bound inside the log; what went stays gone, whatever happens (I18). */
    private String retain() {
        long bound = start + random.nextInt((int) (end - start) + 1);
        long limitBytes = random.nextInt(2_000);
        log.committedBound(bound);
        log.reconfigure(rig.config.with(rig.config.retention().withLimits(-1, limitBytes)));
        RetentionResult result = log.applyRetention(0);
        assertThat(log.startOffset()).isBetween(start, bound);
        start = log.startOffset();
        if (!result.isNothing()) {
            durableStart = start;
            raisedStart();
        }
        return "retain " + limitBytes + " bytes up to " + bound + ": " + result;
    }

    /** Producers whose batches have gone with their segments are known only as long as there is a snapshot of them. */
    private void raisedStart() {
        firstProducer += PRODUCERS;
    }

    /** In sync mode nothing stays unforced for any time. */
    private String wait(Duration duration) {
        rig.scheduler.advance(duration);
        if (rig.config.flush().mode() == FlushMode.SYNC) {
            assertThat(log.forcedEnd().offset()).as("forced").isEqualTo(end);
        }
        return "wait " + duration;
    }

    private String losePower() {
        long sure = Math.max(durableEnd, log.forcedEnd().offset());
        List<Written> before = batches;
        rig.disk.powerLoss(random);
        rig.start();
        log = rig.log();
        List<Written> found = readAll();
        for (int i = 0; i < found.size(); i++) {
            assertThat(everWritten).contains(found.get(i));
            if (i > 0) {
                assertThat(everAdjacent).as("no hole, no mixture").contains(found.subList(i - 1, i + 1));
            }
        }
        List<Written> forced = before.stream()
                .filter(batch -> batch.last() < sure && batch.last() >= log.startOffset())
                .toList();
        assertThat(found).as("what was forced").containsAll(forced);
        assertThat(log.startOffset()).isLessThanOrEqualTo(start);
        start = log.startOffset();
        assertThat(start).isGreaterThanOrEqualTo(durableStart);
        if (start > 0) {
            raisedStart();
        }
        end = log.end().offset();
        assertThat(end)
                .isGreaterThanOrEqualTo(
                        forced.isEmpty() ? 0 : forced.get(forced.size() - 1).last() + 1);
        batches = new ArrayList<>(
                before.stream().filter(batch -> batch.last() < start).toList());
        batches.addAll(found);
        durableEnd = end;
        epoch++;
        return "power loss, left is [" + start + ", " + end + ")";
    }

    /** An end in a gap behind the last batch is not remembered; a start offset is recorded now and then. */
    private void afterRestart() {
        long lastEnd = batches.isEmpty()
                ? Math.min(start, log.startOffset())
                : batches.get(batches.size() - 1).last() + 1;
        assertThat(log.end().offset()).isBetween(Math.min(lastEnd, end), end);
        end = log.end().offset();
        durableEnd = end;
        assertThat(log.startOffset()).isBetween(durableStart, start);
        start = log.startOffset();
    }

    @Override
    public void check(SeededRandomness checkRandom) {
        random = checkRandom;
        assertThat(rig.failures).isEmpty();
        List<Written> visible =
                batches.stream().filter(batch -> batch.last() >= start).toList();
        assertThat(log.end().offset()).isEqualTo(end);
        assertThat(log.startOffset()).isEqualTo(start);
        assertThat(readAll()).isEqualTo(visible);
        if (visible.isEmpty()) {
            assertThat(log.end().lastEpoch())
                    .as("of a batch below the start, if any")
                    .isBetween(-1, epoch);
        } else {
            assertThat(log.end().lastEpoch())
                    .isEqualTo(visible.get(visible.size() - 1).epoch());
        }
        assertThat(log.committedBound()).isLessThanOrEqualTo(end);
        checkPositions(visible);
        for (int i = 0; i < READS; i++) {
            checkRead(visible);
            times.check(log, visible, random);
        }
        assertThat(log.read(new ReadRequest(start - 1, 100, ReadRequest.TO_END, ReadRequest.Minimum.NONE)))
                .isEqualTo(new ReadResult.OutOfRange(start, end));
        assertThat(log.read(new ReadRequest(end + 1, 100, ReadRequest.TO_END, ReadRequest.Minimum.NONE)))
                .isEqualTo(new ReadResult.OutOfRange(start, end));
    }

    /** Between the positions of two batches lie the bytes of the batches between them, and nothing for a gap (S34). */
    private void checkPositions(List<Written> visible) {
        long behind = log.end().position();
        for (int i = visible.size() - 1; i >= Math.max(0, visible.size() - POSITIONS); i--) {
            Written batch = visible.get(i);
            behind -= batch.sizeBytes();
            assertThat(log.positionOf(batch.last())).as("position of %s", batch).isEqualTo(behind);
            assertThat(log.positionOf(Math.max(start, batch.base()))).isEqualTo(behind);
        }
        if (!visible.isEmpty()) {
            Written batch = random.pick(visible);
            assertThat(log.positionOf(batch.last()))
                    .isEqualTo(log.positionOf(Math.max(start, batch.base())))
                    .isLessThanOrEqualTo(log.end().position() - batch.sizeBytes());
        }
    }

    private void checkRead(List<Written> visible) {
        long offset = start + random.nextInt((int) (end - start) + 1);
        long limit = start + random.nextInt((int) (end - start) + 2);
        int maxBytes = random.nextInt(400);
        ReadResult.Data data =
                (ReadResult.Data) log.read(new ReadRequest(offset, maxBytes, limit, ReadRequest.Minimum.ONE_BATCH));
        List<Written> expected = visible.stream()
                .filter(batch -> batch.last() >= offset && batch.last() < limit)
                .toList();
        List<Written> got = parse(data.batches());
        assertThat(got).isEqualTo(expected.subList(0, got.size()));
        assertThat(got.isEmpty()).isEqualTo(expected.isEmpty());
        assertThat(data.batches().remaining())
                .satisfiesAnyOf(
                        bytes -> assertThat(bytes).isLessThanOrEqualTo(maxBytes),
                        bytes -> assertThat(got).hasSize(1));
        assertThat(data.position()).isEqualTo(log.positionOf(offset));
    }

    private List<Written> readAll() {
        List<Written> found = new ArrayList<>();
        long offset = log.startOffset();
        while (offset < log.end().offset()) {
            List<Written> some = parse(LogRig.read(log, offset, 250).batches());
            if (some.isEmpty()) {
                break;
            }
            found.addAll(some);
            offset = some.get(some.size() - 1).last() + 1;
        }
        return found;
    }

    private static List<Written> parse(ByteBuffer bytes) {
        List<Written> written = new ArrayList<>();
        RecordBatches.of(bytes).forEach(batch -> written.add(Written.of(batch)));
        return written;
    }
}
