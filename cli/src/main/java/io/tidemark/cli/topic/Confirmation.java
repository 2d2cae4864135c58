package io.tidemark.cli.topic;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;

/** Lets a person think again before data goes. */
final class Confirmation {
    private Confirmation() {}

    /**
     * Goes on if the person types {@code name} on a terminal; without a terminal, or with anything else, the command fails.
     *
     * @param question what will be gone
     * @param refusal what then is not done
     */
    // On a JDK whose console is never null, reading without a terminal answers null, which is no confirmation
    // either.
    @SuppressWarnings("SystemConsoleNull")
    static void require(String name, String question, String refusal) {
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
