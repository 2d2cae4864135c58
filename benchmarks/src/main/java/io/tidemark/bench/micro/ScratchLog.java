package io.tidemark.bench.micro;

import io.tidemark.bench.disk.Workspace;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.log.AppendResult;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.runtime.SystemScheduler;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A leader's log in a directory of its own below {@code java.io.tmpdir}, which goes with it. */
final class ScratchLog implements AutoCloseable {
    private static final int EPOCH = 1;
    private static final TopicPartition PARTITION = new TopicPartition("benchmark", 0);

    private final Path directory;
    private final SystemScheduler scheduler;
    private final LogDirectories logs;
    private final Log log;

    /** A log whose files are unlinked as soon as they are renamed. */
    ScratchLog(LogConfig settings) throws IOException {
        LogConfig config = settings.withDeleteDelay(Duration.ZERO);
        directory = Files.createTempDirectory("tidemark-benchmark");
        scheduler = new SystemScheduler("benchmark", 1, (runner, failure) -> failure.printStackTrace());
        logs = LogDirectories.load(
                new DiskFiles(),
                scheduler,
                LogDirectories.Settings.of(List.of(directory), config),
                Runnable::run,
                LoadProgress.SILENT);
        log = logs.open(PARTITION, new TopicId(1, 1), config);
        log.becomeLeader(EPOCH);
    }

    Log log() {
        return log;
    }

    /** Appends the same batch again and again: the log gives it its next offsets each time. */
    void append(ByteBuffer batch, int times) {
        for (int i = 0; i < times; i++) {
            if (!(log.appendAsLeader(batch, EPOCH) instanceof AppendResult.Appended)) {
                throw new IllegalStateException("the log refused a batch");
            }
        }
    }

    @Override
    public void close() throws IOException {
        logs.closeAtOnce();
        scheduler.close();
        Workspace.remove(directory);
    }
}
