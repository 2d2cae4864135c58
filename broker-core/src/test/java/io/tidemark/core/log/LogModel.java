package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.ErrorCode;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** A log as a list of batches, beside the real one on a simulated disk. */
final class LogModel {
    private static final int PRODUCERS = 3;

    private final LogRig rig;
    private final SeededRandomness random;
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

    LogModel(LogRig rig, SeededRandomness random) {
        this.rig = rig;
        this.random = random;
        this.log = rig.leader();
    }

    List<Throwable> failures() {
        return rig.failures;
    }

    /** Takes a random step with both; answers what it was. */
    String step() {
        int dice = random.nextInt(100);
        if (dice < 40) {
            return appendAsLeader();
        }
        if (dice < 55) {
            return appendAsFollower();
        }
        if (dice < 62) {
            return repeat();
        }
        if (dice < 70) {
            return truncate();
        }
        if (dice < 72) {
            return startAgain();
        }
        if (dice < 78) {
            return force();
        }
        if (dice < 84) {
            return wait(Duration.ofMillis(random.nextInt(3_000)));
        }
        if (dice < 86) {
            return advanceStart();
        }
        if (dice < 88) {
            return retain();
        }
        if (dice < 92) {
            rig.restartCleanly();
            log = rig.log();
            afterRestart();
            return "restart";
        }
        if (dice < 96) {
            rig.crash();
            log = rig.log();
            afterRestart();
            return "kill";
        }
        return losePower();
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
        if (random.oneIn(3)) {
            return Batches.of(texts);
        }
        long producerId = firstProducer + random.nextInt(PRODUCERS);
        int sequence = nextSequences.getOrDefault(producerId, 0);
        nextSequences.put(producerId, sequence + texts.length);
        return Batches.of(new ProducerStamp(producerId, (short) 0, sequence), texts);
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
        java.util.Arrays.fill(texts, "repeated");
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

    private String truncate() {
        long offset = start + random.nextInt((int) (end - start) + 3);
        LogEnd after = log.truncateTo(offset);
        if (offset < end) {
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
        end = start + random.nextInt((int) (end - start) + 20);
        log.truncateFullyAndStartAt(end);
        epoch++;
        batches.clear();
        start = end;
        durableEnd = end;
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

    private String wait(Duration duration) {
        rig.scheduler.advance(duration);
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

    /** The real log is what the model says. */
    void check() {
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
        for (Written batch : visible) {
            assertThat(log.positionOf(batch.last()))
                    .isEqualTo(log.positionOf(Math.max(start, batch.base())))
                    .isLessThanOrEqualTo(log.end().position() - batch.sizeBytes());
        }
        checkRead(visible);
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
