package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import io.tidemark.record.InvalidBatchException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much memory one read takes, by the largest buffer that is handed to a file. */
final class ReadMemoryTest {
    private static final int BATCH_BYTES = 1_000;
    private static final int SEGMENT_BYTES = 3 << 20;
    private static final int BATCHES = SEGMENT_BYTES / BATCH_BYTES + 10;
    private static final int LARGEST_WINDOW_BYTES = 64 * 1024;
    private static final Path FIRST_SEGMENT =
            LogRig.DIRECTORY.resolve(LogRig.PARTITION.toString()).resolve("00000000000000000000.log");

    private final SimDisk disk = new SimDisk();
    private int largestBytes;

    private static Object delegate(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Files watched(Files files) {
        return (Files) Proxy.newProxyInstance(
                Files.class.getClassLoader(), new Class<?>[] {Files.class}, (proxy, method, arguments) -> {
                    Object result = delegate(files, method, arguments);
                    return result instanceof FileHandle handle ? watched(handle) : result;
                });
    }

    private FileHandle watched(FileHandle handle) {
        return (FileHandle) Proxy.newProxyInstance(
                FileHandle.class.getClassLoader(), new Class<?>[] {FileHandle.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("read")) {
                        largestBytes = Math.max(largestBytes, ((ByteBuffer) arguments[0]).capacity());
                    }
                    return delegate(handle, method, arguments);
                });
    }

    /** A log that takes batches up to 64 KiB, with one sealed segment. */
    private SegmentedLog filled() {
        LogConfig config = LogRig.CONFIG.withSegmentBytes(SEGMENT_BYTES);
        config = config.with(config.messages().withMaxBytes(LARGEST_WINDOW_BYTES));
        SegmentedLog log = new LogRig(config, disk, watched(disk)).leader();
        for (int i = 0; i < BATCHES; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES));
        }
        return log;
    }

    private static ReadResult ask(Log log, long offset) {
        return LogRig.ask(log, offset, 2 * BATCH_BYTES);
    }

    // KAFKA-6834, S5: a length of one or two megabytes where there is one kilobyte costs no memory
    // Fails if: SegmentReader.firstBatchAlone makes a buffer of whatever size the header claims
    @ParameterizedTest
    @ValueSource(ints = {20, 21})
    void shouldNotTakeMemoryOnTheWordOfADamagedLength(int bit) throws Exception {
        // given
        SegmentedLog log = filled();
        FileBytes.flip(disk, FIRST_SEGMENT, 500 * BATCH_BYTES + 8 + 3 - bit / 8, 1 << (bit % 8));
        largestBytes = 0;

        // when
        ReadResult result = ask(log, 500);

        // then
        assertThat(result).isInstanceOf(ReadResult.Corrupt.class);
        assertThat(largestBytes).isBetween(1, LARGEST_WINDOW_BYTES);
        assertThat(Batches.outline(((ReadResult.Data) ask(log, 501)).batches())).startsWith("501-501@0");
    }

    // KAFKA-6834: the same of a search by time
    // Fails if: TimeWalk.firstIn makes a buffer of whatever size the header claims
    @Test
    void shouldNotTakeMemoryForASearchOnTheWordOfADamagedLength() throws Exception {
        // given: all batches have the same time, so the first one is asked
        SegmentedLog log = filled();
        FileBytes.flip(disk, FIRST_SEGMENT, 8 + 1, 1 << 5);
        largestBytes = 0;

        // when / then
        assertThatThrownBy(() -> log.search(new TimeSearch(1, log.end().offset(), () -> true)))
                .isInstanceOf(InvalidBatchException.class);
        assertThat(largestBytes).isBetween(1, LARGEST_WINDOW_BYTES);
    }

    // KAFKA-2063: a batch from before the limit was lowered is given whole
    // Fails if: SegmentReader.firstBatchAlone refuses what is larger than the log takes
    @Test
    void shouldGiveABatchThatIsLargerThanTheLogTakesNow() {
        // given
        LogRig rig = new LogRig(LogRig.CONFIG.withSegmentBytes(SEGMENT_BYTES), disk, watched(disk));
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 5; i++) {
            append(log, 0, Batches.ofSize(1 << 20));
        }

        // when
        log.reconfigure(rig.config.with(rig.config.messages().withMaxBytes(LARGEST_WINDOW_BYTES)));

        // then
        for (int offset = 0; offset < 5; offset++) {
            assertThat(Batches.outline(((ReadResult.Data) ask(log, offset)).batches()))
                    .containsExactly(offset + "-" + offset + "@0");
        }
    }
}
