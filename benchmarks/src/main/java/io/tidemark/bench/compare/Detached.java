package io.tidemark.bench.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server process that is no child of this one, in a session of its own: its processor time is not mixed with the clients',
 * and Ctrl-C does not reach it.
 *
 * @param mark part of its command line: a pid that another process has taken over is not ours
 */
record Detached(long pid, String mark) {
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(10);
    /** {@code $0} is the directory; what follows is the command. */
    private static final String SCRIPT = "setsid \"$@\" >>\"$0/out.log\" 2>&1 </dev/null & echo $!";

    /** Starts a process whose output goes to {@code out.log} in {@code directory}. */
    static Detached start(List<String> command, Path directory, String mark) throws IOException {
        List<String> words = new ArrayList<>(List.of("bash", "-c", SCRIPT, directory.toString()));
        words.addAll(command);
        Process shell = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String told = new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        return new Detached(Long.parseLong(told), mark);
    }

    /** Asks it to stop, and kills it if it does not within {@code patience}. */
    void stop(ProcFs proc, Duration patience) {
        living(proc).ifPresent(process -> {
            process.destroy();
            if (!awaitEnd(process, patience)) {
                kill(proc);
            }
        });
    }

    /** SIGKILL; returns when it is gone. */
    void kill(ProcFs proc) {
        living(proc).ifPresent(process -> {
            process.destroyForcibly();
            awaitEnd(process, KILL_PATIENCE);
        });
    }

    private Optional<ProcessHandle> living(ProcFs proc) {
        return proc.commandLine(pid).contains(mark)
                ? ProcessHandle.of(pid).filter(ProcessHandle::isAlive)
                : Optional.empty();
    }

    private static boolean awaitEnd(ProcessHandle process, Duration patience) {
        try {
            process.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
