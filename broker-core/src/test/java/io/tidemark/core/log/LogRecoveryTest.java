package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

final class LogRecoveryTest {
    private static final int SEGMENT_BYTES = 1 << 20;

    private final SimDisk disk = new SimDisk();
    private long readBytes;

    private static Object delegate(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Files counted(Files files) {
        return (Files) Proxy.newProxyInstance(
                Files.class.getClassLoader(), new Class<?>[] {Files.class}, (proxy, method, arguments) -> {
                    Object result = delegate(files, method, arguments);
                    return result instanceof FileHandle handle ? counted(handle) : result;
                });
    }

    private FileHandle counted(FileHandle handle) {
        return (FileHandle) Proxy.newProxyInstance(
                FileHandle.class.getClassLoader(), new Class<?>[] {FileHandle.class}, (proxy, method, arguments) -> {
                    Object result = delegate(handle, method, arguments);
                    if (method.getName().equals("read")) {
                        readBytes += (int) result;
                    }
                    return result;
                });
    }

    // Issue 4 (7): the time of an unclean start follows the bytes beyond the recovery point.
    // Fails if: LogRecovery.check leaves the indexes of what it has checked to be rebuilt by Segment.open.
    @Test
    void shouldReadWhatItChecksOnce() {
        // given
        LogConfig config = LogConfig.DEFAULTS.withSegmentBytes(SEGMENT_BYTES);
        LogRig rig = new LogRig(config, disk, counted(disk));
        SegmentedLog log = rig.leader();
        while (log.sizeBytes() < 4L * SEGMENT_BYTES) {
            LogRig.append(log, 0, Batches.ofSize(5_000));
        }
        long sizeBytes = log.sizeBytes();
        LogEnd end = log.end();
        readBytes = 0;

        // when
        rig.crash();

        // then
        assertThat(rig.log().end()).isEqualTo(end);
        assertThat(readBytes).isBetween(sizeBytes, sizeBytes * 5 / 4);
    }
}
