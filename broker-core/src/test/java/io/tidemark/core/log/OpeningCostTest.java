package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.outline;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a start asks of the disk for a log that was closed cleanly: a broker has thousands of them. */
final class OpeningCostTest {
    private static final int SEGMENT_BYTES = 400;

    private final List<String> calls = new ArrayList<>();
    private final SimDisk disk = new SimDisk();
    private final LogRig rig =
            new LogRig(LogRig.CONFIG.withSegmentBytes(SEGMENT_BYTES).withIndex(1, 1 << 20), disk, recording());

    private Files recording() {
        return (Files) Proxy.newProxyInstance(
                Files.class.getClassLoader(), new Class<?>[] {Files.class}, (proxy, method, arguments) -> {
                    for (Object argument : arguments) {
                        if (argument instanceof Path path) {
                            calls.add(method.getName() + " " + LogRig.DIRECTORY.relativize(path));
                        }
                    }
                    return call(method, arguments);
                });
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(disk, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private List<String> callsIn(String what, Path directory) {
        String prefix = what + " " + LogRig.DIRECTORY.relativize(directory);
        return calls.stream().filter(call -> call.startsWith(prefix)).toList();
    }

    /** Three segments of which the last has one batch. */
    private List<String> fillAndStop() {
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 9; i++) {
            append(log, 0, Batches.ofSize(100));
        }
        List<String> before = outline(log);
        rig.directories.closeCleanly();
        calls.clear();
        return before;
    }

    @Test
    void shouldListTheDirectoryOfALogOnceAndOpenEachFileOfItsSealedSegmentsOnce() {
        // given: issue 4, 2,000 logs open in under 5 s after a clean stop
        // Fails if: ProducerSnapshots.known forgets the names
        List<String> before = fillAndStop();

        // when
        rig.start();

        // then
        Path directory = rig.partitionDirectory();
        assertThat(callsIn("list", directory)).hasSize(1);
        assertThat(callsIn("openForRead", directory).stream()
                        .filter(call -> call.matches(".*/0+[04]\\..*"))
                        .toList())
                .containsExactlyInAnyOrder(
                        "openForRead orders-0/00000000000000000000.index",
                        "openForRead orders-0/00000000000000000000.timeindex",
                        "openForRead orders-0/00000000000000000000.log",
                        "openForRead orders-0/00000000000000000004.index",
                        "openForRead orders-0/00000000000000000004.timeindex",
                        "openForRead orders-0/00000000000000000004.log");
        assertThat(calls.stream().filter(call -> call.contains(" orders-0")).toList())
                .hasSizeLessThanOrEqualTo(24);
        assertThat(outline(rig.log())).isEqualTo(before);
    }

    @Test
    void shouldChangeNothingInTheDirectoryOfALogThatWasClosedCleanly() {
        // given: issue 4
        // Fails if: LogLoader.tryLoad writes the epoch file even if it holds what is to be written
        fillAndStop();

        // when
        rig.start();

        // then: the last segment alone is opened to be appended to
        Path directory = rig.partitionDirectory();
        assertThat(callsIn("openForAppend", directory))
                .containsExactly("openForAppend orders-0/00000000000000000008.log");
        assertThat(callsIn("rename", directory)).isEmpty();
        assertThat(callsIn("delete", directory)).isEmpty();
        assertThat(callsIn("forceDirectory", directory)).isEmpty();
        assertThat(callsIn("mapReadOnly", directory)).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void shouldPruneSnapshotsWithoutListingTheDirectoryAgain() throws Exception {
        // given: the record of recovery points, once a minute, comes to every log
        // Fails if: ProducerSnapshots.offsets lists the directory each time
        fillAndStop();
        rig.start();
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 12; i++) {
            append(log, 0, Batches.ofSize(100));
        }
        log.force();
        calls.clear();

        // when
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);

        // then
        assertThat(callsIn("list", rig.partitionDirectory())).isEmpty();
        assertThat(rig.filesWith(".snapshot"))
                .containsExactly("00000000000000000016.snapshot", "00000000000000000020.snapshot");
    }
}
