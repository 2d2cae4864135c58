package io.tidemark.bench.pauses;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.RetentionConfig;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.RetentionResult;
import io.tidemark.runtime.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Retention takes away all segments but the active one: they are renamed, and unlinked at once, for with a delay it would be over
 * before it began.
 */
final class Deletion implements Disturbance {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
    private static final long KEEP_ACTIVE_ONLY = 1;

    private final AppendedLog appended;
    private final LogConfig keeping;
    private final long bytes;
    private final Clock clock;

    /**
     * @param config of the log
     * @param bytes that are there to be deleted
     */
    Deletion(AppendedLog appended, LogConfig config, long bytes, Clock clock) {
        this.appended = appended;
        this.keeping = withLimit(config, RetentionConfig.UNLIMITED);
        this.bytes = bytes;
        this.clock = clock;
    }

    private static LogConfig withLimit(LogConfig config, long maxBytes) {
        return config.with(config.retention()
                .withLimits(RetentionConfig.UNLIMITED, maxBytes)
                .withDeleteDelay(Duration.ZERO));
    }

    @Override
    public String what() {
        return "segments of " + (bytes >> 20) + " MiB are deleted";
    }

    @Override
    public AppendedLog log() {
        return appended;
    }

    @Override
    public void prepare() {
        appended.log().reconfigure(keeping);
        appended.fill(bytes);
    }

    @Override
    public void run() throws IOException {
        Log log = appended.log();
        log.reconfigure(withLimit(keeping, KEEP_ACTIVE_ONLY));
        RetentionResult result = log.applyRetention(clock.wallMs());
        log.reconfigure(keeping);
        if (result.isNothing()) {
            throw new IllegalStateException("nothing was deleted");
        }
        Path directory = log.logDirectory().resolve(log.partition().toString());
        while (holdsDeleted(directory)) {
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    private static boolean holdsDeleted(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(file -> file.toString().endsWith(".deleted"));
        }
    }
}
