package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.MappedFile;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Very many rolls, and what large deletions keep from going on. */
final class LogEnduranceTest {
    private static final int ROLLS = 20_000;
    private static final int ROLLS_PER_CYCLE = 200;
    private static final int BATCHES_PER_SEGMENT = 3;
    private static final LogConfig CONFIG =
            LogRig.CONFIG.withSegmentBytes(300).withIndex(1, 1 << 20).withDeleteDelay(Duration.ZERO);

    private final SimDisk disk = new SimDisk();
    private final AtomicInteger openMappings = new AtomicInteger();

    /** KAFKA-7442, second half: mappings are released when their segment goes, not when a collection happens to come. */
    @Test
    void shouldHoldNoMoreMappingsThanSegmentsOverTwentyThousandRolls() throws Exception {
        // given a cache of mappings that bounds nothing here
        // Fails if: Segment.remove does not retire the index
        ManualScheduler scheduler = new ManualScheduler(new ManualClock());
        LogDirectories directories = LogDirectories.load(
                countingMappings(),
                scheduler,
                new LogDirectories.Settings(
                        List.of(LogRig.DIRECTORY), CONFIG, LogRig.RECORDING_PERIOD, ROLLS_PER_CYCLE, ROLLS),
                Runnable::run,
                LoadProgress.SILENT);
        Log log = directories.open(LogRig.PARTITION, LogRig.TOPIC_ID, CONFIG);
        log.becomeLeader(0);
        int mostMappings = 0;

        // when
        for (int rolls = 0; rolls < ROLLS; rolls += ROLLS_PER_CYCLE) {
            long first = log.end().offset();
            for (int i = 0; i < ROLLS_PER_CYCLE * BATCHES_PER_SEGMENT; i++) {
                LogRig.append(log, 0, Batches.ofSize(100));
            }
            for (long offset = first; offset < log.end().offset(); offset++) {
                assertThat(LogRig.read(log, offset, 1).batches().hasRemaining()).isTrue();
            }
            mostMappings = Math.max(mostMappings, openMappings.get());
            log.truncateTo(first + 1);
            scheduler.advance(Duration.ofMillis(1));
            long segments = disk.list(LogRig.DIRECTORY.resolve(LogRig.PARTITION.toString())).stream()
                    .filter(name -> name.endsWith(".log"))
                    .count();
            assertThat((long) openMappings.get()).isLessThanOrEqualTo(segments);
        }

        // then
        assertThat(mostMappings).as("the test does map").isGreaterThan(ROLLS_PER_CYCLE / 2);
        directories.closeCleanly();
        assertThat(openMappings).hasValue(0);
    }

    /** S49: the unlinking of what was deleted, however long it takes, holds up no append. */
    @Test
    void shouldAppendWhileASegmentIsUnlinked() throws Exception {
        // given
        // Fails if: DelayedDeletion unlinks under the log's lock
        FaultPlan plan = new FaultPlan();
        AtomicBoolean appended = new AtomicBoolean();
        LogRig[] rig = new LogRig[1];
        FaultFiles slow = new FaultFiles(disk, plan, delay -> {
            if (appended.compareAndSet(false, true)) {
                appendFromAnotherThread(rig[0]);
            }
        });
        rig[0] = new LogRig(CONFIG, disk, slow);
        SegmentedLog log = rig[0].leader();
        for (int i = 0; i < 10; i++) {
            LogRig.append(log, 0, Batches.ofSize(100));
        }
        plan.add(FaultRule.failing(FileOperation.DELETE, "*.deleted").slowing(Duration.ofSeconds(10)));

        // when
        log.truncateTo(2);
        long end = log.end().offset();
        rig[0].scheduler.advance(Duration.ofMillis(1));

        // then
        assertThat(appended).isTrue();
        assertThat(log.end().offset()).isEqualTo(end + 1);
        assertThat(rig[0].failures).isEmpty();
    }

    /** Fails the caller, who is in the middle of an unlink, if the append has to wait for that. */
    private static void appendFromAnotherThread(LogRig rig) {
        CompletableFuture<AppendResult> append =
                CompletableFuture.supplyAsync(() -> rig.log().appendAsLeader(Batches.ofSize(100), 0));
        assertThat(append.orTimeout(20, TimeUnit.SECONDS).join()).isInstanceOf(AppendResult.Appended.class);
    }

    private Files countingMappings() {
        return (Files) Proxy.newProxyInstance(
                Files.class.getClassLoader(), new Class<?>[] {Files.class}, (proxy, method, arguments) -> {
                    Object result = call(method, arguments);
                    return result instanceof MappedFile mapped ? new Counted(mapped) : result;
                });
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(disk, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private final class Counted implements MappedFile {
        private final MappedFile mapped;
        private final AtomicBoolean closed = new AtomicBoolean();

        Counted(MappedFile mapped) {
            this.mapped = mapped;
            openMappings.incrementAndGet();
        }

        @Override
        public ByteBuffer buffer() {
            return mapped.buffer();
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                openMappings.decrementAndGet();
            }
            mapped.close();
        }
    }
}
