package io.tidemark.cli.dev;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process of a local cluster, known by its pid and by a path on its command line: a pid that was given to some other
 * process meanwhile is never signalled.
 *
 * @param mark text that only this process's command line holds
 */
record ServerProcess(long pid, String mark) {
    private static final Duration EXEC_PATIENCE = Duration.ofSeconds(1);
    private static final List<String> NEW_SESSION = List.of("/usr/bin/setsid", "/bin/setsid");

    /** Starts a command that outlives this process and its terminal; its output goes to {@code log}. */
    static ServerProcess start(List<String> command, Path workingDirectory, Path log, String heap, String mark) {
        List<String> words = new ArrayList<>();
        NEW_SESSION.stream()
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst()
                .ifPresent(words::add);
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(workingDirectory.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("TIDEMARK_HEAP_OPTS", heap);
        builder.environment()
                .put("TIDEMARK_LOG_DIR", workingDirectory.resolve("logs").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try {
            return new ServerProcess(builder.start().pid(), mark);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot start " + command.get(0) + ": " + e.getMessage());
        }
    }

    /** The living process, if the pid is still its. */
    Optional<ProcessHandle> handle() {
        return pid <= 0
                ? Optional.empty()
                : ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isOurs);
    }

    boolean isAlive() {
        return handle().isPresent();
    }

    /** Asks it to stop, waits, and ends it if it does not. */
    void stop(Duration patience) {
        handle().ifPresent(process -> {
            process.destroy();
            if (!awaitExit(process, patience)) {
                process.destroyForcibly();
                awaitExit(process, patience);
            }
        });
    }

    /** SIGKILL; returns when it is gone. */
    void kill() {
        handle().ifPresent(process -> {
            process.destroyForcibly();
            awaitExit(process, Duration.ofSeconds(10));
        });
    }

    /** Sends a signal by name, such as STOP. */
    void signal(String name) {
        if (!isAlive()) {
            throw new CommandFailure(ExitCode.FAILED, "the process is not running");
        }
        try {
            int status = new ProcessBuilder("/bin/sh", "-c", "kill -s " + name + " " + pid)
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new CommandFailure(ExitCode.FAILED, "cannot send " + name + " to process " + pid);
            }
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot send " + name + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted");
        }
    }

    /** A process that is about to become another program ({@code exec}) has no command line for a moment, which says nothing. */
    private boolean isOurs(ProcessHandle process) {
        boolean[] marked = new boolean[1];
        Pause.until(
                () -> {
                    String line = process.info().commandLine().orElseGet(() -> commandLineOf(pid));
                    marked[0] = line.contains(mark);
                    return !line.isEmpty() || !process.isAlive();
                },
                EXEC_PATIENCE);
        return marked[0];
    }

    private static String commandLineOf(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"))
                    .replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    private static boolean awaitExit(ProcessHandle process, Duration patience) {
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
