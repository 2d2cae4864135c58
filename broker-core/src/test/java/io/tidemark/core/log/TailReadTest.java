package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a reader sees between the write of a batch's bytes and the publication of its offset; the appender is held there. */
final class TailReadTest {
    private final SimDisk disk = new SimDisk();
    private Runnable onWritten = () -> {};

    /** The disk, which calls {@link #onWritten} when the bytes of a batch are in the file and nobody knows yet. */
    private Files held() {
        return (Files) proxy(Files.class, disk, (method, result, arguments) -> {
            boolean isLog = result instanceof FileHandle
                    && arguments[0] instanceof Path path
                    && path.toString().endsWith(".log");
            return isLog ? heldHandle((FileHandle) result) : result;
        });
    }

    private Object heldHandle(FileHandle handle) {
        return proxy(FileHandle.class, handle, (method, result, arguments) -> {
            if (method.getName().equals("append")) {
                onWritten.run();
            }
            return result;
        });
    }

    private interface After {
        Object apply(Method method, Object result, Object[] arguments);
    }

    private static Object proxy(Class<?> type, Object target, After after) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            try {
                return after.apply(method, method.invoke(target, arguments), arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    @Test
    void shouldShowNothingOfABatchWhoseOffsetIsNotPublished() {
        // given: KAFKA-2477, 100 records; the next one's bytes are in the file
        // Fails if: LogReader answers OutOfRange at the log's end (`>` made `>=`)
        LogRig rig = new LogRig(LogRig.CONFIG.withIndex(1, 1 << 20), disk, held());
        SegmentedLog log = rig.leader();
        LogRig.append(log, 0, Batches.ofCount(100));
        List<ReadResult> seen = new ArrayList<>();
        List<LogEnd> ends = new ArrayList<>();
        onWritten = () -> {
            ends.add(log.end());
            seen.add(LogRig.read(log, 100));
            seen.add(LogRig.read(log, 99));
        };

        // when
        LogRig.append(log, 0, Batches.ofCount(1));

        // then: the end is not ahead of the bytes, nor the bytes of the end
        onWritten = () -> {};
        assertThat(ends).extracting(LogEnd::offset).containsExactly(100L);
        ReadResult.Data atEnd = (ReadResult.Data) seen.get(0);
        ReadResult.Data below = (ReadResult.Data) seen.get(1);
        assertThat(atEnd.batches().hasRemaining()).isFalse();
        assertThat(atEnd.end().offset()).isEqualTo(100);
        assertThat(Batches.outline(below.batches())).containsExactly("0-99@0");
        assertThat(Batches.outline(LogRig.read(log, 100).batches())).containsExactly("100-100@0");
    }
}
