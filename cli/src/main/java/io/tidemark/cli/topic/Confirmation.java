package io.tidemark.cli.topic;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import picocli.CommandLine.Option;

/** Lets a person think again before data goes; mixed into each command that takes some away. */
final class Confirmation {
    @Option(
            names = {"-y", "--yes"},
            description = "do not ask; default: ask for the topic's name")
    private boolean yes;

    /**
     * Goes on if that was said beforehand, or if the person types {@code name} on a terminal; without a terminal, or with anything
     * else, the command fails.
     *
     * @param question what will be gone
     * @param refusal what then is not done
     */
    // On a JDK whose console is never null, reading without a terminal answers null, which is no confirmation
    // either.
    @SuppressWarnings("SystemConsoleNull")
    void require(String name, String question, String refusal) {
        if (yes) {
            return;
        }
        java.io.Console console = System.console();
        String typed = console == null ? null : console.readLine("%s Type %s to go on: ", question, name);
        if (!name.equals(typed)) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    refusal + ": not confirmed",
                    "type the topic's name when asked, or use --yes in scripts");
        }
    }
}
