package io.tidemark.cli.completion;

import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Tidemark;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidemark completion}. */
@Command(
        name = "completion",
        description = "Print a completion script for a shell.",
        footerHeading = "%nExamples:%n",
        footer = {"  source <(tidemark completion bash)", "  tidemark completion bash > /etc/bash_completion.d/tidemark"
        },
        subcommands = {CompletionCommand.Bash.class})
public final class CompletionCommand {
    /** Commands and options from the same model as the help; names of topics from the cluster. */
    @Command(
            name = "bash",
            description = {
                "Print the completion script for bash.",
                "Topics are asked of the cluster that TIDEMARK_BOOTSTRAP names: at most 1 second, kept for 30."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  source <(tidemark completion bash)",
                "  tidemark completion bash > /etc/bash_completion.d/tidemark"
            })
    static final class Bash implements Callable<Integer> {
        private static final String TOPICS = "topics.bash";

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException {
            PrintWriter out = spec.commandLine().getOut();
            out.print(AutoComplete.bash("tidemark", Tidemark.commandLine()));
            out.print(topics());
            out.flush();
            return ExitCode.OK;
        }

        private static String topics() throws IOException {
            try (InputStream script = Bash.class.getResourceAsStream(TOPICS)) {
                if (script == null) {
                    throw new IllegalStateException(TOPICS + " is missing");
                }
                return new String(script.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
