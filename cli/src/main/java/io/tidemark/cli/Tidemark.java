package io.tidemark.cli;

import io.tidemark.cli.demo.DemoCommand;
import io.tidemark.cli.dev.DevCommand;
import io.tidemark.cli.log.LogCommand;
import io.tidemark.cli.perf.PerfCommand;
import io.tidemark.cli.records.ConsumeCommand;
import io.tidemark.cli.records.ProduceCommand;
import io.tidemark.cli.topic.BrokerCommand;
import io.tidemark.cli.topic.ClusterCommand;
import io.tidemark.cli.topic.PartitionCommand;
import io.tidemark.cli.topic.TopicCommand;
import io.tidemark.client.TidemarkException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code tidemark} command line. */
@Command(
        name = "tidemark",
        description = "Tidemark, a replicated commit log.",
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        versionProvider = Version.class,
        sortOptions = false,
        subcommands = {
            DemoCommand.class,
            DevCommand.class,
            TopicCommand.class,
            PartitionCommand.class,
            BrokerCommand.class,
            ClusterCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class,
            PerfCommand.class,
            LogCommand.class
        })
public final class Tidemark implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Tidemark() {}

    /** Ends the process with the command's exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Tidemark());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler(Tidemark::onBadUsage);
        line.setExecutionExceptionHandler((failure, command, parsed) -> onFailure(failure, command));
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }

    private static int onBadUsage(ParameterException failure, String... arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(command.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, err)) {
            command.usage(err);
        }
        return ExitCode.USAGE;
    }

    private static int onFailure(Exception failure, CommandLine command) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        if (failure instanceof CommandFailure known) {
            err.println(name + ": " + known.getMessage());
            return known.exitCode();
        }
        if (failure instanceof TidemarkException known) {
            err.println(name + ": " + known.getMessage());
            return ExitCode.FAILED;
        }
        if (failure instanceof InterruptedException) {
            err.println(name + ": interrupted");
            return ExitCode.INTERRUPTED;
        }
        err.println(name + ": " + failure);
        return ExitCode.FAILED;
    }
}
