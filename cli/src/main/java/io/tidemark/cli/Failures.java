package io.tidemark.cli;

import io.tidemark.cli.errors.Explanation;
import io.tidemark.client.TidemarkException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;

/** How a command that failed ends: one line that says what, one that says what to do, and the exit code. */
final class Failures {
    private Failures() {}

    static int report(Exception failure, CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        CommandFailure known = known(failure);
        err.println(name + ": " + known.getMessage());
        if (!known.next().isEmpty()) {
            err.println("  next: " + known.next());
        }
        err.flush();
        return known.exitCode();
    }

    private static CommandFailure known(Exception failure) {
        if (failure instanceof CommandFailure known) {
            return known;
        }
        if (failure instanceof TidemarkException known) {
            return Explanation.of(known);
        }
        if (failure instanceof InterruptedException) {
            return new CommandFailure(ExitCode.INTERRUPTED, "interrupted");
        }
        return new CommandFailure(ExitCode.FAILED, failure instanceof IOException io ? words(io) : failure.toString());
    }

    private static String words(IOException failure) {
        if (failure instanceof NoSuchFileException missing) {
            return "there is no file " + missing.getFile();
        }
        if (failure instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        return String.valueOf(failure.getMessage());
    }
}
