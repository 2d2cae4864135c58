package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.testkit.SeededRandomness;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What comes in between the steps of a swap, while the cleaner forces the directory. */
final class OpenSwapTest {
    private static final int RECORDS = 12;

    private final SimDisk disk = new SimDisk();
    private final LogRig logs = new LogRig(CleanerRig.compacted(150), disk, hooked(disk));
    private final CleanerRig rig = new CleanerRig(logs);
    private Runnable hook = () -> {};
    private boolean armed;
    private int calls;

    /** Runs the hook wherever the partition's directory is forced, but not for what the hook itself does. */
    private Files hooked(Files files) {
        return (Files) Proxy.newProxyInstance(
                Files.class.getClassLoader(), new Class<?>[] {Files.class}, (proxy, method, arguments) -> {
                    if (armed && method.getName().equals("forceDirectory")) {
                        armed = false;
                        hook.run();
                        calls++;
                        armed = true;
                    }
                    try {
                        return method.invoke(files, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private SegmentedLog filled() {
        SegmentedLog log = logs.leader();
        for (int i = 0; i < RECORDS; i++) {
            CleanerRig.write(log, "k" + i % 3 + "=" + i);
        }
        log.force();
        return log;
    }

    private void clean() {
        armed = true;
        rig.tick();
        armed = false;
    }

    private void requireNoLeftovers(String description) throws Exception {
        assertThat(logs.filesWith(".cleaned")).as(description).isEmpty();
        assertThat(logs.filesWith(".swap")).as(description).isEmpty();
        assertThat(logs.failures).as(description).isEmpty();
        assertThat(rig.storageFailures).as(description).isEmpty();
    }

    // Issue 4 (6): appends hardly wait for the cleaner
    // Fails if: LogCleaning.swap forces the directory under the log's lock.
    @Test
    void shouldNotHaveAppendsWaitForTheDirectory() throws Exception {
        // given
        SegmentedLog log = filled();
        hook = () -> CompletableFuture.supplyAsync(() -> log.appendAsLeader(CleanerRig.batch("k0=later"), 0))
                .orTimeout(10, TimeUnit.SECONDS)
                .join();

        // when
        clean();

        // then
        assertThat(calls).isGreaterThan(3);
        assertThat(rig.cleaner.passes()).isEqualTo(1);
        assertThat(log.end().offset()).isEqualTo(RECORDS + calls);
        assertThat(CleanerRig.replay(log)).isEqualTo(Map.of("k0", "later", "k1", "10", "k2", "11"));
        requireNoLeftovers("appended");
    }

    private enum Change {
        TRUNCATE,
        TRUNCATE_FULLY,
        SHORTEN;

        void make(SegmentedLog log) {
            switch (this) {
                case TRUNCATE -> log.truncateTo(4);
                case TRUNCATE_FULLY -> log.truncateFullyAndStartAt(3);
                case SHORTEN -> {
                    log.advanceStartOffset(7);
                    log.applyRetention(0);
                }
            }
        }
    }

    // Scenario 22, DESIGN 3: what was cut or deleted does not come back, whatever the swap was doing
    // Fails if: LogTruncator.apply, or LogHead.removeBelow, does not settle the swap.
    @Test
    void shouldSettleForWhateverChangesTheSegments() throws Exception {
        for (Change change : Change.values()) {
            int call = 0;
            while (new OpenSwapTest().isReached(change, call)) {
                call++;
            }
            assertThat(call).as(change.name()).isGreaterThan(3);
        }
    }

    private boolean isReached(Change change, int call) throws Exception {
        // given
        String description = change + " at call " + call;
        SegmentedLog log = filled();
        boolean[] isReached = {false};
        hook = () -> {
            if (calls == call) {
                isReached[0] = true;
                change.make(log);
            }
        };

        // when
        clean();
        rig.tick();
        log.force();
        LogEnd end = log.end();
        long startOffset = log.startOffset();
        List<String> records = CleanerRig.records(log);

        // then
        if (isReached[0]) {
            assertThat(records)
                    .as(description)
                    .allSatisfy(record -> assertThat(offsetOf(record)).isBetween(startOffset, end.offset() - 1));
            assertThat(end.offset()).as(description).isEqualTo(expectedEnd(change));
        }
        requireNoLeftovers(description);
        rig.stop();
        disk.powerLoss(new SeededRandomness(call));
        logs.start();
        SegmentedLog loaded = logs.log();
        assertThat(loaded.end().offset()).as(description).isEqualTo(end.offset());
        assertThat(CleanerRig.records(loaded)).as(description).isEqualTo(records);
        requireNoLeftovers(description);
        return isReached[0];
    }

    private static long expectedEnd(Change change) {
        return switch (change) {
            case TRUNCATE -> 4;
            case TRUNCATE_FULLY -> 3;
            case SHORTEN -> RECORDS;
        };
    }

    private static long offsetOf(String record) {
        return Long.parseLong(record.substring(0, record.indexOf(':')));
    }
}
