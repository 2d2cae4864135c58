package io.tidemark.bench.compare;

import io.tidemark.runtime.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a client or an administrative command to its end, bounded in time; its output goes to files. Used by one thread,
 * except {@link #close}.
 */
final class Tool {
    private static final Duration SLICE = Duration.ofMillis(200);
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);
    private static final int TOLD_LINES = 3;

    private final Clock clock;
    private final Path logs;
    private volatile boolean closed;

    /** @param logs directory of the output files */
    Tool(Clock clock, Path logs) {
        this.clock = clock;
        this.logs = logs;
    }

    /** As {@link #run(String, List, Duration, Runnable)}, with nothing to do meanwhile. */
    List<String> run(String name, List<String> command, Duration limit) throws IOException, InterruptedException {
        return run(name, command, limit, () -> {});
    }

    /**
     * Runs the command; answers the lines of its standard output.
     *
     * @param name of its output files
     * @param meanwhile called a few times per second
     * @throws InterruptedException also after {@link #close}
     * @throws JobFailure if it ends with another status than 0, or not within {@code limit}: then it is killed
     */
    List<String> run(String name, List<String> command, Duration limit, Runnable meanwhile)
            throws IOException, InterruptedException {
        Path out = logs.resolve(name + ".out");
        Path err = logs.resolve(name + ".err");
        requireOpen();
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            await(name, process, limit, meanwhile);
        } finally {
            process.destroyForcibly();
            process.waitFor(END_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        requireOpen();
        if (process.exitValue() != 0) {
            throw new JobFailure(name + " ended with status " + process.exitValue() + lastLines(err));
        }
        return Files.readAllLines(out, StandardCharsets.UTF_8);
    }

    /** From now on runs nothing, and kills what runs. Thread-safe; for the end of the process. */
    void close() {
        closed = true;
        ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    }

    boolean isClosed() {
        return closed;
    }

    private void requireOpen() throws InterruptedException {
        if (closed) {
            throw new InterruptedException("the comparison was ended");
        }
    }

    private void await(String name, Process process, Duration limit, Runnable meanwhile) throws InterruptedException {
        long startNs = clock.monotonicNs();
        while (!process.waitFor(SLICE.toMillis(), TimeUnit.MILLISECONDS)) {
            meanwhile.run();
            if (clock.monotonicNs() - startNs > limit.toNanos()) {
                throw new JobFailure(name + " did not end within " + limit.toSeconds() + " s and was killed");
            }
        }
    }

    private static String lastLines(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        List<String> last = lines.subList(Math.max(0, lines.size() - TOLD_LINES), lines.size());
        return last.isEmpty() ? "" : ": " + String.join(" | ", last) + " (" + file + ")";
    }
}
