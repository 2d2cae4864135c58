package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the cleaner has forced, and what not: a new segment never much at once, and the active segment not at all, for appends wait
 * meanwhile.
 */
final class CleanerForcesTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final int SEGMENT_BYTES = 12 * MEBIBYTE;
    private static final int MOST_AT_ONCE_BYTES = 5 * MEBIBYTE;
    private static final int VALUE_BYTES = 60_000;
    private static final int ONE_BATCH_BYTES = 70;

    private final SimDisk disk = new SimDisk();
    private final LogRig logs = new LogRig(CleanerRig.compacted(SEGMENT_BYTES), disk, watching());

    /** Bytes of each force of a cleaned segment's batches, in order. */
    private final List<Long> forced = new ArrayList<>();

    private long unforced;

    private Files watching() {
        return (Files) Proxy.newProxyInstance(
                Files.class.getClassLoader(), new Class<?>[] {Files.class}, (proxy, method, arguments) -> {
                    Object result = call(disk, method, arguments);
                    boolean isNewSegment = method.getName().equals("openForAppend")
                            && arguments[0].toString().matches(".*\\.log\\.[0-9]+\\.cleaned");
                    return isNewSegment ? watching((FileHandle) result) : result;
                });
    }

    private FileHandle watching(FileHandle handle) {
        return (FileHandle) Proxy.newProxyInstance(
                FileHandle.class.getClassLoader(), new Class<?>[] {FileHandle.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("append")) {
                        for (ByteBuffer buffer : (ByteBuffer[]) arguments[0]) {
                            unforced += buffer.remaining();
                        }
                    } else if (method.getName().equals("force")) {
                        forced.add(unforced);
                        unforced = 0;
                    }
                    return call(handle, method, arguments);
                });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void shouldForceANewSegmentInPieces() {
        // given: issue 4, appends beside the cleaner; a sealed segment, all of which stays but the first record
        // Fails if: SegmentRecopier.append forces nothing
        CleanerRig rig = new CleanerRig(logs);
        SegmentedLog log = logs.leader();
        CleanerRig.write(log, "k1=old");
        String value = "v".repeat(VALUE_BYTES);
        for (int i = 1; log.end().position() < SEGMENT_BYTES + MEBIBYTE; i++) {
            CleanerRig.write(log, "k" + i + "=" + value);
        }

        // when
        rig.tick();

        // then
        rig.requireHealthy();
        assertThat(rig.cleaner.passes()).isEqualTo(1);
        assertThat(forced).hasSizeGreaterThanOrEqualTo(3).allMatch(bytes -> bytes <= MOST_AT_ONCE_BYTES);
        assertThat(forced.stream().mapToLong(Long::longValue).sum()).isGreaterThan(11L * MEBIBYTE);
        assertThat(unforced).as("written and not forced").isZero();
    }

    @Test
    void shouldLeaveTheActiveSegmentUnforced() {
        // given: issue 4, appends beside the cleaner
        // Fails if: LogCleaning.tryBegin forces the whole log
        LogRig small = new LogRig(CleanerRig.compacted(1_000));
        CleanerRig rig = new CleanerRig(small);
        SegmentedLog log = small.leader();
        for (int i = 0; i < 40; i++) {
            CleanerRig.write(log, "k=" + i);
        }

        // when
        rig.tick();

        // then
        rig.requireHealthy();
        assertThat(rig.cleaner.passes()).isEqualTo(1);
        assertThat(rig.checkpoint()).hasValue(log.forcedEnd().offset());
        assertThat(log.forcedEnd().offset()).isBetween(1L, log.end().offset() - 1);
    }

    @Test
    void shouldKnowAProducersLastDurableSequenceEvenIfItsLaterBatchesAreLost() throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            // given: DESIGN 5; all records of producer 7 but the last, in the active segment, are replaced by somebody
            // else's
            // Fails if: LogCleaning.tryBegin takes no heed of the snapshot of the active segment's base
            LogRig small = new LogRig(CleanerRig.compacted(ONE_BATCH_BYTES));
            CleanerRig rig = new CleanerRig(small);
            SegmentedLog log = small.leader();
            for (int i = 0; i < 3; i++) {
                CleanerRig.write(log, ofProducer(i));
            }
            CleanerRig.write(log, "k=other");
            CleanerRig.write(log, ofProducer(3));
            log.reconfigure(CleanerRig.compacted(1_000));
            rig.tick();
            assertThat(LogRig.outline(log)).containsExactly("2-2@0", "3-3@0", "4-4@0");
            rig.stop();

            // when: nothing is left but what the log was forced to keep, and no snapshots
            small.disk.powerLoss(new SeededRandomness(seed));
            small.deleteSnapshots();
            small.start();

            // then
            assertThat(small.leader().appendAsLeader(ofProducer(2), 0))
                    .as("seed %d", seed)
                    .isInstanceOf(AppendResult.Duplicate.class);
        }
    }

    private static ByteBuffer ofProducer(int sequence) {
        return CleanerRig.batch(Codec.NONE, new ProducerStamp(7, (short) 1, sequence), 1, "k=" + sequence);
    }
}
